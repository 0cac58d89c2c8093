@testable import Alerts
@testable import Ledger
import PostbackFixtures
import Testing
import Values

struct `The rules of forwarding` {
  @Test
  func
    `One body that a known network forwards and that is rejected fires, with its reason`()
  {
    var facts = nothing()
    facts.arrivals = [hour(2, ArrivalCount(first: 5000)), hour(1, ArrivalCount(rejected: 1), network: nil)]
    facts.rejectedForwards = [
      RejectedForwards(name: "acme", state: .malformed, reason: "missing-member", seen: 1),
      RejectedForwards(name: "other", state: .invalid, reason: "signature-mismatch", seen: 50),
    ]
    let measure = found(.forwardRejected, facts)
    #expect(measure?.standing == .beyond && measure?.id == "forward-rejected/origin=forwarded acme")
    #expect(
      measure?.sentence.english.contains("1 of 5,001 forwarded bodies") == true,
      "\(measure?.sentence.english ?? "")")
    #expect(measure?.sentence.english.contains("most of them as missing-member") == true)
    facts.arrivals = [hour(2, ArrivalCount(first: 5000)), hour(24, ArrivalCount(rejected: 1), network: nil)]
    #expect(found(.forwardRejected, facts)?.standing == .clear)
    // What strangers send to the paths of devices is none of it.
    facts.arrivals = [hour(1, ArrivalCount(rejected: 9000), .advertiserCopy, network: nil)]
    #expect(found(.forwardRejected, facts) == nil)
  }

  @Test(arguments: [(10, AlertMeasure.AlertStatus.clear), (11, .beyond)])
  func `Requests of a known network that are turned away fire beyond a few`(
    requests: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    #expect(found(.networkTurnedAway, facts) == nil)
    facts.turnedAway = [
      .init(network: "acme", hour: noon.hour - 24, requests: 500, status: 403),
      .init(network: "acme", hour: noon.hour - 3, requests: requests - 1, status: 405),
      .init(network: "acme", hour: noon.hour, requests: 1, status: 401),
    ]
    let measure = found(.networkTurnedAway, facts)
    #expect(measure?.standing == standing && measure?.value == Double(requests))
    #expect(measure?.sentence.english.contains("turned away, the last with 401") == true)
  }
}
