import Alerts
@testable import Assistants
import Campaigns
import EstimateReports
import Estimates
import JSONText
import Ledger
import PostbackFixtures
import Postbacks
import Reports
import SampleData
import Tables
import Testing
import Values
@_spi(Unsigned) import Verification

/// The same question about money, asked on every page, in the digest, by an assistant and by the command.
struct `Money that all surfaces agree on` {
  private static let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)
  /// The last week that is over, whose digest judges the install days of the question.
  private static let monday = Digest.lastWeek(before: now)

  /// A database: what arrived, what values mean, and what was paid.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var apps: [(number: Int64, currency: String)] = [(1, "EUR")]
    var campaigns = ["1211", "3422", "5633"]
    var outcomes: [Outcome] = [.install]
    var hasMapping = true
    var withheld = 3
    var spendCurrencies = ["EUR"]
    var hasRates = false
    var horizon: Int?
    var sampleSeed: UInt64?
  }

  private static let cases: [Case] = [
    Case(testDescription: "sample data", sampleSeed: 1),
    Case(testDescription: "sample data of another seed", sampleSeed: 2),
    Case(testDescription: "one app"),
    Case(testDescription: "two currencies without rates", apps: [(1, "EUR"), (2, "USD")]),
    Case(
      testDescription: "two currencies with rates", apps: [(1, "EUR"), (2, "USD")],
      spendCurrencies: ["EUR", "USD"], hasRates: true),
    Case(testDescription: "no spend", spendCurrencies: []),
    Case(testDescription: "no mapping", hasMapping: false),
    Case(testDescription: "one campaign", campaigns: ["1211"]),
    Case(
      testDescription: "redownloads and re-engagements",
      outcomes: [.install, .redownload, .install, .reengagement]),
    Case(testDescription: "own users by day 7", horizon: 7),
    Case(testDescription: "all values withheld", withheld: 1),
    Case(testDescription: "spend in a currency without a rate", spendCurrencies: ["CHF"]),
  ]

  private struct Filled {
    let site: OpenSite
    let database: String
    var cookie: String?
    var scope = Scope()
  }

  private func filled(_ data: Case) throws -> Filled {
    if let seed = data.sampleSeed {
      let site = try OpenSite(at: Self.now)
      let sample = SampleDatabase(
        path: site.database + "-sample/skan.db", samples: site.database + "-sample", now: Self.now,
        seed: seed, share: 0.05)
      #expect(try sample.make())
      var filled = Filled(site: site, database: sample.path, cookie: "skan-sample=1")
      filled.scope.environment = .test
      return filled
    }
    let site = try OpenSite(at: Self.now) { database in try fill(database, data) }
    return Filled(site: site, database: site.database)
  }

  private func fill(_ database: String, _ data: Case) throws {
    var random = SplitMix64(seed: 7)
    var receipts: [Receipt] = []
    for app in data.apps {
      for (place, campaign) in data.campaigns.enumerated() {
        for day in 5...45 {
          for index in 0..<(6 + 2 * place) {
            let installed =
              Self.now.day.start + (-Int64(day) * 86_400 + Int64(random.number(below: 86_400))) * 1000
            let value: ConversionValue =
              index % data.withheld == 0 ? .absent : fine(random.number(below: 2))
            receipts.append(
              valid(
                "\(app.number) \(campaign) \(day) \(index)", value: value,
                at: installed + Int64(72 * 3600 + random.number(below: 86_400)) * 1000,
                network: "net.skadnetwork", app: app.number, campaign: campaign,
                outcome: data.outcomes[index % data.outcomes.count], environment: .production))
          }
        }
      }
    }
    try store(receipts, in: database)
    let store = try ReferenceStore(path: database)
    if data.hasMapping {
      let mappings = data.apps.compactMap { OpenSite.mapping($0.number, $0.currency) }
      try MappingStore(path: database).replaceAll(with: mappings)
      if let horizon = data.horizon {
        for mapping in mappings {
          try store.replaceWorth(
            of: mapping.app, effectiveFrom: mapping.effectiveFrom,
            with: (0..<2).map {
              ValueWorthRow(
                app: mapping.app, effectiveFrom: mapping.effectiveFrom, horizon: .days(horizon),
                currency: "EUR", value: $0, each: (0..<40).map { Int64($0) * 150_000 })
            })
        }
        _ = try store.put([ChosenMoney(currency: nil, days: horizon)])
      }
    }
    _ = try store.put(
      (1...45).flatMap { day in
        data.spendCurrencies.enumerated().flatMap { place, currency in
          data.campaigns.map { campaign in
            SpendRow(
              day: Day(number: Self.now.day.number - Int32(day)), network: "net.skadnetwork",
              campaign: campaign, app: data.apps[place % data.apps.count].number, currency: currency,
              micros: 4_130_000 + Int64(place) * 1_000_000)
          }
        }
      })
    if data.hasRates {
      _ = try store.put([
        RateRow(
          day: Day(number: Self.now.day.number - 60), currency: "USD", quote: "EUR", picos: 911_000_000_000)
      ])
    }
  }

  /// The exact figures of a row as pages carry them; of a return four decimals.
  private func figures(_ row: EstimateReport.Row) -> [String] {
    let revenue = row.estimatedRevenueInterval?.ends
    let returns = row.returnsInterval?.ends
    let amounts = [
      row.spend, row.estimatedRevenue, row.estimatedRevenue == nil ? nil : revenue?.low,
      row.estimatedRevenue == nil ? nil : revenue?.high, row.costPerInstall,
    ]
    let ratios = [
      row.returns?.number, row.returns == nil ? nil : returns?.low.units,
      row.returns == nil ? nil : returns?.high.units,
    ]
    return amounts.compactMap { $0.map { trimmed($0.units, 6) } }
      + ratios.compactMap { $0.map { trimmed($0, 4) } } + [trimmed(row.installs, 6)]
  }

  /// The values that the elements of a part of a page carry.
  private func values(in text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: /<data value="([^"]*)">/).map { String($0.1) })
  }

  private func part(_ pattern: Regex<Substring>, of page: String) -> Substring {
    page.firstMatch(of: pattern.dotMatchesNewlines())?.output ?? ""
  }

  @Test(arguments: cases) func `The same question has the same answer everywhere`(data: Case) throws {
    let filled = try filled(data)
    let source = ReportSource(reader: try LedgerReader(path: filled.database), now: Self.now)
    let digest = try Digest(
      weekOf: Self.monday, environment: filled.scope.environment, from: source)
    let to = Day(number: digest.end.number - EstimateReport.daysToArrive)
    let days = Day(number: to.number - 28)..<to
    let money = try ReportingMoney(ofService: source.reader, now: Self.now)
    let report = EstimateReport(days, filled.scope, in: money)
    let answer = try report.answer(from: source)
    let totals = answer.rows(of: EstimateReport.totals)
    #expect(totals.isEmpty != data.hasMapping)
    let query =
      "from=\(days.lowerBound)&through=\(Day(number: to.number - 1))&environment=\(filled.scope.environment)"

    // Overview: the row of figures.
    let overview = try filled.site.page("/?\(query)", cookie: filled.cookie)
    let cards = values(in: part(/<dl class="figs.*?<\/dl>/, of: overview))
    for row in totals {
      for figure in figures(row) { #expect(cards.contains(figure), "overview lacks \(figure) of \(row)") }
    }
    // A campaign's page.
    for row in answer.rows.prefix(3) {
      let place = [
        "app=\(row.app.map { "\($0.number)" } ?? "")", "network=\(row.network ?? "")",
        "campaign=\(row.digits ?? "")", "digits=\(report.digits)",
      ]
      let page = try filled.site.page(
        "/campaign?\(query)&\(place.joined(separator: "&"))", cookie: filled.cookie)
      let cards = values(in: part(/<dl class="figs.*?<\/dl>/, of: page))
      for figure in figures(row) {
        #expect(cards.contains(figure), "campaign \(row.digits ?? "") lacks \(figure)")
      }
    }
    // The digest of the week.
    #expect(digest.money == totals.map(Digest.Money.init))

    // The command with the currency and days of the service, and an assistant that names none.
    var texts = [
      "environment": [filled.scope.environment.rawValue], "from": ["\(days.lowerBound)"], "to": ["\(to)"],
    ]
    let tool = try #require(assistantTools.first { $0.name == "report_estimates" })
    let keyring = try Keyring(trusting: [])
    let path = filled.database
    let asked = try tool.ask(texts)(
      AssistantSource(
        database: path, keyring: keyring, clock: { Self.now },
        open: { try LedgerReader(path: path) }, rules: { AlertRules() }))
    texts["currency"] = money.currency.map { [$0.text] }
    texts["horizon"] = money.days.map { ["\($0)"] }
    let command = try ReportKind(EstimateReport.self).inquiry(texts)(source, 50, nil)
    let own = try report.answer(from: source, limit: 50).document
    #expect(command.text(.json) == own.text(.json))
    let printed = try JSONReader.read(Array(own.text(.json).utf8)).value.object
    let structured = try JSONReader.read(asked.structured.bytes()).value.object
    for name in ["rows", "totals"] {
      let (a, b) = (printed?[name]?.value, structured?[name]?.value)
      #expect(a.map { JSONOutput($0).text() } == b.map { JSONOutput($0).text() }, "\(name)")
    }
  }

  @Test(arguments: cases) func `Why it moved explains the revenue that all pages have`(data: Case) throws {
    let filled = try filled(data)
    let source = ReportSource(reader: try LedgerReader(path: filled.database), now: Self.now)
    let days = EstimateReport.installDays(14, at: Self.now)
    let earlier = Day(number: days.lowerBound.number - 14)..<days.lowerBound
    let money = try ReportingMoney(ofService: source.reader, now: Self.now)
    func estimates(_ days: Range<Day>) throws -> ReportAnswer<EstimateReport> {
      try EstimateReport(days, filled.scope, in: money).answer(from: source)
    }
    let (before, after) = (try estimates(earlier), try estimates(days))
    var report = CausesReport()
    (report.period.from, report.period.to, report.scope) = (days.lowerBound, days.upperBound, filled.scope)
    (report.currency, report.days) = (money.currency, money.days)
    let answer = try report.answer(from: source)
    let sums = answer.rows(of: CausesReport.periods)
    let query =
      "from=\(days.lowerBound)&through=\(Day(number: days.upperBound.number - 1))&environment=\(filled.scope.environment)"
    let page = values(in: try filled.site.page("/causes?\(query)", cookie: filled.cookie))
    #expect(sums.isEmpty != data.hasMapping && sums.count == after.rows(of: EstimateReport.totals).count)
    for own in sums {
      func total(_ answer: ReportAnswer<EstimateReport>) throws -> EstimateReport.Row {
        try #require(
          answer.rows(of: EstimateReport.totals).first {
            $0.currency == own.measure.currency && $0.horizon == own.measure.horizon
          })
      }
      let (first, second) = (try total(before), try total(after))
      #expect(own.revenue.before == first.estimatedRevenue && own.revenue.after == second.estimatedRevenue)
      #expect(own.conversions == (first.conversions, second.conversions))
      let lines = answer.rows.filter { $0.measure == own.measure }
      guard let earlier = first.estimatedRevenue, let later = second.estimatedRevenue else {
        #expect(lines.isEmpty)
        continue
      }
      let all = lines.first { $0.isWhole }
      let whole = try #require(all).amount
      #expect(whole == later.subtracting(earlier))
      #expect(lines.filter { !$0.isWhole }.reduce(0) { $0 + $1.amount.micros } == whole.micros)
      for amount in [earlier, later, whole.magnitude] {
        #expect(page.contains(trimmed(amount.units, 6)), "the page lacks \(amount)")
      }
    }
    func revenue(_ answer: ReportAnswer<EstimateReport>, _ row: CausesReport.CampaignRow) -> Amount {
      answer.rows.first {
        $0.place.unnamed == row.place.unnamed && $0.currency == row.measure.currency
          && $0.horizon == row.measure.horizon
      }?.estimatedRevenue ?? .zero
    }
    for row in answer.rows(of: CausesReport.campaigns).prefix(3) {
      guard let change = row.change else { continue }
      #expect(change == revenue(after, row).subtracting(revenue(before, row)))
      let place = [
        "app=\(row.place.app.map { "\($0.number)" } ?? "")", "network=\(row.place.network ?? "")",
        "campaign=\(row.place.digits ?? "")", "digits=\(report.digits)",
      ]
      let part = try filled.site.section(
        "moved", of: "/campaign?\(query)&\(place.joined(separator: "&"))", cookie: filled.cookie)
      #expect(values(in: part).contains(trimmed(change.magnitude.units, 6)), "\(place) lacks \(change)")
    }
    // An assistant that names neither currency nor days has those of the service.
    let texts = [
      "environment": [filled.scope.environment.rawValue], "from": ["\(days.lowerBound)"],
      "to": ["\(days.upperBound)"],
    ]
    let (path, keyring) = (filled.database, try Keyring(trusting: []))
    let tool = try #require(assistantTools.first { $0.name == "report_causes" })
    let asked = try tool.ask(texts)(
      AssistantSource(
        database: path, keyring: keyring, clock: { Self.now },
        open: { try LedgerReader(path: path) }, rules: { AlertRules() }))
    let structured = try JSONReader.read(asked.structured.bytes()).value.object
    let own = try report.answer(from: source, limit: 50).document
    let printed = try JSONReader.read(Array(own.text(.json).utf8)).value.object
    for name in ["rows", "compared-periods"] {
      let (a, b) = (printed?[name]?.value, structured?[name]?.value)
      #expect(a.map { JSONOutput($0).text() } == b.map { JSONOutput($0).text() }, "\(name)")
    }
  }

  /// An experiment is decided by looks at what has arrived, so that it has neither revenue nor return of installs.
  @Test(arguments: cases) func `An experiment compares what arrived, states so, and leads to the revenue`(
    data: Case
  ) throws {
    let filled = try filled(data)
    let source = ReportSource(reader: try LedgerReader(path: filled.database), now: Self.now)
    let days = EstimateReport.installDays(14, at: Self.now)
    var arrived = CampaignReport()
    (arrived.period.from, arrived.period.to, arrived.scope) = (
      days.lowerBound, days.upperBound, filled.scope
    )
    (arrived.digits, arrived.conditions) = (2, ["window=1"].compactMap { ReportCondition(parameter: $0) })
    let lines = try arrived.answer(from: source).rows.filter { $0.digits != nil }
    let app = try #require(lines.first?.app)
    let arms = lines.filter { $0.app == app }
    guard arms.count > 1 else { return }
    func name(_ line: CampaignTable.Line) -> String { "\(line.network ?? "")/\(line.digits ?? "")" }
    var experiment = ExperimentReport()
    experiment.search.a = [try #require(ExperimentArm.Part(parameter: name(arms[0])))]
    experiment.search.b = [try #require(ExperimentArm.Part(parameter: name(arms[1])))]
    (experiment.period.from, experiment.period.to) = (days.lowerBound, days.upperBound)
    (experiment.app, experiment.environment) = (app, filled.scope.environment)
    let found = try experiment.answer(from: source).rows
    for (arm, line) in zip(found, arms) {
      #expect(arm.conversions == line.counts.winners && arm.nulls == line.counts.valueNull)
    }
    let query =
      "from=\(days.lowerBound)&through=\(Day(number: days.upperBound.number - 1))&environment=\(filled.scope.environment)"
    let page = try filled.site.page(
      "/experiments?\(query)&app=\(app.number)&a=\(name(arms[0]))&b=\(name(arms[1]))", cookie: filled.cookie)
    #expect(page.contains("Conversions</th>") || page.contains(">Conversions<"))
    let note = part(/<p class="note" id="shows">.*?<\/p>/, of: page)
    #expect(note.contains("Revenue and return of installs, with withheld values, are on"))
    #expect(note.contains("href=\"/campaigns?"))
    #expect(!page.contains("Winning installs"))
  }

  @Test func `The chart states what was paid on days without installs, so that its days add up`() throws {
    let site = try filled(Case(testDescription: "one app")).site
    // Spend goes on for four days after the last installs.
    let words = "was paid on days without installs"
    #expect(try site.page("/?from=2026-11-01&through=2026-11-23").contains(words))
    #expect(try !site.page("/?from=2026-11-01&through=2026-11-15").contains(words))
  }

  @Test func `Each of several totals has the spend and the return of its own apps`() throws {
    let data = Case(
      testDescription: "two currencies", apps: [(1, "EUR"), (2, "USD")], spendCurrencies: ["EUR", "USD"])
    let filled = try filled(data)
    let source = ReportSource(reader: try LedgerReader(path: filled.database), now: Self.now)
    let days = Day(number: Self.now.day.number - 35)..<Day(number: Self.now.day.number - 7)
    func totals(_ apps: [Int64]) throws -> [EstimateReport.Row] {
      var scope = Scope()
      scope.apps = apps.compactMap { AppID($0) }
      return try EstimateReport(days, scope, in: ReportingMoney()).answer(from: source)
        .rows(of: EstimateReport.totals)
    }
    let both = try totals([])
    #expect(both.compactMap(\.currency?.text) == ["EUR", "USD"])
    for (row, app) in zip(both, [Int64(1), 2]) {
      let alone = try #require(totals([app]).first)
      #expect(row.returns != nil && row.verdict != nil && row.costPerInstall != nil)
      #expect(figures(row) == figures(alone))
    }
  }
}
