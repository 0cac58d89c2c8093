package import Ledger
package import Mappings
package import Postbacks
package import Values

/// What publishing a document would do: what to read before it is done.
package struct PublicationReview: Sendable {
  /// When postbacks of both versions can arrive.
  package struct MixedZone: Equatable, Sendable {
    package let window: ConversionWindow
    /// When the first postback of the new version can arrive.
    package let from: Instant
    /// When the last postback of the old one can.
    package let to: Instant
    /// Whether the old version and the new one give the window a value.
    package let isInOld: Bool
    package let isInNew: Bool
  }

  /// Warnings of one kind, which a person confirms once.
  package struct Warning: Equatable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// What the check of the mapping found.
      case found(MappingFinding.Code)
      /// Values mean something else than in the version before.
      case changed
      case past
    }

    package let kind: Kind
    /// What the check found, in the order of the document; empty for the other kinds.
    package let findings: [MappingFinding]
    /// The values that it is about.
    package let values: [WindowValue]

    /// What stands for the kind in a form.
    package var name: String {
      switch kind {
      case .found(let code): code.text
      case .changed: "changed"
      case .past: "past"
      }
    }
  }

  /// What a check finds with the date that it would have.
  package let findings: [MappingFinding]
  /// The mapping; `nil` where there are errors.
  package let mapping: Mapping?
  /// The version that it would follow; `nil` for none.
  package let previous: Mapping?
  /// What becomes of each value that either of them gives a meaning.
  package let changes: [MeaningChange]
  /// When postbacks of both can arrive, window by window; empty without a version before.
  package let mixedZones: [MixedZone]
  /// The version that holds already from that date, so that it can't be published; `nil` where the date is free.
  package let taken: StoredMapping?
  /// Whether postbacks that came already would be decoded in another way.
  package let isInPast: Bool
  /// The number that the version would have among the app's versions, from 1; that of ``taken`` where there is one.
  package let number: Int
  /// How many versions of the app begin later, which get the next numbers.
  package let laterVersions: Int

  /// Looks at a document.
  ///
  /// - Parameters:
  ///   - date: The date that it would have; `nil` for its own.
  ///   - stored: The versions that there are, of all apps, by date.
  package init(_ document: [UInt8], from date: Instant?, over stored: [StoredMapping], now: Instant) {
    let reading = MappingDocument.check(MappingPublisher.document(document, from: date), at: now)
    findings = reading.findings
    let mapping = reading.findings.contains { $0.severity == .error } ? nil : reading.document?.mapping
    self.mapping = mapping
    let versions = stored.filter { $0.app == mapping?.app }
    let start = mapping?.effectiveFrom ?? now
    let previous = versions.last { $0.effectiveFrom < start }.flatMap {
      MappingDocument.read($0.document).document?.mapping
    }
    self.previous = previous
    taken = versions.first { $0.effectiveFrom == start }
    isInPast = start < now.day.start
    number = versions.count { $0.effectiveFrom < start } + 1
    laterVersions = versions.count { $0.effectiveFrom > start }
    if let mapping, let previous {
      changes = mapping.changes(from: previous)
      mixedZones = Self.mixedZones(previous, mapping)
    } else {
      changes = []
      mixedZones = []
    }
  }

  /// When postbacks of two versions can arrive, window by window.
  package static func mixedZones(_ old: Mapping, _ new: Mapping) -> [MixedZone] {
    let haveWindows = old.device.hasWindows && new.device.hasWindows
    return ConversionWindow.allCases.filter { haveWindows || $0 == .first }.map { window in
      let overlap = new.overlap(of: window, with: old)
      return MixedZone(
        window: window, from: overlap.from, to: overlap.to, isInOld: old.hasMeaning(in: window),
        isInNew: new.hasMeaning(in: window))
    }
  }

  /// The values that have a kind of change, in order.
  package func values(_ kind: MeaningChange.Kind) -> [WindowValue] {
    var known: Set<WindowValue> = []
    return changes.filter { $0.kind == kind && known.insert($0.slot).inserted }.map(\.slot)
  }

  /// What a person has to confirm, each kind once, in the order in which it was found.
  package var warnings: [Warning] {
    let found = findings.filter { $0.severity == .warning }
    var codes: [MappingFinding.Code] = []
    for finding in found where !codes.contains(finding.code) { codes.append(finding.code) }
    let changed = values(.changed)
    return codes.map { code in
      let own = found.filter { $0.code == code }
      return Warning(kind: .found(code), findings: own, values: own.compactMap(\.slot))
    } + (changed.isEmpty ? [] : [Warning(kind: .changed, findings: [], values: changed)])
      + (isInPast ? [Warning(kind: .past, findings: [], values: [])] : [])
  }
}

extension Mapping {
  /// Whether some value of a window has a meaning.
  fileprivate func hasMeaning(in window: ConversionWindow) -> Bool {
    WindowValue.all.contains { slot in
      guard slot.window == window, case .rules = meaning(of: slot) else { return false }
      return true
    }
  }
}
