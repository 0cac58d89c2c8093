import Arguments
package import Estimates
package import Ledger
import MappingLibrary
package import Postbacks
package import Values

/// Which of two campaigns is better, and whether that is sure yet.
package struct ExperimentQuestion: Sendable {
  package var a: ExperimentArms.Name
  package var b: ExperimentArms.Name
  package var measure = ExperimentMeasure.revenue
  /// The days of arrival that count.
  package var days = Period<Day>()
  /// `nil` for the only app.
  package var app: AppID?
  package var environment = Environment.production
  /// Digits of a source identifier that make a campaign, 2 to 4.
  package var digits = 2
  /// How often intervals hold, in per cent.
  package var level = 95
  /// The shown values of both arms for which the sequence is tightest.
  package var planned = 10_000

  package init(a: ExperimentArms.Name, b: ExperimentArms.Name) {
    self.a = a
    self.b = b
  }

  /// Compares the arms.
  ///
  /// - Throws: ``ParameterError`` for an event that no mapping has, ``ExperimentConfusion``, or ``LedgerError``.
  package func answer(from reader: LedgerReader) throws -> ExperimentResult {
    var arms = ExperimentArms(a: a, b: b, measure: measure, digits: digits)
    let known = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      let query = CampaignQuery(
        environment: environment, from: days.from, to: days.to, apps: app.map { [$0] } ?? [],
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
    return ExperimentResult(arms: arms, level: Double(level) / 100, planned: planned)
  }
}

/// Why two campaigns have no common measure.
package enum ExperimentConfusion: UserFacingError, Hashable {
  /// The campaigns are of more than one app, whose mappings differ.
  case severalApps
  case severalCurrencies([String])

  package var exitCode: ExitCode {
    switch self {
    case .severalApps: .usage
    case .severalCurrencies: .data
    }
  }

  package var message: String {
    switch self {
    case .severalApps: "The campaigns are of more than one app."
    case .severalCurrencies(let names):
      "the mapping has amounts in \(names.joined(separator: ", ")); revenue needs one currency"
    }
  }

  package var remedy: String? {
    switch self {
    case .severalApps: "Choose one with '--app'."
    case .severalCurrencies: "compare an event or the null rate"
    }
  }
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
