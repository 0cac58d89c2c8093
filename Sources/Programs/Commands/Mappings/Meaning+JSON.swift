import JSONText
import MappingFormats
import Mappings
import Postbacks
import Values

extension Meaning {
  var word: String {
    switch self {
    case .rules: "mapped"
    case .zero: "zero"
    case .null: "null"
    case .noneExpected: "none-expected"
    case .unmapped: "unmapped"
    }
  }

  var members: [JSONOutput.Member] {
    var rules: [JSONOutput] = []
    if case .rules(let meanings) = self { rules = meanings.map(\.json) }
    return [.init("meaning", .string(word)), .init("rules", .array(rules))]
  }
}

extension Interpretation {
  var json: JSONOutput {
    let hours: JSONOutput =
      activeHours.map { ["from": .integer(Int64($0.from)), "to": .integer(Int64($0.to))] } ?? .null
    var members: [JSONOutput.Member] = [.init("label", .optional(label))]
    if conversionTypes != .all {
      members.append(.init("conversion-types", .array(conversionTypes.list.map { .string($0.rawValue) })))
    }
    members += [
      .init(
        "events",
        .array(
          events.map { event in
            [
              "name": .string(event.name), "min": .integer(Int64(event.count.min)),
              "max": event.count.max.map { .integer(Int64($0)) } ?? .null,
            ]
          })),
      .init(
        "revenue",
        .array(
          revenue.map { estimate in
            [
              "currency": .string(estimate.currency.text), "revenue-low": estimate.low?.json ?? .null,
              "revenue-mid": estimate.representative.json, "revenue-high": estimate.high?.json ?? .null,
            ]
          })),
      .init("total-revenue", total?.json ?? .null), .init("active-hours", hours),
    ]
    return .object(members)
  }
}

extension RevenueCondition {
  /// The range as JSON, with the members of a mapping file.
  fileprivate var json: JSONOutput {
    [
      "from": range.lower.amount?.json ?? .null, "to": range.upper.amount?.json ?? .null,
      "includes-from": .bool(range.lower.isClosed), "includes-to": .bool(range.upper.isClosed),
      "currency": .string(currency.text),
    ]
  }
}

extension AmountRange.Bound {
  fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }
}

extension WindowValue {
  /// The value as people write it.
  var value: String {
    switch self {
    case .fine(let value): "\(value.number)"
    case .coarse(_, let value): value.rawValue
    }
  }

  var json: JSONOutput {
    switch self {
    case .fine(let value): .integer(Int64(value.number))
    case .coarse(_, let value): .string(value.rawValue)
    }
  }
}

extension ConversionWindow {
  /// The window's number as people count, from 1.
  var number: Int { rawValue + 1 }
}
