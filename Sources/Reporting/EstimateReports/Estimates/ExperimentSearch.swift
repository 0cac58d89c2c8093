package import Arguments
package import Campaigns
package import Estimates
package import Ledger
import MappingLibrary
package import Postbacks
package import Values

/// Which two networks, campaigns or sets of them are compared by which measure: the question of the page and of the
/// command.
package struct ExperimentSearch: Query {
  package var a: [ExperimentArm.Part] = []
  package var b: [ExperimentArm.Part] = []
  package var measure = "revenue"
  package var planned = 10_000
  package var level = 95
  package var digits = 2

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("a", \.a, "Networks or campaigns of arm A.", as: arm),
    .init("b", \.b, "Networks or campaigns of arm B.", as: arm) { (search) throws(ParameterError) in
      guard let shared = search.arm(\.b)?.shared(with: search.arm(\.a) ?? ExperimentArm([], digits: 2)) else {
        return
      }
      throw ParameterError(
        "b",
        Sentence(
          "found '\(name: shared.text)', which arm A has too. Give networks and campaigns of one arm only."))
    },
    .init("measure", \.measure, "Measure to compare: revenue, event:NAME or null-rate.") {
      (search) throws(ParameterError) in
      guard ExperimentMeasure(search.measure) == nil else { return }
      throw ParameterError(
        "measure", Sentence("found '\(name: search.measure)'; use revenue, event:NAME or null-rate."))
    },
    .init(
      "planned", \.planned, "Planned number of shown values of both arms, where the sequence is tightest.",
      in: 1...1_000_000_000_000),
    .init("level", \.level, "Confidence level in percent.", in: 50...99),
    .init(
      "digits", \.digits,
      "Number of last digits of a source identifier that identify a campaign; nulls always have two.",
      in: 2...4),
  ]

  private static let arm = Parameter<Self>.Form(isRequired: true)

  /// The arm of a parameter; `nil` where nothing is chosen for it.
  package func arm(_ parts: KeyPath<Self, [ExperimentArm.Part]>) -> ExperimentArm? {
    self[keyPath: parts].isEmpty ? nil : ExperimentArm(self[keyPath: parts], digits: digits)
  }

  /// The events that can be compared: those of any mapping.
  package static func events(_ source: ReportSource) throws(LedgerError) -> [String] {
    try MappingCatalog(from: source.reader).eventNames.sorted()
  }

  /// Compares the arms over some days of arrival; `nil` while one is not chosen.
  package func answer(
    _ days: Range<Day>, _ scope: Scope, from source: ReportSource
  ) throws -> ExperimentFindings? {
    var period = Period<Day>()
    (period.from, period.to) = (days.lowerBound, days.upperBound)
    return try answer(period, scope.apps, scope.environment, from: source)
  }

  /// Compares the arms by postbacks of one app: of those that are named, or of all, only one may have any; `nil` while an arm is
  /// not chosen.
  ///
  /// - Throws: ``ParameterError`` for an event that no mapping has, ``ExperimentConfusion``, or ``LedgerError``.
  func answer(
    _ period: Period<Day>, _ apps: [AppID], _ environment: Environment, from source: ReportSource
  ) throws -> ExperimentFindings? {
    guard let a = arm(\.a), let b = arm(\.b), let measure = ExperimentMeasure(measure) else { return nil }
    var arms = ExperimentArms(a: a, b: b, measure: measure, digits: digits)
    let reader = source.reader
    let known = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      let query = CampaignQuery(
        environment: environment, from: period.from, to: period.to, apps: apps,
        networks: Set((a.parts + b.parts).map(\.network)).sorted().compactMap { AdNetworkID($0) },
        dimensions: [])
      try reader.forEachFirstWindowHour(query) { row in
        arms.add(row, catalog.histories, environment.timers)
      }
      return catalog.eventNames
    }
    if case .event(let event) = measure, !known.contains(event) {
      throw ParameterError.unknownEvent(event, of: "measure", known: known)
    }
    guard arms.apps.count <= 1 else {
      throw ExperimentConfusion.severalApps(arms.apps.ordered { $0.number < $1.number })
    }
    guard arms.currencies.count <= 1 else {
      throw ExperimentConfusion.severalCurrencies(arms.currencies.sorted().map(\.text))
    }
    return ExperimentFindings(ExperimentResult(arms: arms, level: Double(level) / 100, planned: planned))
  }
}

/// Why two arms have no common measure.
package enum ExperimentConfusion: Error, Equatable {
  /// The arms are of more than one app, whose mappings differ.
  case severalApps([AppID])
  case severalCurrencies([String])
}

extension ExperimentArm.Part: ParameterValue {
  package static var kind: ValueKind {
    .form(Sentence("a network or NETWORK/CAMPAIGN, such as example123.skadnetwork/12"))
  }
  package static var placeholder: String { "NETWORK[/CAMPAIGN]" }

  /// Reads `NETWORK` or `NETWORK/CAMPAIGN`; `nil` for anything else.
  package init?(parameter text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), let network = AdNetworkID(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self.init(network: network.canonical)
      return
    }
    guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
    self.init(network: network.canonical, campaign: parts[1])
  }

  package var parameterText: String { text }
}
