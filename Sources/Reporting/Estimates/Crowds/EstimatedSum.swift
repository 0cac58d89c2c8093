package import Values

/// What days of groups are worth together, and how certain that is.
package final class EstimatedSum: Sendable {
  /// One day of a group.
  package struct Part: Sendable {
    let crowd: EstimatedCrowd
    /// The index of the day in the group.
    let day: Int
    /// What one unit of the worths counts as, such as a rate of exchange.
    let scale: Double

    package init(_ crowd: EstimatedCrowd, day: Int, scale: Double = 1) {
      self.crowd = crowd
      self.day = day
      self.scale = scale
    }

    /// Winning first postbacks, expected to be of the day.
    package var installs: Double {
      let cell = crowd.cells[day]
      return crowd.counts.cells[day].revealedTotal + cell.nulls + cell.coarse + cell.unmapped
    }

    /// What all of them are worth; `nil` without evidence.
    package var estimate: Double? {
      crowd.estimate.cells[day].total.map { scale * ($0 + crowd.cells[day].coarseWorth) }
    }
  }

  /// Winning first postbacks, expected to be of these days.
  package let installs: Double
  /// Those of them that are of first installs, and not of redownloads or re-engagements.
  package let firstInstalls: Double
  /// Those of them without a value.
  package let nulls: Double
  /// Those of them with a coarse value only.
  package let coarse: Double
  /// Those of them with a value that the mapping does not have.
  package let unmapped: Double
  /// The share of nulls among postbacks without a value or with a mapped fine one; `nil` without such postbacks.
  package let nullShare: Double?
  /// What the values shown are worth.
  package let decoded: Double
  /// What all are worth; `nil` without evidence, or where nothing of the one campaign is shown.
  package let estimate: Double?
  /// What all are worth in a sum with others; `nil` without evidence.
  package let total: Double?
  let awaited: AwaitedInterval
  let parts: [Part]
  /// The share of the estimate that withheld values make up.
  package let imputedShare: Double?
  /// The estimate if withheld values are worth 30 per cent less or more than in the model.
  package let sensitivity: Interval?
  /// The estimate if all users with a fine value are at the low end of its range in the mapping, or at the high end.
  ///
  /// It is infinite above where a value is open; `nil` without an estimate, or where own users show where users are.
  package let rangeEnds: Interval?
  /// The least and the most it can be, whatever the withheld values are.
  package let worstCase: Interval
  /// The advertiser's own users whose worths it rests on; 0 where the mapping alone states what values are worth.
  package let ownUsers: Int
  /// How few of the own users have much of the revenue; `nil` where they are many, or none is known.
  package let carriers: RevenueCarriers?
  /// What to know before using the numbers.
  package let flags: Set<EstimateFlag>

  /// The sum of no days: no installs, and no estimate.
  package static let ofNothing = EstimatedSum()

  private init() {
    (installs, firstInstalls, nulls, coarse, unmapped, nullShare, decoded) = (0, 0, 0, 0, 0, nil, 0)
    (estimate, total, imputedShare, sensitivity, rangeEnds) = (nil, nil, nil, nil, nil)
    awaited = AwaitedInterval(isCheap: true) { nil }
    parts = []
    worstCase = Interval(low: 0, high: 0)
    (ownUsers, flags, carriers) = (0, [], nil)
  }

  /// The 90 % interval; `nil` without evidence.
  ///
  /// - Complexity: Of very many campaigns, its draws are made when it is first asked for.
  package var interval: Interval? { awaited.value?.interval }

  /// Whether its draws are made, or are those of few days of campaigns.
  package var isIntervalCheap: Bool { awaited.isMade || parts.count <= Self.fewParts }

  private static let fewParts = 8

  /// Adds up; `nil` where there are no installs.
  ///
  /// The flags of a campaign also hold for a sum of its days, but not for a sum of several campaigns (`isOfOneCampaign` is
  /// false).
  package init?(_ parts: [Part], isOfOneCampaign: Bool) {
    var (installs, nulls, coarse, unmapped, decoded, extra) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var firstInstalls = 0.0
    var imputed: Double? = 0
    var (lowEnd, highEnd): (Double?, Double?) = (0, 0)
    var (least, most, prior, revealed) = (0.0, 0.0, 0.0, 0.0)
    var flags: Set<EstimateFlag> = []
    var draws: [Double]? = nil
    var canDraw = true
    var later = LaterDraws()
    var bases: [ObjectIdentifier: Int] = [:]
    for part in parts {
      let (crowd, scale) = (part.crowd, part.scale)
      bases[ObjectIdentifier(crowd.basis)] = crowd.basis.ownUsers
      let cell = crowd.cells[part.day]
      let counts = crowd.counts.cells[part.day]
      let estimate = crowd.estimate.cells[part.day]
      installs += counts.revealedTotal + cell.nulls + cell.coarse + cell.unmapped
      firstInstalls += cell.firstInstalls
      revealed += counts.revealedTotal
      nulls += cell.nulls
      coarse += cell.coarse
      unmapped += cell.unmapped
      decoded += scale * (estimate.decoded + cell.coarseWorth)
      extra += scale * cell.coarseWorth
      imputed = imputed.flatMap { sum in estimate.imputed.map { sum + scale * $0 } }
      let ends = lowEnd == nil ? nil : crowd.ends(ofDay: part.day)
      func added(_ sum: Double?, _ end: Double?) -> Double? {
        sum.flatMap { sum in end.map { sum + scale * ($0 + cell.coarseWorth) } }
      }
      (lowEnd, highEnd) = (added(lowEnd, ends?.low), added(highEnd, ends?.high))
      let worst = counts.worstCase(crowd.basis.worth, ends: crowd.basis.worst)
      least += scale * (worst.low + cell.coarseWorth)
      most += scale * (worst.high + cell.coarseWorth)
      prior += scale * (counts.revealedTotal + cell.nulls) * crowd.basis.appMean
      if crowd.basis.isOpen(counts) { flags.insert(.openEnded) }
      if isOfOneCampaign { flags.formUnion(crowd.estimate.flags.subtracting([.nothingRevealed])) }
      if let values = crowd.draws?.cell(part.day) {
        let known = draws ?? [Double](repeating: 0, count: values.count)
        draws = zip(known, values).map { $0 + scale * $1 }
      } else if crowd.drawsLater {
        later.add(part)
      } else {
        canDraw = false
      }
    }
    if installs == 0 { return nil }
    if nulls > 0, !parts.contains(where: { $0.crowd.counts.revealedTotal > 0 }) {
      flags.insert(.nothingRevealed)
    }
    let share = revealed + nulls > 0 ? nulls / (revealed + nulls) : nil
    let total = imputed.map { decoded + $0 }
    if canDraw {
      let recalibration = parts[0].crowd.basis.recalibration
      awaited = AwaitedInterval(isCheap: later.isEmpty) { [draws, later, prior, least, extra] in
        let draws = (later.isEmpty ? draws : later.added(to: draws)).map(DayEdges(of: parts).added)
        guard let draws, var interval = Interval(of: draws, holding: total.map { $0 - extra }) else {
          return nil
        }
        if let recalibration {
          interval = recalibration.apply(
            to: interval, priorMean: prior, nullShare: share ?? 0, least: least - extra)
        }
        return .init(
          interval: Interval(low: interval.low + extra, high: interval.high + extra),
          variance: draws.variance)
      }
    } else {
      awaited = AwaitedInterval(isCheap: true) { nil }
    }
    self.parts = parts
    let mayBeShownAlone = flags.isDisjoint(with: [.nothingRevealed, .noEvidence])
    self.installs = installs
    self.firstInstalls = firstInstalls
    self.nulls = nulls
    self.coarse = coarse
    self.unmapped = unmapped
    nullShare = share
    self.decoded = decoded
    self.total = total
    estimate = mayBeShownAlone ? total : nil
    imputedShare = imputed.flatMap { imputed in total.flatMap { $0 > 0 ? imputed / $0 : nil } }
    sensitivity = imputed.map { Interval(low: decoded + 0.7 * $0, high: decoded + 1.3 * $0) }
    rangeEnds =
      mayBeShownAlone ? lowEnd.flatMap { low in highEnd.map { Interval(low: low, high: $0) } } : nil
    worstCase = Interval(low: least, high: most)
    ownUsers = bases.values.reduce(0, +)
    carriers = parts.compactMap(\.crowd.basis.worth.carriers).max { $0.deviation < $1.deviation }
    self.flags = flags
  }
}

extension EstimatedSum {
  /// The installs that count at the mapping's amounts, because no own user of their version is known.
  package var statedInstalls: Double {
    parts.reduce(0) { $1.crowd.basis.ownUsers == 0 ? $0 + $1.installs : $0 }
  }

  /// The draws of what all are worth, coarse values as known amounts; `nil` without evidence.
  ///
  /// Draw number b of every sum belongs to one and the same world, so that draws of sums add up.
  package var draws: [Double]? { Self.draws(of: [(self, 1)]) }

  /// The draws of what sums come to together; `nil` without evidence.
  ///
  /// - Parameter sums: Sums of different campaigns, each with how often it counts, 0 or more.
  package static func draws(of sums: [(sum: EstimatedSum, weight: Double)]) -> [Double]? {
    let parts = sums.filter { $0.weight > 0 }.flatMap { sum, weight in
      sum.parts.map { Part($0.crowd, day: $0.day, scale: weight * $0.scale) }
    }
    var draws: [Double]?
    var later = LaterDraws()
    var known = 0.0
    for part in parts {
      known += part.scale * part.crowd.cells[part.day].coarseWorth
      if let values = part.crowd.draws?.cell(part.day) {
        var added = draws ?? [Double](repeating: 0, count: values.count)
        draws = nil
        for index in added.indices { added[index] += part.scale * values[index] }
        draws = added
      } else if part.crowd.basis.drawsLater {
        later.add(part)
      } else {
        return nil
      }
    }
    return (later.isEmpty ? draws : later.added(to: draws))
      .map(DayEdges(of: parts).added)?.map { $0 + known }
  }

  /// What users are worth if only their number is known, as those of a campaign whose values are all withheld; `nil`
  /// without evidence.
  ///
  /// Their interval is widened as that of such a campaign is.
  package func unknownUsers(_ count: Double) -> (estimate: Double, draws: [Double], interval: Interval)? {
    guard let part = parts.max(by: { $0.crowd.counts.total < $1.crowd.counts.total }),
      let model = part.crowd.basis.model
    else { return nil }
    let users = RevealedCounts(
      name: "\u{1}", revealed: [Double](repeating: 0, count: model.set.worth.buckets.count), nulls: count)
    let estimate = part.scale * count * part.crowd.basis.appMean
    let draws = model.draws(of: users).total.map { part.scale * $0 }
    guard let raw = Interval(of: draws, holding: estimate) else { return nil }
    let interval = part.crowd.basis.recalibration?.apply(to: raw, priorMean: estimate, nullShare: 1, least: 0)
    return (estimate, draws, interval ?? raw)
  }
}

/// Days of groups whose draws are made when they are asked for.
private struct LaterDraws {
  private var places: [ObjectIdentifier: Int] = [:]
  private var groups: [(crowd: EstimatedCrowd, part: PredictiveModel.Part)] = []

  var isEmpty: Bool { groups.isEmpty }

  mutating func add(_ part: EstimatedSum.Part) {
    let cell = (index: part.day, scale: part.scale)
    if let place = places[ObjectIdentifier(part.crowd)] {
      groups[place].part.cells.append(cell)
    } else {
      places[ObjectIdentifier(part.crowd)] = groups.count
      groups.append(
        (
          part.crowd,
          PredictiveModel.Part(campaign: part.crowd.counts, withheld: part.crowd.withheld, cells: [cell])
        ))
    }
  }

  /// Adds their draws to those of other groups.
  func added(to draws: [Double]?) -> [Double]? {
    var sums = draws
    var bases: [ObjectIdentifier] = []
    for group in groups where !bases.contains(ObjectIdentifier(group.crowd.basis)) {
      bases.append(ObjectIdentifier(group.crowd.basis))
    }
    for basis in bases {
      let own = groups.filter { ObjectIdentifier($0.crowd.basis) == basis }
      guard let drawn = own[0].crowd.basis.model?.draws(ofSumOver: own.map(\.part)) else { continue }
      sums = sums.map { zip($0, drawn).map(+) } ?? drawn
    }
    return sums
  }
}
