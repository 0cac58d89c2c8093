import EstimateReports
import Ledger
package import Postbacks
package import Values

/// The findings of a week, for people who do not look at reports: what surely changed, what is sure, what to look at.
///
/// Each line leads to a page. The same database gives the same digest.
package struct Digest: Equatable, Sendable {
  /// A finding, and the page that has it.
  package struct Line: Equatable, Sendable {
    package let text: Sentence
    /// A path with a query.
    package let address: String
  }

  /// What installs of seven days and of the seven days before have in one currency, up to one time since the install.
  package struct Figures: Equatable, Sendable {
    package let currency: String
    let horizon: EstimateHorizon
    /// Winning ones, expected to be of the days.
    package let conversions: Double
    package let conversionsBefore: Double
    /// Estimated revenue; `nil` where there is no estimate.
    package let revenue: Amount?
    package let revenueBefore: Amount?
    /// The share of withheld values; `nil` without conversions that could have a value.
    package let nullShare: Double?
    package let nullShareBefore: Double?
  }

  /// The first day of the week, a Monday.
  package let monday: Day
  package let environment: Environment
  package let apps: [AppID]
  /// The finding of the week in a few words.
  package internal(set) var subject = Sentence("No sure change")
  package internal(set) var figures: [Figures] = []
  /// By currency and horizon.
  package internal(set) var money: [Money] = []
  package internal(set) var changed: [Line] = []
  package internal(set) var sure: [Line] = []
  package internal(set) var lookAt: [Line] = []
  /// What a reader has to know of the figures.
  package internal(set) var notes: [Sentence] = []

  /// The last day of the week.
  package var sunday: Day { Day(number: monday.number + 6) }
  /// The Monday after the week.
  package var end: Day { Day(number: monday.number + 7) }

  /// The number of the week by ISO 8601: that of the year's week with the same Thursday.
  package var weekNumber: Int {
    let thursday = Day(number: monday.number + 3)
    let year = Day("\(thursday.year)-01-01")?.number ?? thursday.number
    return Int(thursday.number - year) / 7 + 1
  }

  /// The days in words: `16 to 22 Nov 2026`.
  package var days: Sentence {
    let whole = Sentence("\(words: monday) to \(words: sunday)")
    let (from, to) = (monday.words(hasYear: true), sunday.words(hasYear: true))
    let number = from.prefix { $0 != " " }
    guard from.dropFirst(number.count) == to.drop(while: { $0 != " " }) else { return whole }
    // English names the month once.
    return Sentence(key: whole.key, arguments: whole.arguments, english: "\(number) to \(to)")
  }

  init(monday: Day, environment: Environment, apps: [AppID]) {
    (self.monday, self.environment, self.apps) = (monday, environment, apps)
  }

  /// The Monday of the last week that is over at a moment.
  package static func lastWeek(before now: Instant) -> Day { Day(number: now.day.monday.number - 7) }
}
