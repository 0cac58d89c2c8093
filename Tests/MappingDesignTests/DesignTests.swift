import JSONText
@testable import MappingDesign
import Mappings
import Postbacks
import Simulation
import Testing
import Values

/// A population with many edges: events on the very seconds where timers and windows end, refunds, other currencies.
private func edgyCohort(seed: UInt64, users: Int = 400) -> Cohort {
  var random = SplitMix64(seed: seed)
  var builder = CohortBuilder()
  let places: [Int64] = [-5, 0, 1, 86_399, 86_400, 86_401, 172_799, 172_800, 259_199, 259_200, 604_800]
  for user in 0..<users {
    let events = (0..<random.number(below: 9)).map { _ in
      let time =
        random.happens(0.3)
        ? places[random.number(below: places.count)] : Int64(random.number(below: 300_000))
      let name = random.happens(0.3) ? "trial" : "open"
      guard random.happens(0.6) else { return UserEvent(secondsSinceInstall: time, name: name) }
      let micros = Int64(random.number(below: 40)) * 250_000 - (random.happens(0.1) ? 5_000_000 : 0)
      let currency = random.happens(0.9) ? usd : eur
      return UserEvent(
        secondsSinceInstall: time, name: name, revenue: Money(micros: micros, currency: currency))
    }
    builder.add(
      user: "u\(user)", installed: Instant(seconds: Int64(user) * 977), campaign: "c", events: events)
  }
  return builder.cohort()
}

private let eur = CurrencyCode("EUR") ?? CurrencyCode.all[0]
private let late = Instant(seconds: 1_000_000_000)

/// A study of fewer campaigns than usual, because they take their time where nothing is optimised.
private func study(_ request: DesignRequest, _ users: DesignUsers, population: Int? = nil) -> DesignStudy {
  var study = DesignStudy(request, users, population: population ?? users.count)
  study.campaigns = 12
  return study
}

struct `A designed mapping` {
  static let cases: [(Mapping.Device, Int, DesignTarget)] = [
    (.skan3, 24, .revenue(days: 2)), (.skan3, 48, .revenue(days: 7)), (.skan3, 72, .revenue(days: 3)),
    (.skan3, 72, .event("trial")), (.skan4, 24, .revenue(days: 7)), (.skan4, 48, .revenue(days: 2)),
    (.skan4, 48, .revenue(days: 35)), (.skan4, 48, .event("trial")),
  ]

  private static let choices =
    EdgeScheme.allCases.map { DesignChoice(scheme: $0) }
    + EdgeScheme.optimal.map { DesignChoice(scheme: $0, split: .days) }
    + [DesignChoice(scheme: .smooth, split: .event(DesignEvent(name: "open", number: 0)))]

  @Test(arguments: cases, choices)
  func `A designed mapping gives every user the value that the simulator gives, and passes the check`(
    some: (device: Mapping.Device, window: Int, target: DesignTarget), choice: DesignChoice
  ) throws {
    for (seed, values) in [(1, 60), (2, 9)] {
      let cohort = edgyCohort(seed: UInt64(seed))
      var population = DesignUsers(target: some.target, currency: usd)
      population.add(cohort, until: late)
      let users = population.inOrderOfKeys
      // "trial" has a number of its own unless it is the target.
      var choice = choice
      if case .event(let event) = choice.split, let place = users.eventNames.firstIndex(of: event.name) {
        let known = DesignEvent(name: event.name, number: DesignUsers.firstNumber + Int32(place))
        choice = DesignChoice(scheme: choice.scheme, split: .event(known))
      }
      #expect(Set(users.eventNames) == (some.target.event == nil ? ["open", "trial"] : ["open"]))
      let request = try request(some.device, some.target, window: some.window, values: values)
      let (design, coarse) = DesignStudy(request, users, population: users.count)
        .design(some.window, choice, Array(users.users.indices))
      #expect(design.codes.count <= values)
      #expect(design.table.edges.allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $0 < $1 } })
      #expect(design.table.edges.first?.first.map { $0 > 0 } ?? true)
      let mapping = MappingWriter(request: request).mapping(design, coarse)

      let reading = MappingDocument.check(mapping.json.bytes(pretty: true))
      #expect(reading.findings.isEmpty, "\(reading.findings)")
      #expect(reading.document?.mapping == mapping)

      let simulator = Simulator(SimulationConfiguration(mapping))
      var codes: [UInt64: Int] = [:]
      var coarseCounts = [0, 0, 0]
      let outcome = simulator.run(cohort, crowd: simulator.crowd(from: simulator.crowd(of: cohort))) {
        if $0.window == .first { codes[$0.user] = ($0.trueFine?.number).map { Int($0) } ?? -1 }
      }
      for user in users.users {
        #expect(codes[user.key] == design.code(of: user, in: users))
      }
      #expect(design.codes.reduce(0) { $0 + $1.users } == users.count)
      guard let coarse else { continue }
      for window in ConversionWindow.allCases {
        coarseCounts = (coarse.windows[window] ?? []).map(\.code.users)
        coarseCounts += Array(repeating: 0, count: 3 - coarseCounts.count)
        #expect(outcome.total[window].trueCoarse == coarseCounts)
      }
    }
  }

  @Test func `A designed mapping is worth in total what its users paid`() throws {
    let users = try sampleUsers(.revenue(days: 7))
    let design = CodeDesign(
      try request(.skan3, users.target)
        .order(windowHours: 72, DesignChoice(scheme: .sqrt, split: .days)), users,
      Array(users.users.indices))
    let worth = design.codes.reduce(0) { $0 + Double($1.users) * $1.mean }
    #expect(isClose(worth, users.users.reduce(0) { $0 + $1.worth }, within: 1e-9))
    #expect(design.codes.allSatisfy { $0.low <= $0.mean + 1e-9 && $0.mean <= $0.high + 1e-9 })
  }

  @Test(arguments: [Mapping.Device.skan3, .skan4], [2, 3, 5, 16, 64])
  func `A designed mapping of the sample passes the check and has no more values than requested`(
    device: Mapping.Device, values: Int
  ) throws {
    let users = try sampleUsers(.revenue(days: 2))
    let work = study(try request(device, users.target, values: values), users)
    var steps = 0
    let report = try #require(work.run { steps += 1 })
    #expect(steps == work.steps)
    #expect(report.values.count <= values)
    #expect(report.valuesByBlock.reduce(0, +) == report.values.count)
    #expect(report.mapping.fine.count == report.values.count)
    #expect(report.values.reduce(0) { $0 + $1.users } == users.count)
    #expect(report.windows.map(\.windowHours) == DesignRequest.windows(on: device))
    #expect(report.choices.count >= EdgeScheme.allCases.count)
    #expect(
      report.choices.contains { $0.choice.split == .days }
        == (values >= 16 || device == .skan3 && values >= 5))
    let others = report.choices.dropFirst().map(\.error)
    #expect(others == others.sorted())
    #expect(report.choice == report.choices[0].choice)
    let reading = MappingDocument.check(report.mapping.json.bytes(pretty: true))
    // Of all 64 values none is left for something new, which the check reports.
    #expect(reading.findings.isEmpty == (report.values.count < 64), "\(reading.findings)")
    #expect(reading.document?.mapping == report.mapping)
    for row in report.windows {
      #expect(row.scores.map(\.installs) == [100, 300, 1000])
      // Nothing is withheld here, so that what is shown is what was set.
      for score in row.scores {
        #expect(score.nullShare == 0)
        #expect(isClose(score.error.meanShare, score.errorWhenShown.meanShare))
        #expect(score.medianDelay <= score.longDelay)
      }
    }
    #expect(report.windows.allSatisfy { device == .skan3 || $0.brokenShare == 0 })
  }

  @Test func `A designed mapping is the same for the same seed and knows the cost of the privacy threshold`()
    throws
  {
    let users = try sampleUsers(.revenue(days: 3))
    var request = try request(.skan3, users.target, window: 48, scheme: .sqrt)
    request.crowd = try CrowdModel("default")
    request.seed = 7
    let one = try #require(study(request, users).run())
    let two = try #require(study(request, users).run())
    #expect(one.mapping == two.mapping && one.windows == two.windows)
    #expect(one.windowHours == 48 && one.choice.scheme == .sqrt && one.choices.count == 2)
    for row in one.windows {
      let nulls = row.scores.map(\.nullShare)
      #expect(nulls[0] > nulls[1] && nulls[1] > nulls[2] && nulls[2] > 0)
      #expect(row.scores[0].error != row.scores[0].errorWhenShown)
    }
    // A longer window waits longer.
    #expect(one.windows[0].scores[2].longDelay < one.windows[2].scores[2].longDelay)
    request.seed = 8
    #expect(try #require(study(request, users).run()).windows != one.windows)
  }

  @Test func `A designed mapping reports what is uncertain`() throws {
    let users = try sampleUsers(.revenue(days: 35))
    let report = try #require(
      study(try request(.skan3, users.target, scheme: .sqrt), users, population: 9000).run())
    let codes = report.cautions.map(\.code)
    #expect(codes.contains("target-not-determined"))
    #expect(codes.contains("sampled-users"))
    #expect(report.windows[0].brokenShare == 0)
    #expect(report.windows[1].brokenShare > 0)
    #expect(report.windows[2].brokenShare > report.windows[1].brokenShare)
    #expect(codes.contains("thin-values"))
  }

  @Test func `A designed mapping needs a user who pays`() throws {
    var users = DesignUsers(target: .event("never"), currency: usd)
    users.add(edgyCohort(seed: 3), until: late)
    #expect(users.count == 400 && users.payers == 0)
    #expect(study(try request(.skan4, users.target), users).run() == nil)
    let nobody = DesignUsers(target: .revenue(days: 7), currency: usd)
    #expect(study(try request(.skan4, nobody.target), nobody).run() == nil)
  }

  @Test func `A designed mapping of a single payer is still a mapping`() throws {
    var builder = CohortBuilder()
    builder.add(
      user: "one", installed: Instant(seconds: 0), campaign: nil,
      events: [UserEvent(secondsSinceInstall: 5, name: "buy", revenue: Money(micros: 990_000, currency: usd))]
    )
    for device in [Mapping.Device.skan3, .skan4] {
      var users = DesignUsers(target: .revenue(days: 7), currency: usd)
      users.add(builder.cohort(), until: late)
      let report = try #require(
        study(try request(device, users.target), users).run())
      #expect(report.values.contains { $0.users == 1 && $0.mean == 0.99 })
      #expect(MappingDocument.check(report.mapping.json.bytes()).document != nil)
      #expect(report.cautions.contains(.fewUsers(1)))
    }
  }
}

struct `The users of a design` {
  @Test(arguments: [(604_799, 1), (604_800, 0)])
  func `The users of a design are those whose measured days are over when the file ends`(
    end: Int64, unripe: Int
  ) {
    var users = DesignUsers(target: .revenue(days: 7), currency: usd)
    var builder = CohortBuilder()
    builder.add(user: "a", installed: Instant(seconds: 0), campaign: nil, events: [])
    users.add(builder.cohort(), until: Instant(seconds: end))
    #expect(users.unripe == unripe && users.count == 1 - unripe)
  }

  @Test func `The users of a design count revenue within the target's days, in its currency`() {
    var builder = CohortBuilder()
    builder.add(
      user: "a", installed: Instant(seconds: 0), campaign: nil,
      events: [
        UserEvent(secondsSinceInstall: -1, name: "x", revenue: Money(micros: 1, currency: usd)),
        UserEvent(secondsSinceInstall: 172_799, name: "x", revenue: Money(micros: 10, currency: usd)),
        UserEvent(secondsSinceInstall: 172_799, name: "x", revenue: Money(micros: 100, currency: eur)),
        UserEvent(secondsSinceInstall: 172_800, name: "x", revenue: Money(micros: 1000, currency: usd)),
      ])
    var money = DesignUsers(target: .revenue(days: 2), currency: usd)
    money.add(builder.cohort(), until: late)
    #expect(money.users.map(\.target) == [11])
    var events = DesignUsers(target: .event("x"), currency: usd)
    events.add(builder.cohort(), until: late)
    #expect(events.users.map(\.target) == [4_000_000])
  }

  @Test func `The users of a design are split in halves by their keys and the seed`() throws {
    let users = try sampleUsers(.revenue(days: 2))
    let (training, held) = users.halves(seed: 1)
    #expect(Set(training).isDisjoint(with: held) && training.count + held.count == users.count)
    #expect(abs(training.count - held.count) < users.count / 10)
    #expect(users.halves(seed: 2).training != training)
  }
}

struct `Edges by dynamic programming` {
  @Test func `Edges by dynamic programming distinguish campaigns much better than common edges do`() throws {
    var worths = [Double](repeating: 0, count: 60_000 - 59_107)
    for row in String(decoding: try vector("f2p-72h.csv.gz"), as: UTF8.self).split(separator: "\n") {
      let cells = row.split(separator: ",").compactMap { Double($0) }
      worths += Array(repeating: cells[0], count: Int(cells[1]))
    }
    #expect(worths.count == 60_000)
    var study = EdgeStudy(worths: worths, seed: 11)
    study.divisions = 2
    study.campaigns = 30
    let best = try #require(study.error(.sqrt, values: 16))
    #expect(best <= 0.6 * (try #require(study.error(.geometric, values: 16))))
    #expect(best <= 0.35 * (try #require(study.error(.equalWidth, values: 16))))
  }

  @Test
  func `Edges by dynamic programming have smaller errors with more values, and depend only on the seed`()
    throws
  {
    let users = try sampleUsers(.revenue(days: 3))
    var study = EdgeStudy(users, seed: 11)
    study.campaigns = 20
    let few = try #require(study.error(.sqrt, values: 3))
    let some = try #require(study.error(.sqrt, values: 8))
    #expect(few > some)
    #expect(some > (try #require(study.error(.sqrt, values: 63))))
    #expect(study.error(.sqrt, values: 3) == few)
    #expect(EdgeStudy(worths: [0, 0], seed: 1).error(.sqrt, values: 16) == nil)
  }
}

struct `The choice of a cut` {
  /// Ways with errors of four parts, of one size of campaigns.
  private func way(_ scheme: EdgeScheme, _ errors: [Double]) -> FoldErrors {
    FoldErrors(choice: DesignChoice(scheme: scheme), squares: errors.map { [$0 * $0] })
  }

  @Test func `The usual cut is taken unless another is better by more than chance`() {
    let usual = way(.smooth, [0.10, 0.12, 0.08, 0.10])
    let worse = way(.equalWidth, [0.2, 0.2, 0.2, 0.2])
    let surely = way(.equalRoot, [0.09, 0.11, 0.07, 0.09])
    let perhaps = way(.equalRoot, [0.06, 0.13, 0.09, 0.09])
    // Better by one and a half standard errors, as the best of some twenty ways is by chance.
    let luckily = way(.equalRoot, [0.09, 0.118, 0.0815, 0.095])
    #expect(perhaps.error < usual.error)
    #expect(FoldErrors.best([worse, usual, surely], folds: 4)?.scheme == .equalRoot)
    #expect(FoldErrors.best([worse, usual, perhaps], folds: 4)?.scheme == .smooth)
    #expect(luckily.error < usual.error)
    #expect(FoldErrors.best([worse, usual, luckily], folds: 4)?.scheme == .smooth)
    // Another that makes an error small has to be better by 5 % too.
    #expect(FoldErrors.best([usual, way(.sse, [0.097, 0.117, 0.077, 0.097])], folds: 4)?.scheme == .smooth)
    #expect(FoldErrors.best([usual, way(.sse, [0.09, 0.11, 0.07, 0.09])], folds: 4)?.scheme == .sse)
    #expect(FoldErrors.best([worse, surely], folds: 4)?.scheme == .equalRoot)
    #expect(FoldErrors.best([], folds: 4) == nil)
  }

  @Test func `A payer who is in one part alone does not decide between cuts`() {
    // The last part has him; all ways are wrong by him alone there, and as much.
    let usual = way(.smooth, [0.10, 0.12, 0.08, 20])
    let worse = way(.equalRevenue, [0.2, 0.24, 0.16, 19.9])
    #expect(worse.error < usual.error)
    #expect(FoldErrors.best([usual, worse], folds: 4)?.scheme == .smooth)
  }

  @Test func `The error of a cut has no part of nulls where none are expected, and else grows with them`()
    throws
  {
    let worths = (0..<200).map { (user: Int) -> Double in
      guard user % 4 == 0 else { return 0 }
      return Double(1 + user % 17)
    }
    let error = try #require(HeldOutError(worths: worths))
    func square(_ estimates: [Double], _ share: Double) -> Double {
      error.squares(estimates, [CampaignSize(installs: 100, nullShare: share)], learnedOf: 1 << 40)[0]
    }
    #expect(square(worths, 0) < 1e-18)
    let shares = [0, 0.2, 0.5, 0.9, 1].map { square(worths, $0) }
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
    // With nothing shown, values are of no use.
    let mean = worths.reduce(0, +) / 200
    let common = [Double](repeating: mean, count: 200)
    #expect(isClose(square(worths, 1), square(common, 1), within: 1e-6))
    #expect(square(worths, 0.2) < square(common, 0.2))
  }
}

struct `Values by an event` {
  /// Users who pay in the second week if they began a trial on the first day.
  private var users: DesignUsers {
    var builder = CohortBuilder()
    for user in 0..<600 {
      var events = [
        UserEvent(secondsSinceInstall: 10, name: "open"),
        UserEvent(
          secondsSinceInstall: 20, name: "buy",
          revenue: Money(micros: Int64(user % 5) * 990_000, currency: usd)),
      ]
      if user % 3 == 0 {
        events.append(UserEvent(secondsSinceInstall: 3600, name: "trial"))
        events.append(
          UserEvent(
            secondsSinceInstall: 500_000, name: "renew", revenue: Money(micros: 20_000_000, currency: usd)))
      }
      if user % 7 == 0 { events.append(UserEvent(secondsSinceInstall: 7200, name: "level")) }
      builder.add(user: "u\(user)", installed: Instant(seconds: Int64(user)), campaign: nil, events: events)
    }
    var users = DesignUsers(target: .revenue(days: 7), currency: usd)
    users.add(builder.cohort(), until: late)
    return users
  }

  @Test func `Values by an event are tried with events of the window that predict later revenue`() {
    #expect(users.tellingEvents(within: 48).map(\.name) == ["trial"])
    // The event that pays is after the window, and what all users or none have done is no evidence.
    #expect(users.tellingEvents(within: 24 * 7).isEmpty)
  }

  @Test(arguments: [Mapping.Device.skan3, .skan4])
  func `Values by an event are chosen where they distinguish users`(device: Mapping.Device) throws {
    let report = try #require(
      study(try request(device, .revenue(days: 7), window: 24, values: 16), users).run())
    guard case .event(let event) = report.choice.split else {
      Issue.record("chosen: \(report.choice)")
      return
    }
    #expect(event.name == "trial" && report.valuesByBlock.count == 2)
    #expect(report.windows[0].scores.allSatisfy { $0.error.meanShare < 0.01 })
    let reading = MappingDocument.check(report.mapping.json.bytes(pretty: true))
    #expect(reading.findings.isEmpty, "\(reading.findings)")
    #expect(reading.document?.mapping == report.mapping)
  }
}
