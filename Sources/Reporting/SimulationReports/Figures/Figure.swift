import CSVText
import JSONText
import Simulation
import Values

/// A figure of a report, which knows how it is written for people and for programs.
enum Figure: Sendable {
  /// How many, whole in one run, a mean in several.
  case count(Double)
  case money(MoneySum)
  /// A part of a whole, 1 for all of it.
  case share(Double)
  /// How far something is from the truth, as a part of the truth; negative where it is too little.
  case error(Double)
  case hours(Int)
  /// A number with two decimals.
  case number(Double)

  /// Whether there is nothing of it.
  var isZero: Bool {
    switch self {
    case .count(let value), .share(let value), .error(let value), .number(let value): value == 0
    case .money(let sum): sum == .zero
    case .hours(let hours): hours == 0
    }
  }

  /// Whether it is a count that is not whole.
  var isFraction: Bool {
    if case .count(let value) = self { value != value.rounded() } else { false }
  }

  /// The figure for people; the unit of shares and errors is in the title.
  var text: String { text(isMean: false) }

  /// The figure for people in a column of means, where counts have a decimal, or in another.
  func text(isMean: Bool) -> String {
    switch self {
    case .count(let value): isMean ? withThousands(fixed(value, 1)) : grouped(value)
    case .money(let sum): grouped(sum)
    case .share(let value), .error(let value): fixed(value * 100, 1)
    case .hours(let hours): "\(hours)"
    case .number(let value): fixed(value, 2)
    }
  }

  private var digits: String {
    switch self {
    case .count(let value), .number(let value): trimmed(value, 3)
    case .money(let sum): decimal(sum)
    case .share(let value), .error(let value): trimmed(value, 6)
    case .hours(let hours): "\(hours)"
    }
  }

  /// The figure in JSON; money exactly, shares to a millionth.
  var json: JSONOutput {
    if case .count(let value) = self, let whole = Int64(exactly: value) { return .integer(whole) }
    return JSONNumber(digits).map { .number($0) } ?? .null
  }

  /// The figure in CSV, the same digits as in JSON.
  var cell: CSV.Cell { .number(digits) }
}

extension Figure? {
  /// The figure for people; empty where there is none.
  var text: String { map(\.text) ?? "" }
  /// The figure in JSON; `null` where there is none.
  var json: JSONOutput { map(\.json) ?? .null }
  /// The figure in CSV; empty where there is none.
  var cell: CSV.Cell { map(\.cell) ?? .none }
}
