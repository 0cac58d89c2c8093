package import Arguments
import Estimates
package import Ledger
import MappingLibrary
import Postbacks
package import Values

/// Which two campaigns are compared by which measure: the question of the page and of the command.
package struct ExperimentSearch: Query {
  package var a: String?
  package var b: String?
  package var measure = "revenue"
  package var planned = 10_000
  package var level = 95
  package var digits = 2

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("a", \.a, "Arm A.", as: arm) { (search) throws(ParameterError) in
      try check(search.a, "a", search)
    },
    .init("b", \.b, "Arm B.", as: arm) { (search) throws(ParameterError) in
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
    .init(
      "planned", \.planned, "Planned number of shown values of both arms, where the sequence is tightest.",
      in: 1...1_000_000_000_000),
    .init("level", \.level, "Confidence level in percent.", in: 50...99),
    .init(
      "digits", \.digits,
      "Number of last digits of a source identifier that identify a campaign; nulls always have two.",
      in: 2...4),
  ]

  private static let arm = Parameter<Self>.Form(placeholder: "NETWORK/CAMPAIGN", isRequired: true)

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
  package func answer(
    _ days: Range<Day>, _ scope: Scope, from source: ReportSource
  ) throws -> ExperimentFindings? {
    var period = Period<Day>()
    (period.from, period.to) = (days.lowerBound, days.upperBound)
    return try answer(period, scope.apps.first, scope.environment, from: source)
  }

  /// Compares the campaigns by postbacks of one app, the only one where none is named; `nil` while one is not chosen.
  ///
  /// - Throws: ``ParameterError`` for an event that no mapping has, ``ExperimentConfusion``, or ``LedgerError``.
  func answer(
    _ period: Period<Day>, _ app: AppID?, _ environment: Environment, from source: ReportSource
  ) throws -> ExperimentFindings? {
    guard let a = a.flatMap({ Self.name($0, self) }), let b = b.flatMap({ Self.name($0, self) }),
      let measure = ExperimentMeasure(measure)
    else { return nil }
    var arms = ExperimentArms(a: a, b: b, measure: measure, digits: digits)
    let reader = source.reader
    let known = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      let query = CampaignQuery(
        environment: environment, from: period.from, to: period.to, apps: app.map { [$0] } ?? [],
        networks: [a.network, b.network].compactMap { AdNetworkID($0) }, dimensions: [])
      try reader.forEachFirstWindowHour(query) { row in
        arms.add(row, catalog.histories, environment.timers)
      }
      return catalog.eventNames
    }
    if case .event(let event) = measure, !known.contains(event) {
      throw ParameterError.unknownEvent(event, of: "measure", known: known)
    }
    guard arms.apps.count <= 1 else { throw ExperimentConfusion.severalApps }
    guard arms.currencies.count <= 1 else {
      throw ExperimentConfusion.severalCurrencies(arms.currencies.sorted().map(\.text))
    }
    return ExperimentFindings(ExperimentResult(arms: arms, level: Double(level) / 100, planned: planned))
  }
}

/// Why two campaigns have no common measure.
package enum ExperimentConfusion: Error, Hashable {
  /// The campaigns are of more than one app, whose mappings differ.
  case severalApps
  case severalCurrencies([String])
}

extension ExperimentArms.Name {
  /// Reads `NETWORK/CAMPAIGN`; `nil` for anything else.
  ///
  /// - Parameters:
  ///   - digits: A source identifier of more digits is folded to so many, as postbacks are.
  package init?(_ text: String, digits: Int) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), parts[1].utf8.allSatisfy({ 48...57 ~= $0 })
    else { return nil }
    let network = parts[0].lowercased()
    let campaign = String(parts[1])
    guard campaign.utf8.count > digits, campaign != "100",
      let folded = SourceIdentifier(campaign)?.shortened(toLast: digits)
    else {
      self.init(network: network, campaign: campaign)
      return
    }
    self.init(network: network, campaign: folded.text)
  }
}
