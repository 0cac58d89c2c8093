package import Ledger
package import Mappings
package import Postbacks
package import Values

/// What publishing a document would do: what to read before it is done.
package struct PublicationReview: Sendable {
  /// When postbacks of both versions can arrive.
  package struct MixedZone: Hashable, Sendable {
    package let window: ConversionWindow
    /// When the first postback of the new version can arrive.
    package let from: Instant
    /// When the last postback of the old one can.
    package let to: Instant
    /// Whether the old version and the new one give the window a value.
    package let isInOld: Bool
    package let isInNew: Bool
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
  /// The number that the version would have among the app's versions, from 1.
  package let number: Int

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

  /// How many values have each kind of change.
  package func count(_ kind: MeaningChange.Kind) -> Int { changes.count { $0.kind == kind } }

  /// Whether values mean something else while postbacks of both versions arrive, so that a person should confirm it.
  package var needsConfirmation: Bool { changes.contains { $0.kind == .changed } && !mixedZones.isEmpty }
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
