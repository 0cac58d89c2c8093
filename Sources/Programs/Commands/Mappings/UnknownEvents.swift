import EventFiles
import Mappings
import Values

/// What users did that no rule of a mapping asks for.
struct UnknownEvents {
  private static let most = 10

  private let mapping: Mapping
  /// How often events happened that no rule names.
  private var events: [String: Int] = [:]
  /// How many of them have revenue.
  private var paid = 0
  /// How many amounts are in currencies of no rule.
  private var currencies: [CurrencyCode: Int] = [:]

  init(_ users: [UserHistory], _ mapping: Mapping) {
    self.mapping = mapping
    let names = mapping.eventNames
    let known = mapping.revenueCurrencies
    for event in users.lazy.flatMap(\.events) {
      if !names.contains(event.name) {
        events[event.name, default: 0] += 1
        if event.revenue != nil { paid += 1 }
      }
      if let currency = event.revenue?.currency, !known.contains(currency) {
        currencies[currency, default: 0] += 1
      }
    }
  }

  /// A line for the events and one for the currencies, where there are any.
  var notes: [String] {
    var notes: [String] = []
    if !events.isEmpty {
      let names = Array(mapping.eventNames.sorted().prefix(200))
      let listed = events.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most).map {
        name, count in
        let meant = name.utf8.count <= 40 ? nearest(to: name, among: names) : nil
        return
          "\(printable(name)) (\(counted(count, "row"))\(meant.map { ", did you mean \(printable($0))?" } ?? ""))"
      }
      let more = events.count - listed.count
      notes.append(
        "events without a rule: \(listed.joined(separator: ", "))"
          + (more > 0 ? " and \(more) more" : "")
          + (paid > 0 && mapping.asksForTotals ? "; their revenue counts only in rules on total revenue" : "")
      )
    }
    if !currencies.isEmpty {
      let listed = currencies.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most).map {
        "\($0.key) (\(counted($0.value, "amount")))"
      }
      let rules = mapping.revenueCurrencies.sorted().map(\.text).joined(separator: ", ")
      notes.append(
        "currencies without a rule: \(listed.joined(separator: ", "))"
          + (rules.isEmpty
            ? "; no rule has a revenue condition" : "; rules are in \(rules), and amounts are not converted"))
    }
    return notes
  }
}
