package import Journal

/// Everything that ever happens to a ledger, with a binary form of its own.
///
/// The form is a byte of the kind, the length, and the fields. So a program that does not know a kind still finds
/// the next one.
package enum AnyChange: Sendable {
  /// An arrival, and what was found out about it.
  case receipt(Receipt)
  /// What the receipts of the same batch are an import of.
  case importing(ImportMark)
  case other(any LedgerChange)

  /// Adds its bytes; `fields` is where they are gathered, which one memory does for many changes.
  private func write(to bytes: inout ChangeEncoder, by fields: inout ChangeEncoder) {
    fields.removeAll()
    switch self {
    case .receipt(let receipt):
      bytes.add(byte: ChangeKind.receipt)
      receipt.write(to: &fields)
    case .importing(let mark):
      bytes.add(byte: ChangeKind.importing)
      mark.write(to: &fields)
    case .other(let change):
      bytes.add(byte: type(of: change).kind.rawValue)
      change.write(to: &fields)
    }
    bytes.add(bytes: fields.bytes)
  }

  /// Reads the next change.
  ///
  /// - Returns: The change; or why its fields are none, with the bytes behind them still to be read.
  /// - Throws: ``ChangeDefect`` where the bytes end within it.
  package static func next(in bytes: inout ChangeDecoder) throws(ChangeDefect) -> Result<Self, ChangeDefect> {
    let number = try bytes.byte()
    var fields = ChangeDecoder(try bytes.someBytes())
    do throws(ChangeDefect) {
      let change: Self
      if number == ChangeKind.receipt {
        change = .receipt(try fields.next())
      } else if number == ChangeKind.importing {
        change = .importing(try fields.next())
      } else if let kind = ChangeKind(rawValue: number) {
        change = .other(try kind.read(&fields))
      } else {
        throw .unknownKind(number)
      }
      try fields.requireEnd()
      return .success(change)
    } catch {
      return .failure(error)
    }
  }

  /// The changes of a batch in their order, each or why it can't be read; what is cut off has none behind it.
  static func all(in content: [UInt8]) -> [Result<Self, ChangeDefect>] {
    var bytes = ChangeDecoder(content)
    var changes: [Result<Self, ChangeDefect>] = []
    while bytes.rest > 0 {
      do throws(ChangeDefect) { changes.append(try next(in: &bytes)) } catch {
        changes.append(.failure(error))
        if error == .cutOff, bytes.isCutOff { break }
      }
    }
    return changes
  }

  /// What is wrong with the changes of a batch, in one sentence without a full stop; `nil` where nothing is.
  package static func defect(in content: [UInt8], at position: JournalPosition) -> String? {
    let changes = all(in: content)
    do throws(LedgerError) { try requireKnown(changes, at: position, level: LevelRaise.lowest) } catch {
      return error.description
    }
    for (number, change) in changes.enumerated() {
      if case .failure(let defect) = change { return "its change \(number) can't be read: \(defect)" }
    }
    return nil
  }

  /// Rejects changes of a newer program, which would be missing in one database alone.
  static func requireKnown(
    _ changes: [Result<Self, ChangeDefect>], at position: JournalPosition, level: Int64
  ) throws(LedgerError) {
    for change in changes {
      switch change {
      case .failure(.unknownKind(let kind)):
        throw .journal(
          reason:
            "batch \(position) of the journal has a change of kind \(kind), which this skan does not know",
          remedy: "Install the skan version of the other nodes.")
      case .success(.other(let change)):
        guard let raise = change as? LevelRaise, raise.level > level else { continue }
        throw .newerLevel(raise.level, known: level, at: "batch \(position) of the journal")
      case .success, .failure: continue
      }
    }
  }

  /// The bytes of several changes, in their order.
  package static func bytes(of changes: [Self]) -> [UInt8] {
    var (bytes, fields) = (ChangeEncoder(), ChangeEncoder())
    for change in changes { change.write(to: &bytes, by: &fields) }
    return bytes.bytes
  }
}
