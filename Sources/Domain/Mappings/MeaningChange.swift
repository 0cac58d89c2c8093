public import Postbacks
public import Values

public enum WindowValue: Hashable, Sendable {
  /// A fine value of the first window.
  case fine(FineValue)
  case coarse(ConversionWindow, CoarseValue)

  /// Every slot: the 64 fine values, then three coarse ones for each window.
  public static var all: [WindowValue] {
    (0...63).compactMap { FineValue($0) }.map { .fine($0) }
      + ConversionWindow.allCases.flatMap { window in CoarseValue.allCases.map { .coarse(window, $0) } }
  }

  public var window: ConversionWindow {
    switch self {
    case .fine: .first
    case .coarse(let window, _): window
    }
  }
}

/// What becomes of a value's meaning from one mapping to the next.
public struct MeaningChange: Equatable, Sendable {
  /// The kinds of change; the raw value is the word in reports.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It means what it meant; the label may be another.
    case kept
    /// It means something else: postbacks of both sorts can't be distinguished while both arrive.
    case changed
    /// It meant nothing before.
    case gained
    case lost
  }

  public let slot: WindowValue
  /// The type of conversion that the change is of; `nil` where it is the same for every type.
  public let type: ConversionType?
  public let kind: Kind
  public let old: Meaning
  public let new: Meaning
}

extension Mapping {
  /// What becomes of each value that this mapping or the one before it gives a meaning.
  public func changes(from old: Mapping) -> [MeaningChange] {
    WindowValue.all.flatMap { slot -> [MeaningChange] in
      let isSameForAll = [old, self].allSatisfy { mapping in
        Set(ConversionType.allCases.map { mapping.conditions(of: slot, $0) }).count == 1
      }
      let types: [ConversionType?] = isSameForAll ? [nil] : ConversionType.allCases
      return types.compactMap { change(of: slot, $0, from: old) }
    }
  }

  private func change(of slot: WindowValue, _ type: ConversionType?, from old: Mapping) -> MeaningChange? {
    let (before, after) = (old.conditions(of: slot, type), conditions(of: slot, type))
    let kind: MeaningChange.Kind
    switch (before.isEmpty, after.isEmpty) {
    case (true, true): return nil
    case (true, false): kind = .gained
    case (false, true): kind = .lost
    case (false, false): kind = before == after ? .kept : .changed
    }
    return MeaningChange(
      slot: slot, type: type, kind: kind, old: old.meaning(of: slot, type: type),
      new: meaning(of: slot, type: type))
  }

  /// From when to when postbacks of users with this mapping and with the one before it can both arrive.
  ///
  /// The first user with this mapping can send at the earliest after its shortest delay, and the last one without it
  /// at the latest after the other's longest. Devices that fetch mappings late make it longer.
  ///
  /// - Parameters:
  ///   - old: The mapping before this one.
  /// - Returns: The two moments.
  public func overlap(of window: ConversionWindow, with old: Mapping) -> (from: Instant, to: Instant) {
    func hours(_ mapping: Mapping) -> [SendingDelay] {
      let all = ConversionValue.withMeaning(in: window)
      let known = all.filter { mapping.decode($0, window: window) != .unmapped }
      return (known.isEmpty ? all : known).map {
        mapping.sendingDelay(of: $0, version: mapping.device.version, window: window)
      }
    }
    let shortest = hours(self).map(\.shortest).min() ?? 0
    let longest = hours(old).map(\.longest).max() ?? 0
    return (
      effectiveFrom + Int64(shortest * Double(Hour.milliseconds)),
      effectiveFrom + Int64(longest * Double(Hour.milliseconds))
    )
  }

  /// What a value of a window means; with a type of `nil`, for conversions of every type.
  public func meaning(of slot: WindowValue, type: ConversionType? = nil) -> Meaning {
    switch slot {
    case .fine(let value): decode(value, type: type)
    case .coarse(let window, let value): decode(value, window: window, type: type)
    }
  }

  /// What has to be true of a user for a value, whatever the order of the rules, and whatever other types of
  /// conversion they are for.
  private func conditions(of slot: WindowValue, _ type: ConversionType?) -> Set<Conditions> {
    guard case .rules(let meanings) = meaning(of: slot, type: type) else { return [] }
    return Set(
      meanings.compactMap { meaning in
        switch meaning.rule {
        case .fine(let index): fine[index].conditions.forAllTypes
        case .coarse(let window, let index): coarse[window]?.rules[index].conditions.forAllTypes
        }
      })
  }
}

extension Mapping.Device {
  var version: ProtocolVersion {
    switch self {
    case .skan3: .v3_0
    case .skan4: .v4_0
    case .aak: .adAttributionKit
    }
  }
}
