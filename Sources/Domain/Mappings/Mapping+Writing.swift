public import JSONText
import Postbacks
public import Values

extension Mapping {
  /// The mapping in our format, every rule written out; the same mapping gives the same text.
  ///
  /// Reading it gives the same mapping again.
  public var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("name", .string(name)), .init("app", .integer(app.number)),
      .init("currency", .string(currency.text)), .init("effective-from", .string(effectiveFrom.description)),
      .init("protocol", .string(device.rawValue)),
    ]
    if isRaiseOnly, device != .skan3 { members.append(.init("raise-only", true)) }
    if let hours = measurementWindowHours {
      members.append(.init("measurement-window-hours", .integer(Int64(hours))))
    }
    members.append(.init("precedence", .string(precedence.rawValue)))
    if !partners.isEmpty {
      members.append(.init("partners", .array(partners.map { .string($0.rawValue) })))
    }
    if !declaredEvents.isEmpty {
      members.append(.init("declared-events", .array(declaredEvents.map(\.json))))
    }
    members.append(.init("fine", .array(fine.map { $0.json(currency) })))
    if !coarse.isEmpty {
      let windows = coarse.ordered { $0.key < $1.key }.map { $1.json(window: $0, currency) }
      members.append(.init("coarse", .array(windows)))
    }
    return .object(members)
  }
}

/// Who reads what is written of a mapping.
enum RuleReader {
  case server
  /// Gets neither labels nor worths, and amounts in millionths.
  case app
}

extension DeclaredEvent {
  fileprivate var json: JSONOutput {
    .object([.init("name", .string(name)), .init("earliest-hours", .integer(Int64(earliestHours)))])
  }
}

extension FineRule {
  func json(_ home: CurrencyCode, for reader: RuleReader = .server) -> JSONOutput {
    var members: [JSONOutput.Member] = [.init("value", .integer(Int64(value.number)))]
    if reader == .server, let label { members.append(.init("label", .string(label))) }
    members += conditions.members(home, for: reader)
    if let coarse { members.append(.init("coarse", .string(coarse.rawValue))) }
    if lock { members.append(.init("lock", true)) }
    if priority != 0 { members.append(.init("priority", .integer(Int64(priority)))) }
    return .object(members)
  }
}

extension CoarseRules {
  fileprivate func json(window: ConversionWindow, _ home: CurrencyCode) -> JSONOutput {
    var members: [JSONOutput.Member] = [.init("window", .integer(Int64(window.rawValue) + 1))]
    if totals != .sinceInstall { members.append(.init("totals", .string(totals.rawValue))) }
    for value in CoarseValue.allCases {
      let alternatives = rules.filter { $0.value == value }.map { $0.json(home) }
      switch alternatives.count {
      case 0: continue
      case 1: members.append(.init(value.rawValue, alternatives[0]))
      default: members.append(.init(value.rawValue, .array(alternatives)))
      }
    }
    return .object(members)
  }
}

extension CoarseRule {
  fileprivate func json(_ home: CurrencyCode) -> JSONOutput {
    var members: [JSONOutput.Member] = []
    if let label { members.append(.init("label", .string(label))) }
    return .object(members + setting(home, for: .server))
  }

  /// What has to be true, and whether it locks.
  func setting(_ home: CurrencyCode, for reader: RuleReader) -> [JSONOutput.Member] {
    conditions.members(home, for: reader) + (lock ? [.init("lock", true)] : [])
  }
}

extension Conditions {
  fileprivate func members(_ home: CurrencyCode, for reader: RuleReader) -> [JSONOutput.Member] {
    var members: [JSONOutput.Member] = []
    if conversionTypes != .all {
      members.append(.init("conversion-types", .array(conversionTypes.list.map { .string($0.rawValue) })))
    }
    if !events.isEmpty {
      members.append(.init("events", .array(events.map { $0.json(home, for: reader) })))
    }
    if let revenue { members.append(.init("revenue", revenue.json(home, for: reader))) }
    if let activeHours {
      members.append(
        .init(
          "active-hours",
          ["from": .integer(Int64(activeHours.from)), "to": .integer(Int64(activeHours.to))]))
    }
    return members
  }
}

extension EventCondition {
  fileprivate func json(_ home: CurrencyCode, for reader: RuleReader) -> JSONOutput {
    var members: [JSONOutput.Member] = [.init("name", .string(name))]
    if count != .atLeastOnce {
      var range: [JSONOutput.Member] = [.init("min", .integer(Int64(count.min)))]
      if let max = count.max { range.append(.init("max", .integer(Int64(max)))) }
      members.append(.init("count", .object(range)))
    }
    if let revenue { members.append(.init("revenue", revenue.json(home, for: reader))) }
    return .object(members)
  }
}

extension RevenueCondition {
  fileprivate func json(_ home: CurrencyCode, for reader: RuleReader) -> JSONOutput {
    let currency = currency == home ? nil : JSONOutput.Member("currency", .string(currency.text))
    var members: [JSONOutput.Member] = []
    if reader == .app {
      // Whole millionths have a first and a last one, whether an end of the range belongs to it or not.
      if range.first > .min { members.append(.init("from-micros", .integer(range.first))) }
      if range.last < .max { members.append(.init("to-micros", .integer(range.last))) }
      return .object(members + (currency.map { [$0] } ?? []))
    }
    switch range.lower {
    case .closed(let amount): members += [.init("from", amount.json), .init("includes-from", true)]
    case .open(let amount): members += [.init("from", amount.json), .init("includes-from", false)]
    case .unbounded: break
    }
    switch range.upper {
    case .closed(let amount): members += [.init("to", amount.json), .init("includes-to", true)]
    case .open(let amount): members += [.init("to", amount.json), .init("includes-to", false)]
    case .unbounded: break
    }
    if let currency { members.append(currency) }
    if let low { members.append(.init("low", low.json)) }
    if let representative { members.append(.init("representative", representative.json)) }
    if let high { members.append(.init("high", high.json)) }
    return .object(members)
  }
}

extension Amount {
  public var json: JSONOutput { JSONNumber(description).map { .number($0) } ?? .string(description) }
}
