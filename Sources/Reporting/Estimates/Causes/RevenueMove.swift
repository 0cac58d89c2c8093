import Numerics

/// Why decoded revenue is another one than in an earlier period, in parts that add up.
///
/// Revenue is conversions × the share of them that shows a value × the mean of what is shown, summed over campaigns. The
/// parts change one factor after the other, in a fixed order: the number of conversions, their mix of campaigns, the share
/// that is shown, the mapping, and what users are worth, all of that at the exchange rates of the earlier period, and at last
/// the rates. A campaign without conversions in the earlier period is mix.
/// `docs/methods.md` has the formulas.
package struct RevenueMove: Sendable {
  /// What a campaign had in one period, of one currency.
  package struct Counts: Equatable, Sendable {
    /// Winning conversions of the first window.
    package var conversions = 0.0
    /// Those of them with a value that the mapping knows.
    package var shown = 0.0
    /// The sum of their mid revenue, at the exchange rates of the earlier period.
    package var revenue = 0.0
    /// The sum of its squares.
    package var squares = 0.0
    /// What it is more at the rates of its own days; `nil` where nothing is converted.
    package var exchange: Double?

    /// The revenue at the rates of its own days.
    package var total: Double { revenue + (exchange ?? 0) }
    /// ``total`` by ``revenue``.
    fileprivate var exchangeFactor: Double { revenue > 0 ? total / revenue : 1 }

    package init() {}

    package mutating func add(_ other: Self) {
      conversions += other.conversions
      shown += other.shown
      revenue += other.revenue
      squares += other.squares
      if let other = other.exchange { exchange = (exchange ?? 0) + other }
    }
  }

  package enum Cause: String, Hashable, Sendable, CaseIterable {
    /// More or fewer conversions.
    case volume
    /// Other shares of campaigns.
    case mix
    /// Another share of values that are shown.
    case withheld
    /// Other rates of exchange than in the earlier period.
    case exchangeRates = "exchange-rates"
    /// Mapping versions that read the same users otherwise.
    case mapping
    /// Users that are worth more or less.
    case worth
    /// The last two, where no own users are known that distinguish them.
    case mappingOrWorth = "mapping-or-worth"
  }

  /// A campaign's two periods.
  package struct Campaign: Sendable {
    package let before: Counts
    package let after: Counts
    /// How the later period's versions read users, against the earlier one's; `nil` where that is not known.
    package let reading: Reading?

    package init(before: Counts, after: Counts, reading: Reading?) {
      (self.before, self.after, self.reading) = (before, after, reading)
    }
  }

  /// What the versions of the earlier period read for each unit that those of the later one read, of the same users.
  package struct Reading: Hashable, Sendable {
    package let ratio: Double
    /// The variance of the ratio, as own users are a sample.
    package let variance: Double

    package static let same = Reading(ratio: 1, variance: 0)

    package init(ratio: Double, variance: Double) { (self.ratio, self.variance) = (ratio, variance) }
  }

  /// An amount with the variance that chance gives it.
  package struct Part: Hashable, Sendable {
    package var amount = 0.0
    package var variance = 0.0

    /// The 90 % interval.
    package var interval: Interval {
      let half = Interval.normalReach * variance.squareRoot()
      return Interval(low: amount - half, high: amount + half)
    }

    /// How likely chance alone gives an amount at least as far from nothing; `nil` for nothing.
    fileprivate var probability: Double? {
      // Less than a millionth of the currency is what arithmetic leaves.
      guard abs(amount) >= 5e-7 else { return nil }
      return variance > 0 ? chiSquareTail(amount * amount / variance, freedom: 1) : 0
    }
  }

  /// Which parts are more than chance, decided for all of them together.
  ///
  /// Where nothing has changed, at least nine of ten sets of parts have none that is: each by its own 90 % interval, five
  /// parts would have one in up to four sets of ten.
  ///
  /// - Parameter parts: All parts that are shown together, whole changes among them, in the order of the answer.
  package static func areSure(_ parts: [Part]) -> [Bool] {
    holm(parts.map(\.probability)).map { $0.map { $0 < 0.1 } ?? false }
  }

  package let before: Counts
  package let after: Counts
  /// The whole change.
  package let change: Part
  /// The parts; either the last one is there or the two before it.
  package let parts: [Cause: Part]
  /// Of each campaign: volume and mix together under `volume`, and the other parts.
  package let ofCampaigns: [[Cause: Double]]

  package init(_ campaigns: [Campaign]) {
    var (before, after) = (Counts(), Counts())
    for campaign in campaigns {
      before.add(campaign.before)
      after.add(campaign.after)
    }
    (self.before, self.after) = (before, after)
    change = Part(
      amount: after.total - before.total,
      variance: campaigns.lazy.flatMap { [$0.before, $0.after] }.reduce(0) {
        $0 + $1.squares * $1.exchangeFactor * $1.exchangeFactor
      })
    let knowsReadings = campaigns.allSatisfy { $0.reading != nil || $0.after.shown == 0 }
    var parts: [Cause: Part] = [.volume: Part(), .mix: Part(), .withheld: Part()]
    for cause in knowsReadings ? [Cause.mapping, .worth] : [.mappingOrWorth] { parts[cause] = Part() }
    let isConverted = before.exchange != nil || after.exchange != nil
    if isConverted { parts[.exchangeRates] = Part() }
    let growth = before.conversions > 0 ? after.conversions / before.conversions : 0
    let mean = before.conversions > 0 ? before.revenue / before.conversions : 0
    // With nothing before, all is mix: there is no mean that volume could have.
    parts[.volume]?.amount = (after.conversions - before.conversions) * mean
    var readings: [Reading: Double] = [:]
    var ofCampaigns: [[Cause: Double]] = []
    for campaign in campaigns {
      let (a, b) = (campaign.before, campaign.after)
      var own: [Cause: Double] = [:]
      if isConverted {
        let exchange = (b.exchange ?? 0) - (a.exchange ?? 0)
        own[.exchangeRates] = exchange
        parts[.exchangeRates]?.amount += exchange
        for counts in [a, b] {
          let more = counts.exchangeFactor - 1
          parts[.exchangeRates]?.variance += more * more * counts.squares
        }
      }
      func add(_ cause: Cause, _ amount: Double, _ before: Slope, _ after: Slope) {
        if cause != .volume { parts[cause]?.amount += amount }
        parts[cause]?.variance += before.variance(of: a) + after.variance(of: b)
      }
      let growthSlope =
        before.conversions > 0
        ? Slope(conversions: -growth * mean, revenue: growth - 1) : Slope()
      add(.volume, 0, growthSlope, Slope(conversions: mean))
      guard a.conversions > 0 else {
        add(.mix, b.revenue, Slope(), Slope(conversions: -mean, revenue: 1))
        own[.volume] = b.revenue
        ofCampaigns.append(own)
        continue
      }
      let each = a.revenue / a.conversions
      let ratio = b.conversions / a.conversions
      add(
        .mix, b.conversions * each - growth * a.revenue,
        Slope(conversions: growth * mean - ratio * each, revenue: ratio - growth),
        Slope(conversions: each - mean))
      own[.volume] = (b.conversions - a.conversions) * each
      guard a.shown > 0 else {
        // Nothing was shown before: what is shown now is no longer withheld.
        add(.withheld, b.revenue, Slope(), Slope(revenue: 1))
        own[.withheld] = b.revenue
        ofCampaigns.append(own)
        continue
      }
      let worth = a.revenue / a.shown
      let shownRatio = b.shown / a.shown
      let withheld = b.shown * worth - b.conversions * each
      add(
        .withheld, withheld,
        Slope(conversions: ratio * each, shown: -shownRatio * worth, revenue: shownRatio - ratio),
        Slope(conversions: -each, shown: worth))
      own[.withheld] = withheld
      let lastBefore = Slope(shown: shownRatio * worth, revenue: -shownRatio)
      if knowsReadings {
        let reading = campaign.reading ?? .same
        add(
          .mapping, (1 - reading.ratio) * b.revenue, Slope(), Slope(revenue: 1 - reading.ratio))
        add(
          .worth, reading.ratio * b.revenue - b.shown * worth, lastBefore,
          Slope(shown: -worth, revenue: reading.ratio))
        readings[reading, default: 0] += b.revenue
        own[.mapping] = (1 - reading.ratio) * b.revenue
        own[.worth] = reading.ratio * b.revenue - b.shown * worth
      } else {
        add(.mappingOrWorth, b.revenue - b.shown * worth, lastBefore, Slope(shown: -worth, revenue: 1))
        own[.mappingOrWorth] = b.revenue - b.shown * worth
      }
      ofCampaigns.append(own)
    }
    // A wrong ratio is wrong for all campaigns that it is of.
    for (reading, revenue) in readings {
      for cause in [Cause.mapping, .worth] { parts[cause]?.variance += revenue * revenue * reading.variance }
    }
    self.parts = parts
    self.ofCampaigns = ofCampaigns
  }

  /// How a part changes with the counts of a campaign's period.
  private struct Slope {
    var conversions = 0.0
    var shown = 0.0
    var revenue = 0.0

    /// The variance of the part where conversions are Poisson distributed, those shown are a part of them, and each has a
    /// revenue of its own (delta method).
    func variance(of counts: Counts) -> Double {
      let (n, s, x) = (conversions, shown, revenue)
      return n * n * counts.conversions + (s * s + 2 * n * s) * counts.shown + x * x * counts.squares
        + 2 * (n + s) * x * counts.revenue
    }
  }
}
