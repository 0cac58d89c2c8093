package import Campaigns
import Estimates
import Ledger
import MappingLibrary
package import Mappings
package import Postbacks
package import Values

/// The 64 fine values of an app's first window in some days: seen, estimated with withheld ones, and expected.
package struct ValueMap: Sendable {
  package struct Value: Sendable {
    package let number: Int
    package let seen: Int64
    /// How many withheld values are estimated to be it; `nil` without evidence.
    package let withheld: Double?
    /// The share of it that is expected among all; `nil` where nothing is known to compare with.
    package fileprivate(set) var expected: Double?
    /// What it means by the version of the mapping that was asked for; `nil` without a mapping.
    package let meaning: Sentence?
    /// What it means by the version before, where that is something else.
    package let olderMeaning: Sentence?
    /// Whether no rule of the version has it.
    package let isUnmapped: Bool
    /// Revenue of a user with it; `nil` where the version has none.
    package let money: (low: Amount?, mid: Amount, high: Amount?)?
  }

  /// What expected shares rest on.
  package enum Basis: Sendable {
    /// So many of the advertiser's own users, as the mapping values them.
    case ownUsers(Int64)
    /// So many values that a simulation of the users of a sample would show.
    case simulated(Int64, sample: String)
    /// The same number of days directly before, with so many values.
    case daysBefore(Int64)
    case nothing
  }

  /// A version of the app's mapping.
  package struct Version: Sendable {
    /// From 1.
    package let number: Int
    package let name: String
    package let from: Instant
  }

  package private(set) var values: [Value]
  package let versions: [Version]
  /// The version whose meanings are shown; `nil` without a mapping.
  package let version: Version?
  package private(set) var basis: Basis
  /// The currency of money; `nil` without a mapping.
  package let currency: String?
  package var seen: Int64 { values.reduce(0) { $0 + $1.seen } }
  /// Winning conversions of the window without any value.
  package let nulls: Int64
  package let coarseOnly: Int64

  /// Gathers the map.
  ///
  /// - Parameters:
  ///   - rows: The report of campaigns for the days and the first window, by network and campaign of two digits.
  ///   - before: The same for the days directly before.
  ///   - number: The version whose meanings are shown, from 1; `nil` for the newest in force on the last day.
  ///   - source: Where mappings and own users are.
  /// - Throws: ``LedgerError``, or ``EstimationError`` where a fit fails.
  package init(
    app: AppID, rows: [CampaignTable.Line], before: [CampaignTable.Line], version number: Int?, end: Instant,
    from source: ReportSource
  ) throws {
    let history = try MappingCatalog(from: source.reader).histories[app]
    let mappings = history?.versions ?? []
    let versions = mappings.enumerated().map {
      Version(number: $0.offset + 1, name: $0.element.name, from: $0.element.effectiveFrom)
    }
    self.versions = versions
    let usual = mappings.lastIndex { $0.effectiveFrom < end } ?? mappings.indices.first
    let index = number.map { $0 - 1 }.flatMap { mappings.indices.contains($0) ? $0 : nil } ?? usual
    let mapping = index.map { mappings[$0] }
    let older = index.flatMap { $0 > 0 ? mappings[$0 - 1] : nil }
    version = index.map { versions[$0] }
    currency = mapping?.currency.text
    let campaigns = rows.map(RevealedCounts.init)
    let seen = Self.fineSums(rows)
    nulls = rows.reduce(0) { $0 + $1.counts.valueNull }
    coarseOnly = rows.reduce(0) { sum, row in
      CoarseValue.allCases.reduce(sum) { $0 + row.counts.coarse($1) }
    }
    let own = try source.reader.valueWorth().filter {
      $0.app == app && $0.effectiveFrom == mapping?.effectiveFrom && $0.horizon == .firstWindow
        && $0.currency == mapping?.currency.text && (0..<64).contains($0.value)
    }
    var users = [Double](repeating: 0, count: 64)
    for row in own { users[row.value] = Double(row.users) }
    let earlier = Self.fineSums(before)
    let (userCount, earlierCount) = (users.reduce(0, +), earlier.reduce(0, +))
    basis =
      userCount > 0
      ? .ownUsers(Int64(userCount)) : earlierCount > 0 ? .daysBefore(Int64(earlierCount)) : .nothing
    let expected: [Double?] =
      userCount > 0
      ? users.map { $0 / userCount }
      : earlierCount > 0 ? earlier.map { $0 / earlierCount } : Array(repeating: nil, count: 64)
    let withheld = try Self.withheld(campaigns, users: userCount > 0 ? users : nil, own, mapping)
    values = (0..<64).map { code in
      let fine = FineValue(Int64(code))
      let meaning = fine.flatMap { mapping?.decode($0) }
      let olderMeaning = fine.flatMap { older?.decode($0) }
      return Value(
        number: code, seen: Int64(seen[code]), withheld: withheld?[code], expected: expected[code],
        meaning: meaning?.line, olderMeaning: olderMeaning == meaning ? nil : olderMeaning?.line,
        isUnmapped: meaning == .unmapped, money: meaning?.money)
    }
  }

  /// The same map, with the shares of a simulation as the expected ones.
  ///
  /// - Parameters:
  ///   - counts: How often a simulation shows each of the 64 values.
  ///   - sample: What people call its users.
  /// - Returns: The map; this one where the simulation shows nothing.
  package func expecting(_ counts: [Int], of sample: String) -> ValueMap {
    let all = counts.reduce(0, +)
    guard all > 0, counts.count == values.count else { return self }
    var map = self
    map.basis = .simulated(Int64(all), sample: sample)
    for index in values.indices { map.values[index].expected = Double(counts[index]) / Double(all) }
    return map
  }

  /// How often campaigns show each of the 64 values.
  private static func fineSums(_ rows: [CampaignTable.Line]) -> [Double] {
    var fine: [Int64] = []
    var sums = [Double](repeating: 0, count: 64)
    for row in rows {
      fine.removeAll(keepingCapacity: true)
      row.counts.fine.append(to: &fine)
      for value in sums.indices { sums[value] += Double(fine[value]) }
    }
    return sums
  }

  private static func withheld(
    _ campaigns: [RevealedCounts], users: [Double]?, _ own: [ValueWorthRow], _ mapping: Mapping?
  ) throws -> [Double]? {
    guard let mapping, !campaigns.isEmpty else { return nil }
    let known = Dictionary(own.map { ($0.value, KnownUsers($0)) }, uniquingKeysWith: { $1 })
    let worth = CodeWorth(mapping, own: known, event: nil)
    let set = try CampaignSet(campaigns: campaigns, worth: worth, firstParty: users)
    return try Estimator.tree.fit(to: set).withheldByCode(of: set)
  }
}

extension RevealedCounts {
  fileprivate init(_ line: CampaignTable.Line) {
    var fine: [Int64] = []
    fine.reserveCapacity(64)
    line.counts.fine.append(to: &fine)
    self.init(
      name: "\(line.network ?? "") \(line.digits ?? "")", revealed: fine.map { Double($0) },
      nulls: Double(line.counts.valueNull))
  }
}

extension Meaning {
  /// The revenue of a user over all rules that share the value; `nil` where one has no revenue, or several currencies.
  package var money: (low: Amount?, mid: Amount, high: Amount?)? {
    guard case .rules(let rules) = self else { return nil }
    let amounts = rules.compactMap { $0.revenue.count == 1 ? $0.revenue.first : nil }
    guard !amounts.isEmpty, amounts.count == rules.count else { return nil }
    let mids = amounts.map(\.representative.micros)
    return (
      amounts.contains { $0.low == nil } ? nil : amounts.compactMap { $0.low }.min(),
      Amount(micros: mids.reduce(0) { $0 + $1 / Int64(mids.count) }),
      amounts.contains { $0.high == nil } ? nil : amounts.compactMap { $0.high }.max()
    )
  }
}
