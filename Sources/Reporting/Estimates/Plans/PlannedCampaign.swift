/// A campaign as a plan sees it: what arrived of it day by day, and its money.
package struct PlannedCampaign: Sendable {
  /// Which campaign it is; those that differ in digits alone can be merged.
  package struct Place: Hashable, Comparable, Sendable {
    package let app: Int64
    package let network: String
    /// What the digits are, such as a campaign-id or the last two digits of a source identifier.
    package let kind: String
    package let digits: String

    package init(app: Int64, network: String, kind: String, digits: String) {
      self.app = app
      self.network = network
      self.kind = kind
      self.digits = digits
    }

    package static func < (a: Self, b: Self) -> Bool {
      (a.app, a.network, a.kind, a.digits) < (b.app, b.network, b.kind, b.digits)
    }

    /// The place without its digits: campaigns of one group can be merged.
    var group: Self { Self(app: app, network: network, kind: kind, digits: "") }
  }

  /// Winning first postbacks that arrived on a day.
  package struct Arrived: Equatable, Sendable {
    package var total: Double
    /// Those with a fine value.
    package var fine: Double
    /// Those with a coarse value only.
    package var coarse: Double

    package init(total: Double = 0, fine: Double = 0, coarse: Double = 0) {
      self.total = total
      self.fine = fine
      self.coarse = coarse
    }
  }

  /// Winning first postbacks without a coarse value that arrived in seven days.
  package struct Week: Equatable, Sendable {
    package let installs: Double
    /// Those with each fine value.
    package let values: [Double]

    package init(installs: Double, values: [Double]) { (self.installs, self.values) = (installs, values) }
  }

  /// Spend and revenue of the campaign, in units of one currency.
  package struct Money: Sendable {
    /// What its installs are worth; `nil` where that is not estimated.
    package var sum: EstimatedSum?
    /// What was spent on the days that are played; `nil` where no spend is known.
    package var spend: Double?
    package var costPerInstall: Double?
    package var returns: Double?
    package var returnsInterval: Interval?
    /// Whether its return is surely above or below the target, and whether it is below.
    package var isDecided = false
    package var isSurelyBelow = false
    /// The days until its return is decided, if all goes on as it is; `nil` where it is, or that is unknown.
    package var daysToDecide: Int?

    package init() {}
  }

  package let place: Place
  /// The number of the first day of arrival.
  package let firstDay: Int
  /// Consecutive UTC days of arrival.
  package let arrivals: [Arrived]
  /// Which of them a plan plays again; of a campaign that began later some are before the first.
  package let played: Range<Int>
  /// The weeks of the days that are played; none where values are of no interest.
  package let weeks: [Week]
  package let money: Money
  /// Whether it is planned; of another one the models alone learn.
  package let isAsked: Bool

  package init(
    _ place: Place, firstDay: Int, arrivals: [Arrived], played: Range<Int>, weeks: [Week] = [],
    money: Money = Money(), isAsked: Bool = true
  ) {
    self.place = place
    self.firstDay = firstDay
    self.arrivals = arrivals
    self.played = played
    self.weeks = weeks
    self.money = money
    self.isAsked = isAsked
  }

  /// What arrived on the days that are played.
  var inPlay: Arrived {
    arrivals[played.clamped(to: arrivals.indices)].reduce(into: Arrived()) { sum, day in
      sum.total += day.total
      sum.fine += day.fine
      sum.coarse += day.coarse
    }
  }
}
