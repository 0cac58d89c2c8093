@testable import Alerts
import Ledger
import PostbackFixtures
import Testing
import Values

struct `An alert` {
  private let rules = AlertRules(resolveAfter: 10 * 60_000)

  /// What is known with so many bytes free.
  private func facts(_ free: Double?) -> AlertFacts {
    var facts = nothing()
    facts.freeBytes = free.map { Int64($0 * 1e9) }
    return facts
  }

  /// Plays one value a minute and returns what was reported, as the minute and a word.
  private func told(_ values: [Double?]) -> [String] {
    var previous: [AlertRecord] = []
    var told: [String] = []
    for (minute, value) in values.enumerated() {
      let evaluation = AlertEvaluation(
        facts(value), rules: rules, now: noon + Int64(minute) * 60_000, previous: previous)
      told += evaluation.fired.map { _ in "\(minute) fired" }
      told += evaluation.resolved.map { _ in "\(minute) resolved" }
      previous = evaluation.firing
    }
    return told
  }

  @Test func `An alert is reported once when it begins and once when it ends`() {
    #expect(told([9, 1, 1, 1] + [Double?](repeating: 9, count: 20)) == ["1 fired", "14 resolved"])
  }

  @Test
  func `An alert does not end while the value is near its bound or has been quiet for too short a time`() {
    #expect(told([1] + [Double?](repeating: 2.1, count: 60)) == ["0 fired"])
    #expect(told([1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1, 9, 9, 9, 9]) == ["0 fired"])
    // A value that goes to and fro about the bound for hours is one alert.
    #expect(told((0..<600).map { $0 % 2 == 0 ? 1.9 : 2.5 }) == ["0 fired"])
  }

  @Test func `An alert ends when its facts are not known any more`() {
    #expect(told([1] + [Double?](repeating: nil, count: 20)) == ["0 fired", "11 resolved"])
  }

  @Test func `An alert can fire again, with another beginning`() {
    let quiet = [Double?](repeating: 9, count: 15)
    #expect(told([1] + quiet + [1]) == ["0 fired", "11 resolved", "16 fired"])
  }

  @Test func `An alert is not reported again after a restart with the stored state`() {
    let first = AlertEvaluation(facts(1), rules: rules, now: noon, previous: [])
    let again = AlertEvaluation(facts(0.5), rules: rules, now: noon + 60_000, previous: first.firing)
    #expect(again.fired.isEmpty)
    #expect(again.firing.map(\.since) == [noon])
    #expect(again.firing.map(\.value) == [0.5])
  }

  @Test func `An alert ends after its usual time although the clock was ahead and was set back`() {
    let ahead = noon + 365 * 86_400_000
    var firing = AlertEvaluation(facts(1), rules: rules, now: ahead, previous: []).firing
    firing = AlertEvaluation(facts(9), rules: rules, now: ahead, previous: firing).firing
    #expect(firing.map(\.clearSince) == [ahead])
    for minute in 0..<10 as Range<Int64> {
      firing = AlertEvaluation(facts(9), rules: rules, now: noon + minute * 60_000, previous: firing).firing
      #expect(firing.count == 1)
    }
    let last = AlertEvaluation(facts(9), rules: rules, now: noon + 10 * 60_000, previous: firing)
    #expect(last.resolved.count == 1)
  }

  @Test func `An alert keeps its message while the value returns to normal`() {
    let first = AlertEvaluation(facts(1), rules: rules, now: noon, previous: [])
    let later = AlertEvaluation(facts(9), rules: rules, now: noon + 60_000, previous: first.firing)
    #expect(later.firing[0].sentence == first.firing[0].sentence)
    #expect(later.firing[0].value == 9)
    #expect(later.firing[0].clearSince == noon + 60_000)
  }
}
