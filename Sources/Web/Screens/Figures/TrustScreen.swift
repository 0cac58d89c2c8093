import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Reports
import Tables
import Values

/// Whether network copies can be trusted: copies compared, conflicts, rejected bodies, networks' own totals.
struct TrustScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var page = 1
  var format: Format?
  var table = SavedTable.copies

  /// The table that a file has.
  enum SavedTable: String, CaseIterable, ParameterValue { case copies, tests, conflicts, rejected, totals }

  static let path = "/trust"
  static let place: NavigationPlace? = NavigationPlace(.checks, 1)
  /// Conflicts on a page, each with two bodies.
  static let conflictsOfPage = 15
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("page", \.page, "Page of the conflicts.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
      .init("table", \.table, "Table that the file has."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.trustTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    var report = CrosscheckReport()
    report.period.from = days.lowerBound.start
    report.period.to = days.upperBound.start
    report.scope = scope
    if let format { return try file(format, report, days, context) }
    var form = context.filters(span, scope, apps: try context.apps(scope))
    let crosscheck = try report.answer(from: context.source)
    let networks = Set(crosscheck.rows.lazy.map(\.network)).sorted()
    form.networks(networks, scope, context)
    let sides = networks.map { Side($0, crosscheck) }
    let rates = try context.reader.copyConflictRates(query(days)).filter { $0.contradicted > 0 }
    let rejections = try context.reader.rejections(from: days.lowerBound, to: days.upperBound)
    return .page(
      Page(
        texts.trustTitle, scope: texts.trustScope(days: days.markup), actions: context.fileLinks,
        body: """
          \(form.markup(summary: days.label, dropping: ["last", "page"]))\(keyFigures(sides, rates, rejections, context))\
          \(findings(crosscheck, context))\(copies(sides, crosscheck, context))\(tests(crosscheck, context))\
          \(try conflicts(days, context))\(rejected(rejections, crosscheck, context))\(try totals(days, context))
          """))
  }

  // MARK: Copies

  /// The result of the comparison for one network.
  struct Side: Sendable {
    let network: String
    let both: Int64
    let differing: Int64
    let onlyDevice: Int64
    let onlyNetwork: Int64
    let onlyFiles: Int64
    /// The reasons of what differs, the most frequent first.
    let reasons: [(reason: DifferenceReason, count: Int64)]
    /// Whether the test finds that a side leaves out conversions by their value.
    let selects: Bool

    init(_ network: String, _ answer: ReportAnswer<CrosscheckReport>) {
      let rows = answer.rows.filter { $0.network == network }
      func sum(_ counts: KeyPath<Crosscheck.Row, Int64>) -> Int64 {
        rows.reduce(0) { $0 + $1[keyPath: counts] }
      }
      self.network = network
      both = sum(\.both)
      differing = both - sum(\.agreeing)
      onlyDevice = sum(\.onlyDevices)
      onlyNetwork = sum(\.onlyNetwork)
      onlyFiles = sum(\.onlyFiles)
      let findings = answer.rows(of: CrosscheckReport.findings).filter { $0.network == network }
      reasons = Dictionary(findings.map { ($0.reason, $0.count) }, uniquingKeysWith: +)
        .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
      let test = answer.rows(of: CrosscheckReport.tests).first { $0.network == network }
      selects = test?.leavesOutByValue ?? false
    }

    func badge(_ texts: Texts) -> HTML {
      if selects { return "<span class=\"badge bad\">\(texts.trustSelects)</span>" }
      if differing > 0 { return "<span class=\"badge bad\">\(texts.trustDisagrees)</span>" }
      if both + onlyDevice + onlyNetwork == 0 {
        return "<span class=\"badge\">\(texts.trustOnlyFiles)</span>"
      }
      if both == 0 { return "<span class=\"badge\">\(texts.trustOneSided)</span>" }
      // What is late, or of a device that sends no copies, is no sign of anything.
      let unsettled: Set<DifferenceReason> = [.networkWithholds, .unexplained]
      if reasons.contains(where: { unsettled.contains($0.reason) && $0.count > 0 }) {
        return "<span class=\"badge warn\">! \(texts.trustIncomplete)</span>"
      }
      return "<span class=\"badge good\">✓ \(texts.trustAgrees)</span>"
    }

    var bar: HTML {
      let parts = [(both - differing, "f6"), (differing, "f2"), (onlyDevice, "f1"), (onlyNetwork, "f4")]
      let all = Double(max(1, parts.reduce(0) { $0 + $1.0 }))
      var at = 0.0
      var bars: HTML = ""
      for (count, style) in parts where count > 0 {
        let width = Double(count) / all * 100
        bars +=
          "<rect class=\"\(style)\" x=\"\(trimmed(at, 2))\" width=\"\(trimmed(width, 2))\" height=\"12\"/>"
        at += width
      }
      return
        "<svg class=\"bar\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\(bars)</svg>"
    }
  }

  func keyFigures(
    _ sides: [Side], _ rates: [CopyConflictRate], _ rejections: [RejectionCount],
    _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let both = sides.reduce(0) { $0 + $1.both }
    let all = sides.reduce(0) { $0 + $1.both + $1.onlyDevice + $1.onlyNetwork + $1.onlyFiles }
    // Copies of one side can disagree, too, so these are all conflicts and not only those of the comparison.
    let differing = rates.reduce(0) { $0 + $1.contradicted }
    let rejected = rejections.reduce(0) { $0 + $1.seen }
    let whose = rates.map(\.network)
    let differingOf: HTML =
      whose.count == 1
      ? texts.trustAllOf(network: context.called.network(whose[0])) : texts.trustNetworks(count: whose.count)
    return Panel.figures([
      Panel.figure(texts.trustBoth, Marks.count(both), texts.trustOfConversions(count: Marks.count(all))),
      Panel.figure(
        "<a href=\"#h-conflicts\">\(texts.trustDiffer)</a>", Marks.count(differing),
        differing > 0 ? differingOf : ""),
      Panel.figure(
        "<a href=\"#h-rejected\">\(texts.trustRejected)</a>", Marks.count(rejected), texts.trustNeverCounted),
    ])
  }

  /// What a reader has to know first: networks that leave out conversions by their value.
  func findings(_ answer: ReportAnswer<CrosscheckReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let selecting = answer.rows(of: CrosscheckReport.tests).filter { $0.leavesOutByValue ?? false }
    return selecting.map { test -> HTML in
      let values = test.outstandingValues.joined(separator: ", ")
      return """
        <div class="banner bad" role="note"><div><p><b>\(texts.trustSelecting(network: context.called.network(test.network)))</b> \
        \(texts.trustSelectingHow(values: "\(values)"))</p></div></div>
        """
    }.joined()
  }

  func copies(_ sides: [Side], _ answer: ReportAnswer<CrosscheckReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard !sides.isEmpty else {
      return Panel.empty(
        texts.trustNoCopies, texts.trustNoCopiesReason,
        "<a class=\"btn\" href=\"\(PageAddress(Self.path).with("environment", context.address["environment"].first).with("last", "90d").text)\">\(texts.trustNoCopiesAction)</a>"
      )
    }
    let sentences = Dictionary(
      answer.rows(of: CrosscheckReport.findings).map { ($0.reason, $0.sentence) },
      uniquingKeysWith: { first, _ in first })
    let address = context.address.without(["page", "network"])
    let columns: [DataTable.Column] = [
      .init(
        texts.columnNetwork, isNumber: false,
        sides.map { side in
          "<a class=\"name\" href=\"\(address.with("network", side.network).text)\"><b>\(context.called.network(side.network))</b></a>"
        }),
      .init(texts.trustVerdict, isNumber: false, sides.map { $0.badge(texts) }),
      .init(
        texts.trustBothShort, help: CrosscheckReport.both.help(texts), sides.map { Marks.count($0.both) }),
      .init(texts.trustDifferShort, sides.map { Marks.count($0.differing) }),
      .init(
        texts.trustOnlyDevice, help: CrosscheckReport.onlyDevice.help(texts),
        sides.map { Marks.count($0.onlyDevice) }),
      .init(
        texts.trustOnlyNetwork, help: CrosscheckReport.onlyNetwork.help(texts),
        sides.map { Marks.count($0.onlyNetwork) }),
      .init(texts.trustShares, isNumber: false, style: "wh", sides.map(\.bar)),
      .init(
        texts.trustReasons, isNumber: false, style: "s",
        sides.map { side in
          side.reasons.isEmpty
            ? Marks.none(texts)
            : "<ul class=\"plain\">\(side.reasons.map { reason -> HTML in "<li>\(Self.words(of: reason.reason, texts)): \(Marks.count(reason.count))</li>" }.joined())</ul>"
        }),
    ]
    let legend = Panel.legend(
      [
        (.bar("f6"), texts.trustAgrees), (.bar("f2"), texts.trustDifferShort),
        (.bar("f1"), texts.trustOnlyDevice), (.bar("f4"), texts.trustOnlyNetwork),
      ], style: "legend in")
    let reasons = reasons(
      sentences.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        (Self.words(of: $0.key, texts), $0.value)
      },
      texts)
    return Panel.section(
      "copies", texts.trustCopies, columns: columns, below: "\(legend)\(reasons)", texts)
  }

  private static func words(of reason: DifferenceReason, _ texts: Texts) -> HTML {
    switch reason {
    case .notWon: texts.trustReasonNotWon
    case .oldVersion: texts.trustReasonOldVersion
    case .rejectedForward: texts.trustReasonRejectedForward
    case .rejectedCopy: texts.trustReasonRejectedCopy
    case .late: texts.trustReasonLate
    case .noDeviceCopies: texts.trustReasonNoDeviceCopies
    case .copiesNotBegun: texts.trustReasonCopiesNotBegun
    case .copiesStopped: texts.trustReasonCopiesStopped
    case .noForwards: texts.trustReasonNoForwards
    case .networkWithholds: texts.trustReasonNetworkLacks
    case .valuesChanged: texts.trustReasonValues
    case .countryChanged: texts.trustReasonCountry
    case .fieldsChanged: texts.trustReasonFields
    case .unexplained: texts.trustReasonUnexplained
    }
  }

  /// What the reasons mean, behind a button.
  func reasons(_ sentences: [(word: HTML, sentence: Sentence)], _ texts: Texts) -> HTML {
    guard !sentences.isEmpty else { return "" }
    let list = Panel.list(sentences.map { ($0.word, texts.say($0.sentence)) })
    return "<details class=\"more in\"><summary>\(texts.trustReasonHelp)</summary>\(list)</details>"
  }

  func tests(_ answer: ReportAnswer<CrosscheckReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let tests = answer.rows(of: CrosscheckReport.tests)
    guard !tests.isEmpty else { return "" }
    func ratio(
      _ column: Column<Crosscheck.Mix>, _ title: HTML, _ decimals: Int,
      _ ratio: @escaping (Crosscheck.Mix) -> Ratio?
    ) -> ReportColumn<Crosscheck.Mix> {
      ReportColumn(column, title) { row in
        (ratio(row)?.number).map {
          $0 > 0 && $0 < 0.0001 ? "&lt;\(Marks.local("0.0001"))" : "\(Marks.local(fixed($0, decimals)))"
        } ?? Marks.none(texts)
      }
    }
    let names = DataTable.Column(
      texts.columnNetwork, isNumber: false, tests.map { context.called.network($0.network) })
    let statistics = Panel.table(
      texts.trustStatistics,
      [names]
        + [
          ratio(CrosscheckReport.chiSquare, texts.trustChiSquare, 1, \.chiSquare),
          ReportColumn(CrosscheckReport.degreesOfFreedom, texts.trustFreedom),
          ratio(CrosscheckReport.correctedProbability, texts.trustChance, 4, \.correctedProbability),
          ratio(CrosscheckReport.directionProbability, texts.trustSignTest, 4, \.directionProbability),
        ].of(tests, texts), texts)
    return Panel.section(
      "tests", texts.trustTests, note: texts.trustTestsNote,
      link: context.csv(of: SavedTable.tests.rawValue, called: texts.trustTests),
      columns: [
        names, .init(texts.trustVerdict, isNumber: false, tests.map { Self.verdict($0, texts) }),
      ]
        + [
          ReportColumn(CrosscheckReport.raised, texts.trustRaised),
          ReportColumn(CrosscheckReport.lowered, texts.trustLowered),
        ].of(tests, texts),
      below: """
        <details class="more in"><summary>\(texts.trustStatistics)</summary><p class="s">\(texts.trustStatisticsNote)</p>\(statistics)</details>
        """, texts)
  }

  /// Whether a side leaves out conversions by their value, in a sentence.
  private static func verdict(_ test: Crosscheck.Mix, _ texts: Texts) -> HTML {
    guard let leavesOut = test.leavesOutByValue else { return texts.trustTooFew }
    return leavesOut ? texts.trustSelectsSentence : texts.trustNoSelection
  }

  // MARK: Conflicts

  func query(_ days: Range<Day>) -> PostbackQuery {
    PostbackQuery(
      environment: scope.environment, from: days.lowerBound.start, to: days.upperBound.start,
      apps: scope.apps, networks: scope.networks)
  }

  func conflicts(_ days: Range<Day>, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let query = query(days)
    let first = (page - 1) * Self.conflictsOfPage
    var found: [CopyConflict] = []
    var count = 0
    try context.reader.forEachContradiction(query) { conflict in
      count += 1
      if count > first { found.append(conflict) }
      return count <= first + Self.conflictsOfPage
    }
    let hasMore = count > first + Self.conflictsOfPage
    guard !found.isEmpty else {
      return Panel.section(
        "conflicts", texts.trustConflicts, "<p class=\"soft\">\(texts.trustNoConflicts)</p>")
    }
    let shown = found.prefix(Self.conflictsOfPage)
    return Panel.section(
      "conflicts", texts.trustConflicts, note: texts.trustConflictsNote,
      link: context.csv(of: SavedTable.conflicts.rawValue, called: texts.trustConflicts),
      columns: [
        .init(
          texts.columnPostback, isNumber: false,
          shown.map { conflict in
            """
            <a class="name" href="\(context.address.postback(conflict.identifier).text)"><b class="mono"><bdi>\(conflict.identifier)</bdi></b>\
            <span class="id">\(context.called.shortNetwork(conflict.network)) · <bdi>\(conflict.campaign)</bdi></span></a>
            """
          }),
        .init(
          texts.trustFields, isNumber: false, shown.map { texts.list($0.fields.map { "<code>\($0)</code>" }) }
        ),
        .init(texts.trustFirstCopy, isNumber: false, shown.map { Self.copy($0.first, texts) }),
        .init(texts.trustOtherCopy, isNumber: false, shown.map { Self.copy($0.other, texts) }),
        .init(texts.trustTimes, shown.map { Marks.count($0.times) }),
        .init(
          texts.trustBodies, isNumber: false, style: "s",
          shown.map { conflict in
            """
            <details class="more"><summary>\(texts.trustShowBodies)</summary><div class="stack">\
            \(Self.body(conflict.first, texts.trustFirstCopy, texts))\(Self.body(conflict.other, texts.trustOtherCopy, texts))</div></details>
            """
          }),
      ], below: Panel.pager("\(page)", page: page, hasMore: hasMore, context.address, texts), texts)
  }

  /// The value that a copy claims, and who sent it.
  static func copy(_ copy: CopyConflict.Copy, _ texts: Texts) -> HTML {
    let value =
      switch copy.body.flatMap({ PostbackReading($0).postback })?.claimed.value {
      case .fine(let value): "\(value.number)"
      case .coarse(let value): value.rawValue
      case .absent: "none"
      case .rejected: "impossible"
      case nil: ""
      }
    let name = copy.origin.name
    let route = name.isEmpty ? copy.origin.route.rawValue : "\(copy.origin.route.rawValue) \(name)"
    let claimed: HTML = value.isEmpty ? texts.trustNotKept : "<b>\(value)</b>"
    return
      "\(claimed)<span class=\"sub\"><bdi>\(route)</bdi></span><span class=\"sub\">\(Marks.moment(copy.receivedAt))</span>"
  }

  static func body(_ copy: CopyConflict.Copy, _ name: HTML, _ texts: Texts) -> HTML {
    guard let body = copy.body else { return "<p>\(name): \(texts.trustNotKept)</p>" }
    // A body of 64 KiB would make the page too large; the page of the postback has all of it.
    let text = String(decoding: body.prefix(2000), as: UTF8.self)
    return """
      <h3>\(name)</h3><pre class="bytes" tabindex="0" role="group" aria-label="\(name)">\(text)\(body.count > 2000 ? "…" : "")</pre>
      """
  }
}
