import Estimates
import Ledger
import Postbacks
import Values

/// Finds for each group of conversions the one reason why its two sides differ.
///
/// Reasons are tried in an order, the surest first, and each conversion gets exactly one; so they add up to the
/// differences.
struct DifferenceReasons {
  /// The number of pairs from which on their delays define what is late.
  static let enoughPairs: Int64 = 20
  /// Hours that count as late where there are too few pairs: networks that pass on in daily batches need up to two
  /// days.
  static let usualHours: Int64 = 48
  /// Hours that count as late at most: devices try again for nine days.
  static let longestHours: Int64 = 9 * 24

  private let tally: SideTally
  private let now: Instant
  /// Hours within which the missing side may still come: of the network, then of devices.
  private let lateness: [String: (forward: Int64, copy: Int64)]
  private let appsThatStopped: Set<Int64>
  private let appsThatBegan: Set<Int64>

  init(_ tally: SideTally, now: Instant) {
    self.tally = tally
    self.now = now
    var delays: [String: DelayCounts] = [:]
    for (place, counts) in tally.delays {
      delays[place.network] = (delays[place.network] ?? DelayCounts()) + counts
    }
    lateness = delays.compactMapValues { counts in
      guard counts.count >= Self.enoughPairs else { return nil }
      return (Self.hours(counts.quantile(0.95)), Self.hours(counts.quantile(0.05).map { -$0 }))
    }
    (appsThatStopped, appsThatBegan) = Self.turns(tally, now: now)
  }

  private static func hours(_ minutes: Int64?) -> Int64 {
    min(max(((minutes ?? 0) + 59) / 60, 1), longestHours)
  }

  /// Hours within which a network's copy may still come, or a device's.
  func hours(_ network: String, of sides: SideCell.Sides) -> Int64 {
    guard let known = lateness[network] else { return Self.usualHours }
    return sides == .device ? known.forward : known.copy
  }

  /// The reason of a group; `nil` where its sides agree.
  func reason(_ cell: SideCell) -> DifferenceReason? {
    switch cell.sides {
    case .both:
      let fields = CrosscheckedConversion.Fields(rawValue: cell.differences)
      if fields.contains(.value) { return .valuesChanged }
      if fields.contains(.country) { return .countryChanged }
      return fields.isEmpty ? nil : .fieldsChanged
    case .device:
      if cell.isRejected { return .rejectedForward }
      if isLate(cell) { return .late }
      return tally.forwardSpans[cell.network] == nil ? .noForwards : .networkWithholds
    case .network:
      if cell.isRejected { return .rejectedCopy }
      // At a network's own address devices deliver losing postbacks, too.
      if !cell.isWon, !tally.networksWithAddress.contains(cell.network) { return .notWon }
      if Self.isOld(cell.version) { return .oldVersion }
      if isLate(cell) { return .late }
      guard let span = tally.deviceSpans[cell.app] else { return .noDeviceCopies }
      if appsThatBegan.contains(cell.app), cell.since.day < span.first.day { return .copiesNotBegun }
      if appsThatStopped.contains(cell.app), cell.since.day > span.last.day { return .copiesStopped }
      return .unexplained
    }
  }

  /// Whether the values of a group can be compared: those that neither side had a known reason to miss.
  func isComparable(_ cell: SideCell) -> Bool {
    guard cell.isWon else { return false }
    switch reason(cell) {
    case nil, .unexplained, .networkWithholds, .valuesChanged, .countryChanged, .fieldsChanged: return true
    default: return false
    }
  }

  private static func isOld(_ version: ProtocolVersion) -> Bool {
    switch version {
    case .v1_0, .v2_0, .v2_1: true
    case .v2_2, .v3_0, .v4_0, .adAttributionKit: false
    }
  }

  private func isLate(_ cell: SideCell) -> Bool {
    now.milliseconds - cell.since.milliseconds < hours(cell.network, of: cell.sides) * 3_600_000
  }

  /// The apps whose copies ended, and those whose copies began, inside the days that were asked for.
  ///
  /// The conversions beyond the last copy (before the first) have to be so many that, at the share of conversions with
  /// a copy in between, a row of that many without one happens less than once in a thousand times.
  private static func turns(_ tally: SideTally, now: Instant) -> (stopped: Set<Int64>, began: Set<Int64>) {
    struct Counts {
      var copied = 0.0, inside = 0.0, before = 0.0, after = 0.0
    }
    var apps: [Int64: Counts] = [:]
    for (cell, count) in tally.cells where cell.sides != .device && cell.isWon && !isOld(cell.version) {
      guard let span = tally.deviceSpans[cell.app] else { continue }
      var counts = apps[cell.app] ?? Counts()
      switch cell.since.day {
      case _ where cell.sides == .both:
        counts.copied += Double(count)
        counts.inside += Double(count)
      case ..<span.first.day: counts.before += Double(count)
      case span.last.day.next...:
        if now.milliseconds - cell.since.milliseconds >= usualHours * 3_600_000 {
          counts.after += Double(count)
        }
      default: counts.inside += Double(count)
      }
      apps[cell.app] = counts
    }
    func isTurn(_ counts: Counts, _ beyond: Double) -> Bool {
      // One more of each, so that a few copies are no certainty.
      let missing = 1 - (counts.copied + 1) / (counts.inside + 2)
      return beyond > 0 && isRunUnlikely(beyond, eachWith: missing, below: 0.001)
    }
    return (
      Set(apps.filter { isTurn($0.value, $0.value.after) }.keys),
      Set(apps.filter { isTurn($0.value, $0.value.before) }.keys)
    )
  }
}

extension DifferenceReasons {
  func sentence(_ reason: DifferenceReason, network: String, app: Int64, firstDay: Day) -> Sentence {
    let copies = tally.deviceSpans[app]
    let forwards = tally.forwardSpans[network]
    switch reason {
    case .notWon: return Sentence("they did not win, and devices copy winning postbacks only: no difference")
    case .oldVersion:
      return Sentence("their version is below 2.2, and copies begin with iOS 15: no difference")
    case .rejectedForward:
      return Sentence("the network copies arrived and were rejected, for example without their signature")
    case .rejectedCopy: return Sentence("the device copies arrived and were rejected")
    case .late:
      let (forward, copy) = (hours(network, of: .device), hours(network, of: .network))
      return
        Sentence(
          "the other side's copy may still arrive: the network's within \(forward) h, devices' within \(copy) h"
        )
    case .noDeviceCopies:
      return
        Sentence(
          "no device copy of the app arrived since \(firstDay): the app's Info.plist key is missing, or its domain "
            + "does not lead here")
    case .copiesNotBegun:
      return
        Sentence(
          "they arrived before the first device copy of the app on \(code: copies.map { "\($0.first.day)" } ?? "")"
        )
    case .copiesStopped:
      return
        Sentence(
          "device copies of the app ended on \(code: copies.map { "\($0.last.day)" } ?? ""): check the address, its "
            + "certificate and the app's last release")
    case .noForwards: return Sentence("the network forwarded nothing in these days")
    case .networkWithholds:
      return .joined(
        [
          Sentence("the network did not forward them, although it forwarded others until"),
          Sentence(name: forwards.map { "\($0.last.day)" } ?? ""), Sentence("and the time for it is over"),
        ], by: " ")
    case .valuesChanged:
      return Sentence("both copies are genuine and their values differ, which Apple does not sign")
    case .countryChanged:
      return Sentence("both copies are genuine and their countries differ, which Apple does not sign")
    case .fieldsChanged: return Sentence("both copies are genuine and differ in another field")
    case .unexplained: return Sentence("nothing in the database explains why devices did not copy them")
    }
  }
}
