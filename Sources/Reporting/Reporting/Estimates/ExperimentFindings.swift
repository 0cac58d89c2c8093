package import Arguments
import Estimates
package import Ledger
import MappingLibrary
import Postbacks
package import Values

/// What the comparison of two campaigns comes to, as a page shows it.
package struct ExperimentFindings: Sendable {
  /// A difference of B's mean and A's, with its interval where there are values enough.
  package struct Difference: Sendable {
    package let mid: Double
    package let bounds: (low: Double, high: Double)?
  }

  package struct Arm: Sendable {
    package let letter: String
    package let network: String
    package let campaign: String
    package let installs: Int64
    package let shown: Int64
    package let nulls: Int64
    package let coarse: Int64
    package let unmapped: Int64
    /// Mean and standard deviation of what is compared; `nil` with too few values.
    package let mean: Double?
    package let spread: Double?
    package let compared: Int64
  }

  package enum Verdict: Sendable {
    /// B's mean is higher.
    case higher
    /// B's mean is lower.
    case lower
    case tooFew
    /// The sequence still contains 0.
    case open
  }

  package let arms: [Arm]
  package let verdict: Verdict
  /// The first look whose interval excludes 0, which decided; `nil` while the verdict is open.
  package let decided: (day: Day, difference: Difference)?
  /// The difference within days, whose interval holds at every look; `nil` without days that both arms have.
  package let sequence: Difference?
  /// The difference over all users, whose interval holds for one look at a size that was planned; `nil` where an arm has
  /// no value.
  package let oneLook: Difference?
  package let looks: [(day: Day, difference: Difference)]
  /// Whether B's share of the installs changes from day to day, which biases ``oneLook``.
  package let isSplitChanging: Bool
  /// Whether campaigns of both kinds were counted as one.
  package let hasBothKinds: Bool
  package let measure: String
  /// Whether what is compared are shares of users.
  package let areShares: Bool
  /// Values of an arm before the sequence has a result.
  package static var fewest: Int { Int(ExperimentComparison.fewestUsers) }

  init(_ result: ExperimentResult) {
    let comparison = result.comparison
    func arm(
      _ letter: String, _ name: ExperimentArms.Name, _ counts: ExperimentArms.Counts, _ moments: SampleMoments
    ) -> Arm {
      Arm(
        letter: letter, network: name.network, campaign: name.campaign, installs: counts.installs,
        shown: counts.shown, nulls: counts.nulls, coarse: counts.coarse, unmapped: counts.unmapped,
        mean: moments.count > 0 ? moments.mean : nil,
        spread: moments.count > 1 ? moments.variance.squareRoot() : nil, compared: Int64(moments.count))
    }
    func difference(_ mid: Double, _ interval: Interval?) -> Difference {
      Difference(mid: mid, bounds: interval.map { ($0.low, $0.high) })
    }
    arms = [
      arm("A", result.arms.a, result.arms.counts.a, comparison.a),
      arm("B", result.arms.b, result.arms.counts.b, comparison.b),
    ]
    decided = comparison.stop.map { (result.days[$0.day], difference($0.difference, $0.interval)) }
    switch comparison.verdict {
    case .higher: verdict = .higher
    case .lower: verdict = .lower
    case .open:
      let least = min(comparison.a.count, comparison.b.count)
      verdict = least < ExperimentComparison.fewestUsers ? .tooFew : .open
    }
    looks = comparison.looks.map { (result.days[$0.day], difference($0.difference, $0.interval)) }
    sequence = looks.last.flatMap { $0.difference.bounds == nil ? nil : $0.difference }
    oneLook = comparison.difference.map { difference($0, comparison.fixed) }
    isSplitChanging = comparison.isSplitChanging
    hasBothKinds = result.arms.hasBothKinds
    measure = result.arms.measure.sentence(currency: result.arms.currencies.first)
    areShares = result.arms.measure != .revenue
  }
}

/// The question of a page: as of the command, with texts for arms and measure.
package struct ExperimentSearch: Query {
  package var a: String?
  package var b: String?
  package var measure = "revenue"
  package var planned = 10_000
  package var level = 95
  package var digits = 2

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("a", \.a, "Campaign of arm A, as NETWORK/CAMPAIGN.") { (search) throws(ParameterError) in
      try check(search.a, "a", search)
    },
    .init("b", \.b, "Campaign of arm B, as NETWORK/CAMPAIGN.") { (search) throws(ParameterError) in
      try check(search.b, "b", search)
      guard let a = search.a, let b = search.b else { return }
      guard name(a, search) != name(b, search) else {
        throw ParameterError("b", "found '\(printable(b))', the campaign of arm A; use another one.")
      }
    },
    .init("measure", \.measure, "Measure to compare: revenue, event:NAME or null-rate.") {
      (search) throws(ParameterError) in
      guard ExperimentMeasure(search.measure) == nil else { return }
      throw ParameterError(
        "measure", "found '\(printable(search.measure))'; use revenue, event:NAME or null-rate.")
    },
    .init("planned", \.planned, "Planned number of shown values of both arms.", in: 1...1_000_000_000_000),
    .init("level", \.level, "Confidence level in percent.", in: 50...99),
    .init("digits", \.digits, "Last digits of a source identifier that identify a campaign.", in: 2...4),
  ]

  private static func name(_ text: String, _ search: Self) -> ExperimentArms.Name? {
    ExperimentArms.Name(text, digits: search.digits)
  }

  private static func check(_ text: String?, _ parameter: String, _ search: Self) throws(ParameterError) {
    guard let text, name(text, search) == nil else { return }
    throw ParameterError(
      parameter,
      "found '\(printable(text))'; use NETWORK/CAMPAIGN, such as example123.skadnetwork/12.")
  }

  /// The events that can be compared: those of any mapping.
  package static func events(_ source: ReportSource) throws(LedgerError) -> [String] {
    try MappingCatalog(from: source.reader).eventNames.sorted()
  }

  /// Compares the campaigns over some days of arrival; `nil` while one is not chosen.
  ///
  /// - Throws: What ``ExperimentQuestion/answer(from:)`` throws.
  package func answer(
    _ days: Range<Day>, _ scope: Scope, from source: ReportSource
  ) throws -> ExperimentFindings? {
    guard let a = a.flatMap({ Self.name($0, self) }), let b = b.flatMap({ Self.name($0, self) }),
      let measure = ExperimentMeasure(measure)
    else { return nil }
    var question = ExperimentQuestion(a: a, b: b)
    question.measure = measure
    question.days.from = days.lowerBound
    question.days.to = days.upperBound
    question.app = scope.apps.first
    question.environment = scope.environment
    question.digits = digits
    question.level = level
    question.planned = planned
    return ExperimentFindings(try question.answer(from: source.reader))
  }
}
