@testable import Alerts
import Ledger
import PostbackFixtures
import Postbacks
import Values
import Verification

/// The network of most tests.
let network = "example123.skadnetwork"

/// The app of all tests.
let app = known(AppID(525_463_029))

/// A rule with some numbers of its own.
func rule(_ kind: AlertKind, _ numbers: [String: Double] = [:]) -> AlertRules {
  var rule = AlertRule(kind)
  for parameter in kind.parameters {
    if let number = numbers[parameter.name] { rule.set(parameter, to: number) }
  }
  return AlertRules([rule])
}

/// No facts yet.
func nothing() -> AlertFacts { AlertFacts(database: "skan.db") }

/// A day of a campaign, counted back from that of `noon`.
func day(_ back: Int32, postbacks: Int64, nulls: Int64, campaign: String = "39") -> FirstWindowDay {
  FirstWindowDay(
    app: app, network: network, campaign: campaign, day: Day(number: noon.day.number - back),
    postbacks: postbacks, nulls: nulls)
}

/// Arrivals of one hour, counted back from that of `noon`.
func hour(
  _ back: Int64, _ count: ArrivalCount, _ route: Route = .forwarded, network: String? = network,
  _ environment: Environment = .production
) -> ArrivalHour {
  ArrivalHour(
    hour: noon.hour - back, origin: Origin(route, name: route == .forwarded ? "acme" : ""),
    environment: environment, network: network, count: count)
}

/// What a kind's rule found, where there is one scope only.
func found(_ kind: AlertKind, _ facts: AlertFacts, _ rules: AlertRules = AlertRules(), at now: Instant = noon)
  -> AlertMeasure?
{
  AlertEvaluation(facts, rules: rules, now: now, previous: []).measures.first { $0.kind == kind }
}
