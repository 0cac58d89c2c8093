import JSONText
import MappingFormats
import Mappings
import Postbacks
import Values

// What conversion values mean, in words and as JSON.

/// The cells that tell one meaning in a table.
struct MeaningCells {
  /// What people call it, or what is said of a value without a rule.
  let label: String
  /// The events that had to happen, and the revenue of all of them together.
  let condition: String
  /// What the user brought at least.
  let low: String
  /// What is counted, with the currency.
  let mid: String
  /// What the user brought at most.
  let high: String
  /// When the user was active last, in hours since install.
  let activeHours: String

  /// Describes what a rule says.
  init(_ meaning: Interpretation) {
    func join(_ text: (RevenueEstimate) -> String) -> String {
      meaning.revenue.map(text).joined(separator: " + ")
    }
    label = printable(meaning.label ?? "")
    condition = meaning.condition
    low = join { $0.low.map { "\($0)" } ?? "no limit" }
    mid = join { "\($0.representative) \($0.currency)" }
    high = join { $0.high.map { "\($0)" } ?? "no limit" }
    activeHours = meaning.activeHours.map { "\($0.from)-\($0.to)" } ?? ""
  }

  /// Describes a value without a rule, in place of a label.
  init(label: String) {
    self.label = label
    condition = ""
    low = ""
    mid = ""
    high = ""
    activeHours = ""
  }
}

extension Meaning {
  /// The word for the kind of meaning in JSON.
  var word: String {
    switch self {
    case .rules: "mapped"
    case .zero: "zero"
    case .null: "null"
    case .noneExpected: "none-expected"
    case .unmapped: "unmapped"
    }
  }

  /// What is said of a value without a rule.
  var sentence: String {
    switch self {
    case .rules: "a rule of the mapping"
    case .zero: "installed, no further activity"
    case .null: "no value: withheld by Apple, or none set"
    case .noneExpected: "no value: the ad did not win"
    case .unmapped: "unmapped: no rule has it"
    }
  }

  /// The rows that tell it in a table; one for each rule.
  var cells: [MeaningCells] {
    if case .rules(let meanings) = self { return meanings.map(MeaningCells.init) }
    return [MeaningCells(label: sentence)]
  }

  /// The meaning on one line.
  var line: String {
    guard case .rules(let meanings) = self else { return sentence }
    return meanings.map(\.line).joined(separator: " or ")
  }

  /// The meaning's members in JSON.
  var members: [JSONOutput.Member] {
    var rules: [JSONOutput] = []
    if case .rules(let meanings) = self { rules = meanings.map(\.json) }
    return [.init("meaning", .string(word)), .init("rules", .array(rules))]
  }
}

extension Interpretation {
  /// The meaning on one line.
  var line: String {
    let money = revenue.map { estimate in
      let low = estimate.low.map { "\($0)" } ?? "-∞"
      let high = estimate.high.map { "\($0)" } ?? "∞"
      return "worth \(estimate.representative) \(estimate.currency) (\(low) to \(high))"
    }
    let hours = activeHours.map { ["\($0.from)-\($0.to) h"] } ?? []
    let parts = (condition.isEmpty ? [] : [condition]) + money + hours
    let text = parts.isEmpty ? "any user" : parts.joined(separator: ", ")
    return label.map { "\(printable($0)): \(text)" } ?? text
  }

  /// The events that had to happen, and the revenue of all of them together: `purchase x2-5, total [0, 20) USD`.
  var condition: String {
    let sum = total.map { ["total \($0.range) \($0.currency)"] } ?? []
    return (events.map(\.text) + sum).joined(separator: ", ")
  }

  /// The meaning as JSON.
  var json: JSONOutput {
    let hours: JSONOutput =
      activeHours.map { ["from": .integer(Int64($0.from)), "to": .integer(Int64($0.to))] } ?? .null
    return [
      "label": .optional(label),
      "events": .array(
        events.map { event in
          [
            "name": .string(event.name), "min": .integer(Int64(event.count.min)),
            "max": event.count.max.map { .integer(Int64($0)) } ?? .null,
          ]
        }),
      "revenue": .array(
        revenue.map { estimate in
          [
            "currency": .string(estimate.currency.text), "revenue-low": estimate.low?.json ?? .null,
            "revenue-mid": estimate.representative.json, "revenue-high": estimate.high?.json ?? .null,
          ]
        }),
      "total-revenue": total?.json ?? .null,
      "active-hours": hours,
    ]
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

extension EventCondition {
  /// The condition in words: `purchase`, `purchase x2-5`, `no refund`.
  var text: String {
    let name = printable(name)
    let money = revenue.map { " \($0.range) \($0.currency)" } ?? ""
    switch (count.min, count.max) {
    case (0, 0): return "no \(name)" + money
    case (1, nil): return name + money
    case (let least, nil): return "\(name) x\(least)+" + money
    case (let least, let most?):
      return "\(name) x\(least)" + (most == least ? "" : "-\(most)") + money
    }
  }
}

extension ValueSlot {
  /// The value as people write it.
  var value: String {
    switch self {
    case .fine(let value): "\(value.number)"
    case .coarse(_, let value): value.rawValue
    }
  }

  /// The value as JSON.
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
