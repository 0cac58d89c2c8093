extension LedgerWriter {
  enum Step {
    /// The import that all receipts of the same piece belong to.
    case importing(ImportMark)
    case receipt(Receipt)
    case change(any PendingChange)

    init(_ change: AnyChange) {
      switch change {
      case .importing(let mark): self = .importing(mark)
      case .receipt(let receipt): self = .receipt(receipt)
      case .other(let change): self = .change(Self.pending(change))
      }
    }

    var change: AnyChange {
      switch self {
      case .importing(let mark): .importing(mark)
      case .receipt(let receipt): .receipt(receipt)
      case .change(let change): .other(change.change)
      }
    }

    private static func pending(_ change: some LedgerChange) -> any PendingChange { SubmittedChange(change) }

    var fingerprint: UInt64? {
      if case .receipt(let receipt) = self { receipt.finding.fingerprint } else { nil }
    }
  }

  struct Stored {
    var commitments: [Commitment] = []
    /// For each change why it could not be applied; `nil` where it was.
    var failures: [LedgerError?] = []
    /// The import that it belongs to.
    var run: ImportRun?
  }
}

extension LedgerWriter.Step {
  var isChange: Bool { if case .change = self { true } else { false } }

  /// No fewer bytes than it has in a batch.
  var mostBytes: Int {
    switch self {
    case .importing: 1024
    case .receipt(let receipt):
      // Names, reasons and identifiers are much shorter than a kilobyte.
      receipt.arrival.body.count + (receipt.arrival.form?.bytes.count ?? 0) + 1024
    case .change(let change): AnyChange.bytes(of: [.other(change.change)]).count
    }
  }
}
