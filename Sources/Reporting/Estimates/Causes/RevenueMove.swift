import Numerics

/// Why estimated revenue is another one than in an earlier period, in parts that add up.
///
/// Revenue is conversions × what they are worth on average, withheld values estimated, summed over campaigns. The parts change
/// one factor after the other, in a fixed order: the number of conversions, their mix of campaigns, and what they are worth, all
/// of that at the exchange rates of the earlier period, and at last the rates. A campaign without conversions in the earlier
/// period is mix.
/// `docs/methods.md` has the formulas.
package struct RevenueMove: Sendable {
  /// What a campaign had in one period, of one currency.
  package struct Counts: Equatable, Sendable {
    /// Winning conversions of the first window.
    package var conversions: Double
    /// What they are worth together, at the exchange rates of the earlier period.
    package var revenue: Double
    /// The sum of the squares of what each is worth, at these rates.
    package var squares: Double
    /// What the revenue is more at the rates of its own days; `nil` where nothing is converted.
    package var exchange: Double?

    /// The revenue at the rates of its own days.
    package var total: Double { revenue + (exchange ?? 0) }
    /// ``total`` by ``revenue``.
    fileprivate var exchangeFactor: Double { revenue > 0 ? total / revenue : 1 }

    package init(
      conversions: Double = 0, revenue: Double = 0, squares: Double = 0, exchange: Double? = nil
    ) {
      self.conversions = conversions
      self.revenue = revenue
      self.squares = squares
      self.exchange = exchange
    }

    fileprivate mutating func add(_ other: Self) {
      conversions += other.conversions
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
    /// Users that are worth more or less.
    case worth
    /// The same, where versions of the mapping that state the worths can have read the same users otherwise.
    case mappingOrWorth = "mapping-or-worth"
    /// Other rates of exchange than in the earlier period.
    case exchangeRates = "exchange-rates"
  }

  /// A campaign's two periods.
  package struct Campaign: Sendable {
    package let before: Counts
    package let after: Counts

    package init(before: Counts, after: Counts) { (self.before, self.after) = (before, after) }

    /// Whether the earlier period has conversions that show what one is worth; less than one is what the days of installs near
    /// its end leave open.
    fileprivate var isOld: Bool { before.conversions >= 1 }
    /// How often the later period has the conversions of the earlier one.
    fileprivate var growth: Double { isOld ? after.conversions / before.conversions : 0 }
  }

  /// What the estimates of one period leave open.
  package struct Openness: Sendable {
    /// Draws of an amount, in two parts.
    package struct Draws: Sendable {
      /// What it is in each draw because of what values are worth, in both periods alike.
      fileprivate var common: [Double]
      /// The rest, which nothing joins with that of the other period.
      fileprivate var rest: [Double]

      /// - Parameters:
      ///   - draws: The draws; none where nothing is open.
      ///   - common: What all campaigns share in each of them; all is of the rest where there are not as many.
      package init(_ draws: [Double] = [], common: [Double] = []) {
        self.common = common.count == draws.count ? common : draws.map { _ in 0 }
        rest = zip(draws, self.common).map(-)
      }

      fileprivate static func * (factor: Double, draws: Self) -> Self {
        var product = draws
        for draw in draws.rest.indices {
          product.common[draw] *= factor
          product.rest[draw] *= factor
        }
        return product
      }

      fileprivate static func - (a: Self, b: Self) -> Self {
        if b.rest.isEmpty { return a }
        var difference = a.rest.isEmpty ? 0 * b : a
        for draw in b.rest.indices where draw < difference.rest.count {
          difference.common[draw] -= b.common[draw]
          difference.rest[draw] -= b.rest[draw]
        }
        return difference
      }
    }

    /// The draws of the revenue of all campaigns, each counted as often as stated, 0 times or more.
    let draws: @Sendable ([Double]) -> Draws
    /// By how much intervals are wider than draws, in variance.
    let widening: Double

    package init(widening: Double, draws: @escaping @Sendable ([Double]) -> Draws) {
      (self.widening, self.draws) = (widening, draws)
    }

    package static let nothing = Self(widening: 1) { _ in Draws() }

    /// The variance of what a later amount is more than an earlier one.
    ///
    /// What values are worth is unknown, but the same in both periods, so its draws are subtracted one by one.
    fileprivate static func variance(from before: (Self, Draws), to after: (Self, Draws)) -> Double {
      let common = after.1 - before.1
      return max(before.0.widening, after.0.widening) * common.common.variance
        + before.0.widening * before.1.rest.variance + after.0.widening * after.1.rest.variance
    }
  }

  /// An amount with the variance that chance and the estimates give it.
  package struct Part: Hashable, Sendable {
    package var amount = 0.0
    package var variance = 0.0
    /// The variance if the cause had changed nothing; `nil` where it is the same.
    var varianceOfNothing: Double?

    /// The 90 % interval.
    package var interval: Interval {
      let half = Interval.normalReach * variance.squareRoot()
      let interval = Interval(low: amount - half, high: amount + half)
      // However little it is known how much it is, it is more or less than nothing where chance alone is not as far from it.
      guard varianceOfNothing != nil, let probability, probability < Self.rarely else { return interval }
      return amount > 0
        ? Interval(low: max(0, interval.low), high: interval.high)
        : Interval(low: interval.low, high: min(0, interval.high))
    }

    /// How often chance alone may be taken for a change.
    fileprivate static let rarely = 0.1

    /// How likely chance alone gives an amount at least as far from nothing; `nil` for nothing.
    fileprivate var probability: Double? {
      // Less than a millionth of the currency is what arithmetic leaves.
      guard abs(amount) >= 5e-7 else { return nil }
      let variance = varianceOfNothing ?? variance
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
    holm(parts.map(\.probability)).map { $0.map { $0 < Part.rarely } ?? false }
  }

  /// The whole change.
  package private(set) var change = Part()
  package private(set) var parts: [Cause: Part] = [.volume: Part(), .mix: Part()]
  /// Of each campaign: volume and mix together under `volume`, and the other parts.
  package private(set) var ofCampaigns: [[Cause: Double]] = []

  /// Divides a change.
  ///
  /// - Parameters:
  ///   - knowsMapping: Whether no other version of a mapping can have read the same users otherwise.
  package init(
    _ campaigns: [Campaign], knowsMapping: Bool, before: Openness = .nothing, after: Openness = .nothing
  ) {
    var sums = (before: Counts(), after: Counts())
    for campaign in campaigns {
      sums.before.add(campaign.before)
      sums.after.add(campaign.after)
    }
    change.amount = sums.after.total - sums.before.total
    let worth = knowsMapping ? Cause.worth : .mappingOrWorth
    parts[worth] = Part()
    if sums.before.exchange != nil || sums.after.exchange != nil { parts[.exchangeRates] = Part() }
    let growth = sums.before.conversions > 0 ? sums.after.conversions / sums.before.conversions : 0
    let mean = sums.before.conversions > 0 ? sums.before.revenue / sums.before.conversions : 0
    // By how much more or fewer they are worth is as open as what they are worth, that they are more or fewer is not.
    parts[.volume]?.varianceOfNothing = mean * mean * (sums.before.conversions + sums.after.conversions)
    for campaign in campaigns {
      let (a, b) = (campaign.before, campaign.after)
      var own: [Cause: Double] = [:]
      func add(_ cause: Cause, _ amount: Double, _ before: Slope, _ after: Slope) {
        parts[cause]?.amount += amount
        parts[cause]?.variance += before.variance(of: a) + after.variance(of: b)
      }
      add(
        .volume, (growth - 1) * a.revenue,
        Slope(conversions: -growth * mean, revenue: growth - 1), Slope(conversions: mean))
      let each = campaign.isOld ? a.revenue / a.conversions : 0
      if campaign.isOld {
        add(
          .mix, b.conversions * each - growth * a.revenue,
          Slope(conversions: growth * mean - campaign.growth * each, revenue: campaign.growth - growth),
          Slope(conversions: each - mean))
        add(
          worth, b.revenue - b.conversions * each,
          Slope(conversions: campaign.growth * each, revenue: -campaign.growth),
          Slope(conversions: -each, revenue: 1))
        own[.volume] = b.conversions * each - a.revenue
        own[worth] = b.revenue - b.conversions * each
      } else {
        add(
          .mix, b.revenue - growth * a.revenue, Slope(conversions: growth * mean, revenue: -growth),
          Slope(conversions: -mean, revenue: 1))
        own[.volume] = b.revenue - a.revenue
      }
      for counts in [a, b] {
        let factor = counts.exchangeFactor
        change.variance += counts.squares * factor * factor
        parts[.exchangeRates]?.variance += counts.squares * (factor - 1) * (factor - 1)
      }
      if parts[.exchangeRates] != nil {
        let exchange = (b.exchange ?? 0) - (a.exchange ?? 0)
        own[.exchangeRates] = exchange
        parts[.exchangeRates]?.amount += exchange
      }
      ofCampaigns.append(own)
    }
    addOpenness(of: campaigns, growth, sums, worth, before, after)
  }

  /// Adds what estimates leave open of each part.
  private mutating func addOpenness(
    of campaigns: [Campaign], _ growth: Double, _ sums: (before: Counts, after: Counts), _ worth: Cause,
    _ before: Openness, _ after: Openness
  ) {
    let whole = before.draws(campaigns.map { 1 / $0.before.exchangeFactor })
    // Where no campaign goes on, or none is new, there are no draws.
    let grown = before.draws(campaigns.map { $0.growth / $0.before.exchangeFactor })
    let later = after.draws(campaigns.map { 1 / $0.after.exchangeFactor })
    let ofNew = after.draws(campaigns.map { $0.isOld ? 0 : 1 / $0.after.exchangeFactor })
    let none = Openness.Draws()
    let factors = (before: sums.before.exchangeFactor, after: sums.after.exchangeFactor)
    func variance(_ first: Openness.Draws, _ second: Openness.Draws) -> Double {
      Openness.variance(from: (before, first), to: (after, second))
    }
    parts[.volume]?.variance += variance((growth - 1) * whole, none)
    parts[.mix]?.variance += variance(growth * whole - grown, ofNew)
    parts[worth]?.variance += variance(grown, later - ofNew)
    parts[.exchangeRates]?.variance += variance(none, (factors.after - 1) * later)
    change.variance += variance(factors.before * whole, factors.after * later)
  }

  /// How a part changes with the counts of a campaign's period.
  private struct Slope {
    var conversions = 0.0
    var revenue = 0.0

    /// The variance of the part where conversions are Poisson distributed and each has a worth of its own (delta method).
    func variance(of counts: Counts) -> Double {
      conversions * conversions * counts.conversions + revenue * revenue * counts.squares
        + 2 * conversions * revenue * counts.revenue
    }
  }
}
