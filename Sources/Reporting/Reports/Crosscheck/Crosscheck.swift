package import Estimates
import Ledger
package import Postbacks
import Values

/// A comparison of device copies and network copies of the same conversions.
package struct Crosscheck: Sendable {
  /// The conversions of one network, app and window.
  package struct Row: Sendable {
    package let network: String
    package let app: Int64
    package let window: ConversionWindow
    /// Conversions with a device copy and a network copy.
    package fileprivate(set) var both: Int64 = 0
    /// Those of them whose copies agree.
    package fileprivate(set) var agreeing: Int64 = 0
    package fileprivate(set) var onlyDevices: Int64 = 0
    package fileprivate(set) var onlyNetwork: Int64 = 0
    /// Conversions that only files have, so that they are on no side.
    package fileprivate(set) var onlyFiles: Int64 = 0
    package fileprivate(set) var fineDiffers: Int64 = 0
    package fileprivate(set) var coarseDiffers: Int64 = 0
    /// Conversions whose countries differ; they can differ in their value, too.
    package fileprivate(set) var countryDiffers: Int64 = 0
    /// Minutes from the device copy to the network copy that half of the pairs stay within; `nil` without pairs.
    package fileprivate(set) var medianDelay: Int64?
    /// Minutes that 95 in a hundred stay within; `nil` without pairs.
    package fileprivate(set) var longDelay: Int64?
    /// Why the sides differ; the counts add up to ``differences``.
    package fileprivate(set) var reasons: [DifferenceReason: Int64] = [:]

    /// Conversions that only one side has, or whose copies disagree.
    package var differences: Int64 { onlyDevices + onlyNetwork + both - agreeing }
  }

  /// How the values of a network's copies and of device copies are distributed.
  package struct Mix: Sendable {
    package let network: String
    /// Winning conversions with a device copy, by the place of their value in ``ValueSlot``, without those that a side
    /// misses for a known reason.
    package let device: [Int64]
    /// The same for network copies.
    package let forwarded: [Int64]
    /// The test of whether the sides leave out conversions whatever their value; `nil` where there is too little.
    package let test: GroupMix?
    /// The test's probability, corrected for the number of networks.
    package let corrected: Double?
    /// Whether the network's changed values lean one way; `nil` where no changed value can be compared.
    package let direction: PairedDirection?
    /// The places whose shares differ most, at most three; none where the test does not reject at 5 %.
    package let outstanding: [Int]
  }

  let rows: [Row]
  let findings: [DifferenceFinding]
  let mixes: [Mix]
  /// By network's name and reason.
  let rejectedForwards: [RejectedForwards]

  /// Compares the conversions of a ledger.
  ///
  /// - Parameters:
  ///   - query: The question; its times are those of a conversion's first copy.
  ///   - now: The moment that decides which copies may still arrive.
  init(_ query: PostbackQuery, from reader: LedgerReader, now: Instant) throws(LedgerError) {
    var tally = SideTally(now: now)
    rejectedForwards = try reader.consistently { () throws(LedgerError) in
      try reader.forEachSidedConversion(query) { tally.add($0) }
      let end = query.to.map { $0 == $0.day.start ? $0.day : $0.day.next }
      return try reader.rejectedForwards(from: query.from?.day, to: end)
    }
    let reasons = DifferenceReasons(tally, now: now)
    rows = Self.rows(tally, reasons)
    findings = Self.findings(tally, reasons)
    mixes = Self.mixes(tally, reasons)
  }

  private static func rows(_ tally: SideTally, _ reasons: DifferenceReasons) -> [Row] {
    var rows: [SideTally.Place: Row] = [:]
    for (cell, count) in tally.cells {
      let place = SideTally.Place(network: cell.network, app: cell.app, window: cell.window)
      var row = rows[place] ?? Row(network: cell.network, app: cell.app, window: cell.window)
      row.add(cell, count, reasons.reason(cell))
      rows[place] = row
    }
    for (place, count) in tally.onlyFiles {
      rows[place, default: Row(network: place.network, app: place.app, window: place.window)].onlyFiles =
        count
    }
    for (place, delays) in tally.delays {
      rows[place]?.medianDelay = delays.quantile(0.5)
      rows[place]?.longDelay = delays.quantile(0.95)
    }
    return rows.values.sorted { ($0.network, $0.app, $0.window) < ($1.network, $1.app, $1.window) }
  }

  private static func findings(_ tally: SideTally, _ reasons: DifferenceReasons) -> [DifferenceFinding] {
    struct Key: Hashable {
      let network: String
      let app: Int64
      let reason: DifferenceReason
    }
    var found: [Key: (count: Int64, first: Instant)] = [:]
    for (cell, count) in tally.cells {
      guard let reason = reasons.reason(cell) else { continue }
      let key = Key(network: cell.network, app: cell.app, reason: reason)
      let before = found[key] ?? (0, cell.since)
      found[key] = (before.count + count, min(before.first, cell.since))
    }
    let order = Dictionary(uniqueKeysWithValues: DifferenceReason.allCases.enumerated().map { ($1, $0) })
    return found.map { key, value in
      DifferenceFinding(
        network: key.network, app: key.app, reason: key.reason, count: value.count,
        sentence: reasons.sentence(
          key.reason, network: key.network, app: key.app, firstDay: value.first.day))
    }.sorted {
      ($0.network, $0.app, order[$0.reason] ?? 0) < ($1.network, $1.app, order[$1.reason] ?? 0)
    }
  }
}

extension Crosscheck.Row {
  fileprivate mutating func add(_ cell: SideCell, _ count: Int64, _ reason: DifferenceReason?) {
    switch cell.sides {
    case .device: onlyDevices += count
    case .network: onlyNetwork += count
    case .both:
      both += count
      let fields = CrosscheckedConversion.Fields(rawValue: cell.differences)
      if fields.isEmpty { agreeing += count }
      if fields.contains(.country) { countryDiffers += count }
      // Windows after the first have coarse values only; in window 1 a coarse value means a small group.
      if fields.contains(.value) {
        if window != .first || (64...66).contains(cell.slot) {
          coarseDiffers += count
        } else {
          fineDiffers += count
        }
      }
    }
    if let reason { reasons[reason, default: 0] += count }
  }
}
