import Arguments
import Campaigns
import EstimateReports
import Estimates
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// Which of two networks, campaigns or sets of them is better, with a rule for stopping that holds although one looks every day.
struct ExperimentScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var search = ExperimentSearch()

  static let path = PageAddress.experimentsPath
  static let place: NavigationPlace? = NavigationPlace(.details, 7)
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + Parameter.all(of: \.search)
  /// Campaigns to choose from, those with the most conversions.
  private static let mostChoices = 100

  static func title(_ texts: Texts) -> HTML { texts.experimentTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    let scopeLine = texts.experimentScope(days: days.markup)
    var body: HTML = "\(context.experimentTabs)\(try filters(days, context))"
    do {
      if let found = try findings(days, context) {
        body += try result(found, days, context)
      } else {
        body += Panel.empty(texts.experimentChooseTitle, texts.experimentChooseReason)
      }
    } catch ExperimentConfusion.severalApps(let apps) {
      let links = apps.map { app -> HTML in
        "<a class=\"btn\" href=\"\(context.address.with("app", "\(app.number)").text)\">\(context.called.shortApp("\(app.number)"))</a>"
      }
      body += Panel.empty(
        texts.experimentCannot, texts.experimentSeveralApps,
        "<p class=\"row\">\(links.joined(separator: " "))</p>")
    } catch ExperimentConfusion.severalCurrencies(let names) {
      body += Panel.empty(
        texts.experimentCannot,
        texts.experimentSeveralCurrencies(currencies: "<bdi>\(names.joined(separator: ", "))</bdi>"))
    }
    return .page(
      Page(
        texts.experimentTitle, scope: scopeLine, actions: context.copyLink, scripts: [.chartScript],
        body: body))
  }

  private func findings(_ days: Range<Day>, _ context: ScreenContext) throws -> ExperimentFindings? {
    let words = [
      "experiment", search.arm(\.a)?.text ?? "", search.arm(\.b)?.text ?? "", search.measure,
      "\(search.planned)", "\(search.level)",
      "\(search.digits)", days.lowerBound.description, days.upperBound.description,
      scope.environment.rawValue, scope.apps.map(\.parameterText).joined(separator: ","),
    ]
    return try context.remembered(words.joined(separator: " ")) {
      try search.answer(days, scope, from: context.source)
    }
  }

  // MARK: Form

  private func filters(_ days: Range<Day>, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    var form = FilterForm(context.address, texts)
    let choices = try choices(days, context)
    for (name, letter, chosen) in [("a", "A" as HTML, search.a), ("b", "B", search.b)] {
      choices.add(to: &form, name, letter, chosen, texts)
    }
    let events = try ExperimentSearch.events(context.source).map {
      (value: "event:\($0)", word: texts.experimentEvent(name: "\($0)"))
    }
    form.choice(
      "measure", texts.experimentMeasure, search.measure,
      [("revenue", texts.columnRevenue), ("null-rate", texts.columnWithheld)] + events)
    form.day("from", texts.filterFrom, days.lowerBound.description)
    form.day("through", texts.filterThrough, days.lastDay.description)
    form.search("planned", texts.experimentPlanned, "\(search.planned)")
    form.choice(
      "level", texts.experimentLevel, "\(search.level)",
      Self.levels(search.level).map { ("\($0)", "\("\($0)" as String) %") })
    form.digits(search.digits)
    form.apps(try context.apps(scope), scope, context)
    form.environment(scope.environment.rawValue)
    return form.markup(summary: days.label, dropping: ["last"])
  }

  /// The networks and their campaigns in these days, by what people call them.
  private func choices(_ days: Range<Day>, _ context: ScreenContext) throws -> ArmChoices {
    var report = context.campaigns(days, scope, by: [.stored(.network), .stored(.campaign)])
    report.digits = search.digits
    let answer = try report.answer(
      from: context.source, for: .names, sort: CampaignReport.postbacks.descending)
    return ArmChoices(answer.rows.map(\.place), mostCampaigns: Self.mostChoices, context)
  }

  private static func levels(_ chosen: Int) -> [Int] { Set([90, 95, 99, chosen]).sorted() }

  // MARK: Result

  private func result(_ found: ExperimentFindings, _ days: Range<Day>, _ context: ScreenContext) throws
    -> HTML
  {
    let texts = context.texts
    var body: HTML = verdict(found, texts)
    // A first day that moves with today makes each look another experiment.
    if span.from == nil { body += "<p class=\"note\">\(texts.experimentFixDays)</p>" }
    for arm in found.arms where arm.conversions == 0 {
      body += """
        <p class="note">\(texts.experimentNothing(campaign: "<bdi>\(arm.arm.text)</bdi>"))</p>
        """
    }
    if found.isSplitChanging {
      body += Panel.banner(texts.experimentSplit, .warning)
    }
    body += try sequence(found, context)
    body += try arms(found, days, context)
    body += oneLook(found, texts)
    let money = context.address.moved(to: CampaignsScreen.path, keeping: OverviewScreen.kept)
    let link: HTML = "<a href=\"\(money.text)\">\(texts.campaignsTitle)</a>"
    body += "<p class=\"note\" id=\"shows\">\(texts.experimentShows(campaigns: link))</p>"
    if found.hasBothKinds { body += "<p class=\"note\">\(texts.experimentBothKinds)</p>" }
    return body
  }

  private func verdict(_ found: ExperimentFindings, _ texts: Texts) -> HTML {
    func decided(_ letter: HTML) -> HTML {
      let day = found.decided.map { Marks.day($0.day, hasYear: true) } ?? ""
      let bounds = found.decided.flatMap { interval($0.difference, found) } ?? ""
      return search.measure == "null-rate"
        ? texts.experimentMoreNulls(letter: letter, day: day, interval: bounds)
        : texts.experimentBetter(letter: letter, day: day, interval: bounds)
    }
    let (style, sentence): (String, HTML) =
      switch found.verdict {
      case .higher: ("info", decided("B"))
      case .lower: ("info", decided("A"))
      case .open: ("", texts.experimentOpen)
      case .tooFew: ("", texts.experimentTooFew(count: ExperimentFindings.fewest))
      }
    var again: HTML = ""
    if let first = found.decided?.difference.bounds, let last = found.sequence, let bounds = last.bounds,
      let range = interval(last, found)
    {
      if bounds.low <= 0, bounds.high >= 0 {
        again = "<p>\(texts.experimentAgain(interval: range))</p>"
      } else if (bounds.low > 0) != (first.low > 0) {
        again = "<p>\(texts.experimentTurned(interval: range))</p>"
      }
    }
    return """
      <div class="banner \(style)" role="status" id="verdict"><div><p><b>\(sentence)</b></p>\(again)\
      <p class="s">\(texts.experimentRule(planned: Marks.count(Int64(search.planned))))</p></div></div>
      """
  }

  private func number(_ value: Double, _ found: ExperimentFindings) -> HTML {
    guard !found.areShares else {
      return """
        <data value="\(trimmed(value, 6))">\(Marks.local("\(fixed(value * 100, 2).replacing("-", with: "−")) %"))</data>
        """
    }
    // Two decimals, as amounts have; more where they would show nothing.
    let decimals = value.magnitude < 0.1 ? 4 : 2
    return
      "<data value=\"\(trimmed(value, 6))\">\(value == 0 ? "0" : Marks.local(fixed(value, decimals).replacing("-", with: "−")))</data>"
  }

  private func interval(_ difference: ExperimentFindings.Difference, _ found: ExperimentFindings) -> HTML? {
    difference.bounds.map { Marks.range(number($0.low, found), number($0.high, found)) }
  }

  /// The difference at each look, with the band that has to leave 0.
  private func sequence(_ found: ExperimentFindings, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let note = texts.experimentSequenceNote(level: "\("\(search.level)" as String)")
    guard let last = found.sequence, let bounds = interval(last, found) else {
      return Panel.section(
        "sequence", texts.experimentSequence, note: note,
        "<p class=\"soft\">\(texts.experimentTooFew(count: ExperimentFindings.fewest))</p>")
    }
    let looks = found.looks
    let shown = looks.filter { $0.difference.bounds != nil }
    var chart = SeriesChart(
      shown.map { Marks.shortDay($0.day) },
      least: shown.compactMap { $0.difference.bounds?.low }.min() ?? 0,
      most: shown.compactMap { $0.difference.bounds?.high }.max() ?? 0)
    chart.style = { Marks.local($0) }
    chart.area(
      shown.map { $0.difference.bounds?.low }, shown.map { $0.difference.bounds?.high }, style: "band")
    chart.line(shown.map { $0.difference.bounds?.low }, style: "k1 d2")
    chart.line(shown.map { $0.difference.bounds?.high }, style: "k1 d2")
    chart.line(shown.map(\.difference.mid), style: "k1")
    let marks = try DayMarks(shown.map(\.day), scope, context)
    chart.marks(marks.places)
    let view = Panel.table(
      texts.experimentSequence,
      [
        .init(texts.columnArrivalDay, isNumber: false, shown.map { Marks.day($0.day, hasYear: true) }),
        .init(texts.experimentDifference, shown.map { number($0.difference.mid, found) }),
        .init(
          texts.experimentBoundary, shown.map { interval($0.difference, found) ?? Marks.none(texts) }),
      ], texts)
    return Panel.section(
      "sequence", texts.experimentSequence, note: note,
      """
      <p class="row"><b>\(texts.experimentDifference): \(number(last.mid, found))</b> <span>\(bounds)</span></p>\
      <p class="s soft">\(texts.say(phrase: found.measure))</p>\
      \(Panel.chart(
        "looks",
        legend: [(.line("k1"), texts.experimentDifference), (.line("k1 d2"), texts.experimentBoundary)] + marks.legend,
        chart.markup(label: texts.experimentChart), slider: texts.columnArrivalDay, count: shown.count, table: view,
        below: marks.list, texts))
      """)
  }

  private func arms(
    _ found: ExperimentFindings, _ days: Range<Day>, _ context: ScreenContext
  ) throws -> HTML {
    let (texts, arms) = (context.texts, found.arms)
    let names = try choices(days, context)
    func link(_ arm: ExperimentFindings.Arm, _ count: Int64, value: String? = nil) -> HTML {
      // Of several campaigns no one address has the postbacks.
      guard let part = arm.arm.parts.first, arm.arm.parts.count == 1 else { return Marks.count(count) }
      return context.address.count(
        count, days,
        [
          ("network", part.network), ("campaign", part.campaign),
          ("digits", part.campaign == nil ? nil : "\(search.digits)"), ("window", "1"), ("value", value),
        ])
    }
    return Panel.section(
      "arms", texts.experimentArms, note: texts.experimentArmsNote,
      columns: [
        .init(
          texts.experimentArmColumn, isNumber: false,
          arms.map { arm in
            let parts = arm.arm.parts.map { part -> HTML in
              "<span class=\"sub\">\(names.name(of: part))</span>"
            }
            return "<b>\(arm.letter)</b>\(parts.joined())"
          }),
        .init(
          texts.columnConversions, help: texts.experimentConversionsHelp,
          arms.map { link($0, $0.conversions) }),
        .init(texts.experimentShown, help: texts.experimentShownHelp, arms.map { Marks.count($0.shown) }),
        .init(texts.columnWithheld, arms.map { link($0, $0.nulls, value: "none") }),
        .init(texts.nullsCoarse, arms.map { Marks.count($0.coarse) }),
        .init(texts.columnUnmapped, arms.map { Marks.count($0.unmapped) }),
        .init(texts.experimentMean, arms.map { $0.mean.map { number($0, found) } ?? Marks.none(texts) }),
        .init(texts.experimentSpread, arms.map { $0.spread.map { number($0, found) } ?? Marks.none(texts) }),
      ], texts)
  }

  /// The interval that looking more than once makes wrong, marked as such.
  private func oneLook(_ found: ExperimentFindings, _ texts: Texts) -> HTML {
    let content: HTML
    if let difference = found.oneLook, let bounds = interval(difference, found) {
      content = """
        <p class="row"><span class="badge warn">! \(texts.experimentOneLookBadge)</span> \
        <span>\(number(difference.mid, found))</span> <span>\(bounds)</span></p>
        """
    } else {
      content = "<p class=\"soft\">\(texts.experimentTooFewForAny)</p>"
    }
    return Panel.section(
      "one-look", texts.experimentOneLook,
      note: texts.experimentOneLookNote(level: "\("\(search.level)" as String)"), content)
  }
}
