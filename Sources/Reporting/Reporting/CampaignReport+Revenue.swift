import CSVText
import JSONText
import Ledger
import Mappings
import System
import Values

// What decoded values come to, in the formats of the campaign report.

extension RevenueTally {
  /// The members that a row of the report gains.
  func members(_ counts: CampaignCounts) -> [JSONOutput.Member] {
    [
      .init("decoded", .integer(decoded)), .init("decoded-installs", .integer(decodedInstalls)),
      .init("decoded-mixed", .integer(mixed)), .init("unmapped", .integer(unmapped)),
      .init("without-mapping", .integer(undated)), .init("money-not-added", .integer(notAdded)),
      .init("revenue", .array(sortedMoney.map { json($0.key, $0.value, counts) })),
      .init(
        "events",
        .array(
          events.sorted { $0.key < $1.key }.map {
            ["event": .string($0.key), "users": Amount(micros: $0.value).json]
          })),
    ]
  }

  private var sortedMoney: [(key: CurrencyCode, value: Sum)] { money.sorted { $0.key.text < $1.key.text } }

  private func json(_ currency: CurrencyCode, _ sum: Sum, _ counts: CampaignCounts) -> JSONOutput {
    .object([
      .init("currency", .string(currency.text)), .init("low", sum.low.json),
      .init("representative", sum.representative.json),
      .init("high", sum.openEnded > 0 ? .null : sum.high.json),
      .init("open-ended", .integer(sum.openEnded)), .init("mixed", sum.mixed.json),
      .init("did-saturate", .bool(sum.didSaturate)),
      .init("per-install", sum.representative.each(of: counts.installsOfAnyKind)?.json ?? .null),
      .init("per-decoded-install", sum.representative.each(of: decodedInstalls)?.json ?? .null),
    ])
  }
}

/// The columns that decoding adds for spreadsheets; they follow all others, because their number depends on the data.
struct DecodedColumns {
  let currencies: [CurrencyCode]
  let events: [String]

  private static let moneyNames = [
    "low", "representative", "high", "mixed", "per-install", "per-decoded-install",
  ]

  var names: [String] {
    ["decoded", "decoded-installs", "decoded-mixed", "unmapped", "without-mapping", "money-not-added"]
      + currencies.flatMap { currency in Self.moneyNames.map { "revenue-\($0)-\(currency.text)" } }
      + events.map { "event-\($0)" }
  }

  func cells(_ tally: RevenueTally, _ counts: CampaignCounts) -> [CSV.Cell] {
    [
      .integer(tally.decoded), .integer(tally.decodedInstalls), .integer(tally.mixed),
      .integer(tally.unmapped), .integer(tally.undated), .integer(tally.notAdded),
    ]
      + currencies.flatMap { currency -> [CSV.Cell] in
        guard let sum = tally.money[currency] else { return Self.moneyNames.map { _ in .none } }
        return [
          sum.low, sum.representative, sum.openEnded > 0 ? nil : sum.high, sum.mixed,
          sum.representative.each(of: counts.installsOfAnyKind),
          sum.representative.each(of: tally.decodedInstalls),
        ].map(CSV.Cell.amount)
      } + events.map { .amount(Amount(micros: tally.events[$0] ?? 0)) }
  }
}

extension CSV.Cell {
  /// An amount, or no value.
  static func amount(_ amount: Amount?) -> Self { amount.map { .number("\($0)") } ?? .none }
}

extension CampaignReport {
  /// Events that get a column of their own in the table for people.
  private static let shownEvents = 4

  /// The titles of the columns that decoding adds to the table for people; none where nothing is decoded.
  var decodedTitles: [String] {
    let total = totalTally
    guard total.decoded + total.unmapped > 0 else { return [] }
    return ["decoded"] + (total.mixed > 0 ? ["mixed"] : []) + (total.unmapped > 0 ? ["unmapped"] : [])
      + currencies.flatMap { ["\($0.text) low", "\($0.text)", "\($0.text) high", "per install"] }
      + events.prefix(Self.shownEvents).map(printable)
  }

  /// The cells under those titles.
  func decodedCells(_ tally: RevenueTally, _ counts: CampaignCounts) -> [String] {
    let total = totalTally
    guard total.decoded + total.unmapped > 0 else { return [] }
    return [grouped(tally.decoded)] + (total.mixed > 0 ? [grouped(tally.mixed)] : [])
      + (total.unmapped > 0 ? [grouped(tally.unmapped)] : [])
      + currencies.flatMap { currency -> [String] in
        guard let sum = tally.money[currency] else { return ["", "", "", ""] }
        return [
          money(sum.low), money(sum.representative), sum.openEnded > 0 ? "no limit" : money(sum.high),
          sum.representative.each(of: counts.installsOfAnyKind).map { money($0, decimals: 4) } ?? "",
        ]
      } + events.prefix(Self.shownEvents).map { users(tally.events[$0] ?? 0) }
  }

  /// What a reader has to know of the decoded columns.
  var decodingNote: String {
    let total = totalTally
    var notes: [String] = []
    if total.unmapped > 0 {
      notes.append(
        "\(grouped(total.unmapped)) values are in no rule of the mapping: something else, such as another SDK, sets values"
      )
    }
    if total.mixed > 0 {
      notes.append(
        "\(grouped(total.mixed)) came close to a change of the mapping and have a value that it has before and after; "
          + "their money is the mean of both, weighted by Apple's timers and a steady rate of installs")
    }
    if total.newest > 0 {
      notes.append(
        "\(grouped(total.newest)) are decoded by the newest mapping that their test device can have followed; an earlier "
          + "one is possible too, because Developer Mode can be off")
    }
    if total.notAdded > 0 {
      notes.append(
        "money and events of \(grouped(total.notAdded)) later windows are not added, because their mapping counts since "
          + "install, so that the first window's are in them; --by window shows them, its total leaves them out"
      )
    }
    if total.undated > 0, total.decoded > 0 {
      notes.append("\(grouped(total.undated)) values came while no mapping was in force")
    }
    if events.count > Self.shownEvents {
      notes.append("\(events.count - Self.shownEvents) more events are in --format json and csv")
    }
    notes += unreadableMappings.map { "the mapping '\(printable($0))' can't be understood; load it again" }
    if total.money.values.contains(where: \.didSaturate) {
      notes.append("a sum of money does not fit and is held at the largest amount; it is not the true one")
    }
    return notes.map { $0 + "\n" }.joined()
  }
}

/// Money with its thousands set apart and rounded to so many decimals.
func money(_ amount: Amount, decimals: Int = 2) -> String {
  let unit = (0..<max(0, 6 - decimals)).reduce(Int64(1)) { product, _ in product * 10 }
  let (quotient, rest) = amount.micros.quotientAndRemainder(dividingBy: unit)
  let rounded = quotient + (rest.magnitude * 2 >= unit.magnitude ? rest.signum() : 0)
  let scale = (0..<decimals).reduce(Int64(1)) { product, _ in product * 10 }
  let (units, fraction) = rounded.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
  let decimalsText = String(fraction + scale.magnitude).dropFirst()
  return (rounded < 0 ? "-" : "") + grouped(Int64(units)) + (decimals > 0 ? "." : "") + decimalsText
}

/// A number of users, which is not whole where it is an expected one.
private func users(_ millionths: Int64) -> String {
  millionths % 1_000_000 == 0
    ? grouped(millionths / 1_000_000) : "~" + money(Amount(micros: millionths), decimals: 1)
}
