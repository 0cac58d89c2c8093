@testable import Alerts
@testable import Estimates
@testable import Ledger
import PostbackFixtures
import Postbacks
@testable import Reports
import Testing
import Values
import Verification

struct `The rule of nulls` {
  /// A campaign with the same share on every day before, and another one in the last three.
  private func facts(before: Int64, after: Int64, daily: Int64 = 200) -> AlertFacts {
    var facts = nothing()
    facts.days =
      (3..<31).map { day($0, postbacks: daily, nulls: before * daily / 200) }
      + (0..<3).map { day($0, postbacks: daily, nulls: after * daily / 200) }
    return facts
  }

  @Test(arguments: [
    (40, 40, AlertMeasure.AlertStatus.clear), (40, 55, .clear), (40, 60, .near), (40, 61, .beyond),
    (100, 80, .near), (100, 79, .beyond), (160, 40, .beyond), (0, 21, .beyond), (0, 0, .clear),
    (200, 200, .clear), (200, 179, .beyond),
  ])
  func `The rule of nulls reports a change that is large enough`(
    before: Int, after: Int, standing: AlertMeasure.AlertStatus
  ) {
    #expect(found(.nullShare, facts(before: Int64(before), after: Int64(after)))?.standing == standing)
  }

  @Test func `The rule of nulls does not report a change that chance can cause`() {
    // Ten points of 24 postbacks a day are nothing; of 200 a day they are.
    let rules = rule(.nullShare, ["least-postbacks": 50])
    #expect(found(.nullShare, facts(before: 100, after: 125, daily: 24), rules)?.standing != .beyond)
    #expect(found(.nullShare, facts(before: 100, after: 125, daily: 200), rules)?.standing == .beyond)
  }

  @Test func `The rule of nulls gives less weight to days that vary by themselves`() {
    var facts = nothing()
    facts.days = (0..<31).map { back in
      day(back, postbacks: 200, nulls: back < 3 ? 130 : back % 2 == 0 ? 40 : 160)
    }
    #expect(found(.nullShare, facts)?.standing != .beyond)
  }

  @Test(arguments: [(199, AlertMeasure.AlertStatus.unknown), (200, .beyond)])
  func `The rule of nulls needs a minimum number of postbacks`(least: Int, standing: AlertMeasure.AlertStatus)
  {
    var facts = nothing()
    facts.days =
      [day(0, postbacks: Int64(least), nulls: Int64(least))]
      + (3..<31).map { day($0, postbacks: 100, nulls: 0) }
    #expect(found(.nullShare, facts)?.standing == standing)
  }

  @Test(arguments: [(120, AlertMeasure.AlertStatus.near), (121, .beyond), (90, .clear)])
  func `The rule of nulls has an absolute bound if the rule sets one`(
    after: Int, standing: AlertMeasure.AlertStatus
  ) {
    let rules = rule(.nullShare, ["highest": 0.6, "least-change": 1])
    #expect(found(.nullShare, facts(before: 90, after: Int64(after)), rules)?.standing == standing)
  }

  @Test func `The rule of nulls applies to the parts that a rule names, the first match first`() {
    var mute = AlertRule(.nullShare)
    mute.isEnabled = false
    mute.parts[.campaigns] = ["39"]
    var facts = facts(before: 40, after: 160)
    facts.days += facts.days.map {
      FirstWindowDay(
        app: $0.app, network: $0.network, campaign: "40", day: $0.day, postbacks: $0.postbacks,
        nulls: $0.nulls)
    }
    let rules = AlertRules([mute, AlertRule(.nullShare)])
    let evaluation = AlertEvaluation(facts, rules: rules, now: noon, previous: [])
    #expect(evaluation.firing.map(\.campaign) == ["40"])
    #expect(evaluation.firing[0].id == "null-share/app=525463029/network=example123.skadnetwork/campaign=40")
    #expect(AlertEvaluation(facts, rules: AlertRules([mute]), now: noon, previous: []).firing.isEmpty)
  }
}

struct `The rules of shares` {
  @Test(arguments: [
    (20, 100, AlertMeasure.AlertStatus.near), (26, 100, .near), (27, 100, .beyond), (15, 100, .clear),
    (99, 99, .unknown), (100, 100, .beyond), (0, 0, .unknown),
  ])
  func `The rules of shares report rejected bodies if the whole interval is above the bound`(
    rejected: Int, all: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    facts.arrivals = [
      hour(0, ArrivalCount(rejected: Int64(rejected)), .advertiserCopy, network: nil),
      hour(23, ArrivalCount(first: Int64(all - rejected)), .advertiserCopy),
      // An hour too old, and another way.
      hour(24, ArrivalCount(rejected: 10_000), .advertiserCopy, network: nil),
      hour(1, ArrivalCount(first: 500)),
    ]
    let measures = AlertEvaluation(facts, rules: AlertRules(), now: noon, previous: []).measures
    #expect(measures.first { $0.id == "invalid-share/origin=advertiser-copy" }?.standing == standing)
    #expect(measures.first { $0.id == "invalid-share/origin=forwarded acme" }?.standing == .clear)
  }

  @Test(arguments: [
    (2, 100, AlertMeasure.AlertStatus.near), (6, 100, .beyond), (1, 100, .clear), (49, 49, .unknown),
    (50, 50, .beyond),
  ])
  func `The rules of shares report values that are unmapped`(
    unmapped: Int, all: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    facts.values = [
      AlertFacts.ValueDay(
        app: app, network: network, day: noon.day, postbacks: Int64(all), unmapped: Int64(unmapped)),
      AlertFacts.ValueDay(
        app: app, network: network, day: Day(number: noon.day.number - 3), postbacks: 900, unmapped: 900),
    ]
    #expect(found(.unmappedValues, facts)?.standing == standing)
  }

  @Test(arguments: [
    (1, 99, AlertMeasure.AlertStatus.near), (5, 95, .beyond), (0, 100, .clear), (49, 0, .unknown),
    (50, 0, .beyond),
    (1001, 999_999, .beyond), (900, 999_999, .near), (800, 999_999, .clear),
  ])
  func `The rules of shares report conflicting copies, by share or by number`(
    conflicting: Int, repeated: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    facts.arrivals = [
      hour(0, ArrivalCount(repeated: Int64(repeated), conflicting: Int64(conflicting))),
      hour(0, ArrivalCount(conflicting: 5000), network: network, .test),
      hour(24 * 7, ArrivalCount(conflicting: 5000)),
    ]
    #expect(found(.conflicts, facts)?.standing == standing)
  }
}

struct `The rules of silence` {
  /// One postback every `every` hours for four weeks, and none for the last hours.
  private func regular(every: Int64, silent: Int64, _ route: Route = .forwarded) -> [ArrivalHour] {
    (0..<(28 * 24 / every)).map { hour(silent + 1 + $0 * every, ArrivalCount(first: 3), route) }
  }

  @Test(arguments: [
    (1, 6, AlertMeasure.AlertStatus.near), (1, 7, .beyond), (1, 4, .clear), (12, 18, .near),
    (12, 19, .beyond),
    (24, 36, .near), (24, 37, .beyond), (24, 28, .clear),
  ])
  func `The rules of silence report a network that sends regularly and is late`(
    every: Int, silent: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    facts.arrivals = regular(every: Int64(every), silent: Int64(silent))
    #expect(found(.networkSilent, facts)?.standing == standing)
    #expect(found(.allSilent, facts)?.standing == standing)
  }

  @Test func `The rules of silence do not report a network that never sent regularly`() {
    var facts = nothing()
    facts.arrivals = (0..<13).map { hour(72 + $0 * 24, ArrivalCount(first: 1)) }
    #expect(found(.networkSilent, facts)?.standing == .unknown)
    facts.arrivals.append(hour(72 + 13 * 24, ArrivalCount(first: 1)))
    #expect(found(.networkSilent, facts)?.standing == .beyond)
  }

  @Test func `The rules of silence report one network while another one sends, and not all`() {
    var facts = nothing()
    facts.arrivals =
      regular(every: 1, silent: 30) + (0..<600).map { hour($0, ArrivalCount(first: 1), network: "other") }
    let firing = AlertEvaluation(facts, rules: AlertRules(), now: noon, previous: []).firing
    #expect(firing.map(\.id) == ["network-silent/network=example123.skadnetwork"])
    #expect(firing[0].sentence.english.contains("30 hours"))
  }

  @Test(arguments: [
    (Route.advertiserCopy, Route.forwarded, "device-copies"),
    (.networkAddress, .forwarded, "device-copies"), (.forwarded, .advertiserCopy, "forwarded"),
  ])
  func `The rules of silence report copies that stopped while the others continue`(
    stopped: Route, going: Route, name: String
  ) {
    var facts = nothing()
    facts.arrivals = regular(every: 1, silent: 30, stopped) + regular(every: 1, silent: 0, going)
    let firing = AlertEvaluation(facts, rules: AlertRules(), now: noon, previous: []).firing
    #expect(firing.map(\.id) == ["copies-stopped/network=example123.skadnetwork/origin=\(name)"])
    // 19 the other way are too few.
    let rules = rule(.copiesStopped, ["least-postbacks": 91])
    #expect(AlertEvaluation(facts, rules: rules, now: noon, previous: []).firing.isEmpty)
  }

  @Test func `The rules of silence ignore test keys`() {
    var facts = nothing()
    facts.arrivals = regular(every: 1, silent: 30).map {
      ArrivalHour(hour: $0.hour, origin: $0.origin, environment: .test, network: $0.network, count: $0.count)
    }
    #expect(found(.networkSilent, facts) == nil)
    #expect(found(.allSilent, facts) == nil)
  }
}

struct `The rules of the machine` {
  @Test(arguments: [(0, 0, AlertMeasure.AlertStatus.clear), (1, 0, .beyond), (0, 5, .clear)])
  func `The rules of the machine report what could not be stored recently`(
    now: Int, before: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    #expect(found(.notStored, facts) == nil)
    facts.losses = [.init(at: noon + -599_999, bodies: now), .init(at: noon + -600_000, bodies: before)]
    #expect(found(.notStored, facts)?.standing == standing)
  }

  @Test func `The rules of the machine report files that were replaced under a running service for a day`() {
    var facts = nothing()
    #expect(found(.databaseReplaced, facts) == nil)
    facts.replacements = [noon + -Day.milliseconds]
    #expect(found(.databaseReplaced, facts)?.standing == .clear)
    facts.replacements?.append(noon + -Day.milliseconds + 1)
    #expect(found(.databaseReplaced, facts)?.standing == .beyond)
  }

  @Test(arguments: [
    (64_000_000_001, AlertMeasure.AlertStatus.beyond), (64_000_000_000, .near), (51_200_000_000, .clear),
  ])
  func `The rules of the machine report a large database`(bytes: Int, standing: AlertMeasure.AlertStatus) {
    var facts = nothing()
    facts.databaseBytes = Int64(bytes)
    #expect(found(.databaseSize, facts)?.standing == standing)
  }

  @Test(arguments: [
    (1_999_999_999, AlertMeasure.AlertStatus.beyond), (2_000_000_000, .near), (2_400_000_000, .clear),
  ])
  func `The rules of the machine report a full disk`(bytes: Int, standing: AlertMeasure.AlertStatus) {
    var facts = nothing()
    facts.freeBytes = Int64(bytes)
    #expect(found(.diskSpace, facts)?.standing == standing)
  }

  @Test(arguments: [
    (121_000, AlertMeasure.AlertStatus.beyond), (120_000, .near), (96_000, .clear), (-5000, .clear),
  ])
  func `The rules of the machine report a clock that was set back`(
    ahead: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    facts.newest = noon + Int64(ahead)
    #expect(found(.clock, facts)?.standing == standing)
    facts.newest = noon
    facts.lookedAt = noon + Int64(ahead)
    #expect(found(.clock, facts)?.standing == standing)
  }

  @Test(arguments: [
    (300_000 as Int?, AlertMeasure.AlertStatus.beyond), (299_999, .near), (nil, .clear),
  ])
  func `The rules of the machine report a mapping file that has been rejected for a long time`(
    age: Int?, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    if let age {
      facts.rejectedMappings = [
        RejectedMapping(
          source: "b.json", state: "clash", reason: Sentence("'\(name: "a.json")' is another mapping"),
          since: noon + -Int64(age),
          keepsOld: true),
        RejectedMapping(
          source: "c.json", state: "rejected", reason: Sentence(name: "x"), since: noon, keepsOld: false),
      ]
    }
    let measure = found(.mappingRejected, facts)
    #expect(measure?.standing == standing)
    guard age != nil else { return }
    #expect(measure?.sentence.english.contains("'b.json'") == true)
    #expect(measure?.sentence.english.contains("'a.json' is another mapping") == true)
    #expect(measure?.sentence.english.contains("1 other file is rejected too") == true)
    #expect(measure?.command == "skan mapping list --database skan.db")
  }

  @Test(arguments: [
    (Int?.some(1_800_001), AlertMeasure.AlertStatus.beyond), (1_800_000, .near), (1_440_000, .clear),
    (-60_000, .clear), (nil, .clear),
  ])
  func `The rules of the machine report a relay that is behind for too long`(
    age: Int?, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    if let age {
      facts.lateRelays = [
        AlertFacts.LateRelay(name: "own", oldest: noon + -Int64(max(0, age - 1)), failure: nil),
        AlertFacts.LateRelay(name: "partner", oldest: noon + -Int64(age), failure: "answered 503"),
      ]
    }
    let measure = found(.relayBehind, facts)
    #expect(measure?.standing == standing)
    guard let age, age > 0 else { return }
    #expect(measure?.sentence.english.contains("'partner'") == true)
    #expect(measure?.sentence.english.contains("the last attempt failed: answered 503.") == true)
    #expect(measure?.command == "skan relay status --database skan.db")
  }

  @Test(arguments: [(61, true), (59, false)])
  func `The rules of the machine report a relay whose backlog grows for an hour after a minute`(
    seconds: Int64, fires: Bool
  ) {
    var facts = nothing()
    facts.lateRelays = [
      AlertFacts.LateRelay(name: "older", oldest: noon + -1_500_000, failure: nil),
      AlertFacts.LateRelay(
        name: "partner", oldest: noon + -seconds * 1000, failure: nil,
        growth: RelayGrowth(before: 12, now: 4320)),
    ]
    let measure = found(.relayBehind, facts)
    #expect((measure?.standing == .beyond) == fires)
    #expect(measure?.bound == (fires ? 1 : 30))
    let sentence =
      "The backlog of the relay 'partner' has grown for an hour, from 12 to 4,320 postbacks, and the oldest arrived"
    #expect(measure?.sentence.english.hasPrefix(sentence) == fires)
  }

  @Test(arguments: [
    (14 * 86_400_000 - 1, AlertMeasure.AlertStatus.beyond), (14 * 86_400_000, .near),
    (17 * 86_400_000, .clear),
    (-1, .beyond),
  ])
  func `The rules of the machine report a certificate that expires soon`(
    left: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    #expect(found(.certificateEnd, facts) == nil)
    facts.certificateEnd = noon + Int64(left)
    #expect(found(.certificateEnd, facts)?.standing == standing)
    #expect(
      found(.certificateEnd, facts, rule(.certificateEnd, ["days": 0]))?.standing
        == (left < 0 ? .beyond : .clear))
  }

  @Test(arguments: [
    (86_400_001, AlertMeasure.AlertStatus.beyond), (86_400_000, .near), (69_120_000, .clear),
  ])
  func `The rules of the machine report an old backup of the database if a bound is set`(
    age: Int, standing: AlertMeasure.AlertStatus
  ) {
    var facts = nothing()
    let rules = rule(.backupAge, ["hours": 24])
    facts.lastBackup = noon + -Int64(age)
    facts.oldest = noon + -Day.milliseconds * 400
    #expect(found(.backupAge, facts) == nil)
    #expect(found(.backupAge, facts, rules)?.standing == standing)
    // Without a copy the first body counts, and without a body there is nothing to copy.
    facts.lastBackup = nil
    facts.oldest = noon + -Int64(age)
    #expect(found(.backupAge, facts, rules)?.standing == standing)
    #expect(
      found(.backupAge, facts, rules)?.sentence.english.contains("There is no copy of the database") == true)
    facts.oldest = nil
    #expect(found(.backupAge, facts, rules) == nil)
  }

  @Test func `The rules of the machine are off if the file of rules disables them`() {
    var facts = nothing()
    facts.freeBytes = 0
    var off = AlertRule(.diskSpace)
    off.isEnabled = false
    #expect(found(.diskSpace, facts, AlertRules([off])) == nil)
  }
}

struct `A command in an alert` {
  @Test(arguments: [("skan.db", "skan.db"), ("a b.db", "'a b.db'"), ("it's", "'it'\\''s'"), ("", "''")])
  func `A command in an alert can be pasted into a shell`(path: String, word: String) {
    #expect(AlertFacts(database: path).command("doctor") == "skan doctor --database \(word)")
  }
}
