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

/// What to change so that Apple shows more values: figures first, then proposals, campaigns, and splits of a budget.
struct PlanScreen: ReportScreen, MoneyScreen {
  var span = DaySpan()
  var scope = Scope()
  var money = MoneyChoice()
  var share = PlanReport().share
  var budget: PlanAmount?
  var days = PlanReport().days
  var costs: [NetworkCost] = []
  var limits: [CampaignLimit] = []
  var chosen: [String] = []
  var sort = Self.usualSort
  var page = 1
  var format: Format?
  var table: SavedTable?

  /// The table that a file has.
  enum SavedTable: String, CaseIterable, ParameterValue { case campaigns, proposals, splits }

  static let path = "/plan"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.daily, 4)
  static let fileName = "plan"
  static let rowsOfPage = 100
  private static let usualSort = PlanReport.installsADay.descending
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + Parameter.all(of: \.money) + [
      .init("share", \.share, "Percentage of values that shall be shown.", in: 1...99),
      .init("budget", \.budget, "Amount to split."),
      .init("days", \.days, "Days that are played, and that the budget is for.", in: PlanReport.playableDays),
      .init("cost", \.costs, "Cost per install of a network."),
      .init("campaigns", \.limits, "Most campaigns of a network."),
      .init("choose", \.chosen, "Proposals that are predicted together."),
      .init("sort", \.sort, "Column to sort by."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
      .init("table", \.table, "Table that the file has."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.nextPlanTitle }

  var order: (sort: String, usual: String)? { (sort, Self.usualSort) }

  func shownSpan(at now: Instant) -> DaySpan { DaySpan(span.installDays(at: now)) }

  func report(_ installs: Range<Day>, _ context: ScreenContext) throws -> PlanReport {
    var report = PlanReport()
    (report.period.from, report.period.to) = (installs.lowerBound, installs.upperBound)
    (report.scope, report.share, report.budget, report.days) = (scope, share, budget, days)
    (report.costs, report.limits, report.chosen) = (costs, limits, chosen)
    let money = try context.money(money, scope)
    (report.currency, report.horizon) = (money.currency, money.days)
    return report
  }

  func answer(of report: PlanReport, _ context: ScreenContext) throws -> ReportAnswer<PlanReport> {
    try answered(report) { try $0.answer(from: context.source, sort: sort, usual: Self.usualSort) }
  }

  func file(_ format: Format, _ report: PlanReport, _ context: ScreenContext) throws -> PageAnswer {
    let name = table == .campaigns ? nil : table?.rawValue
    let text = try answered(report) { try $0.text(format, from: context.source, table: name) }
    return .file(name ?? Self.fileName, format, text)
  }

  /// Without the budget where a cost is missing, which the page then asks for, and without a choice of proposals that other
  /// days or filters do not have.
  private func answered<Answer>(_ report: PlanReport, _ ask: (PlanReport) throws -> Answer) throws -> Answer {
    var report = report
    while true {
      do {
        return try ask(report)
      } catch let error as ParameterError where error.name == "budget" && report.budget != nil {
        report.budget = nil
      } catch let error as ParameterError where error.name == "choose" && !report.chosen.isEmpty {
        report.chosen = []
      }
    }
  }

  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<PlanReport>, _ context: ScreenContext
  ) throws {
    let texts = context.texts
    form.currency(money.currency, rates: try context.reader.rates(), usual: texts.filterAsEveryone, texts)
    form.horizon(
      money.horizon, known: try context.reader.valueWorth(), of: scope.apps, usual: texts.filterAsEveryone,
      texts)
    form.number("share", texts.nextPlanShare, "\(share)")
    form.number("budget", texts.nextPlanBudget, budget?.parameterText ?? "")
    form.number("days", texts.nextPlanDays, "\(days)")
    form.search("cost", texts.nextPlanCost, costs.map(\.parameterText).joined(separator: ","))
  }

  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML { texts.nextPlanScope(days: days.markup) }

  func empty(_ answer: ReportAnswer<PlanReport>, _ context: ScreenContext) throws -> HTML {
    let splits = splits(answer, context)
    guard splits.text.isEmpty else { return "\(splits)\(basis(answer, context))" }
    return "\(needsCost(answer, context.texts))\(try NothingHere.markup(context, scope))"
  }

  func panels(
    _ answer: ReportAnswer<PlanReport>, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    """
    \(needsCost(answer, context.texts))\(otherChoice(answer, context.texts))\(figures(answer, context.texts))\(proposals(answer, context))\
    \(campaigns(answer, context))\(splits(answer, context))\(basis(answer, context))
    """
  }

  // MARK: Panels

  private func needsCost(_ answer: ReportAnswer<PlanReport>, _ texts: Texts) -> HTML {
    budget != nil && answer.rows(of: PlanReport.splits).isEmpty
      ? Panel.banner(texts.nextPlanNoCost, .warning) : ""
  }

  /// Where what was chosen cannot be predicted together.
  private func otherChoice(_ answer: ReportAnswer<PlanReport>, _ texts: Texts) -> HTML {
    let wished = Set(chosen).subtracting([PlanReport.nothing])
    let found = Set(answer.rows(of: PlanReport.proposals).filter(\.isChosen).map(\.id))
    return wished.isEmpty || wished == found ? "" : Panel.banner(texts.nextPlanOtherChoice, .warning)
  }

  private func figures(_ answer: ReportAnswer<PlanReport>, _ texts: Texts) -> HTML {
    let together = answer.rows(of: PlanReport.together)
    let all = answer.total ?? answer.rows.first
    let low = all?.shownInterval.ends?.low.units ?? 0
    let high = all?.shownInterval.ends?.high.units ?? 0
    let then = together.map { Marks.share($0.thenShare.number ?? 0) }
    let bounds = together.map { Marks.shares($0.thenInterval.low, $0.thenInterval.high) }
    let chosen = together.first?.count ?? 0
    return Panel.figures(
      [
        Panel.figure(
          texts.nextPlanNow, Marks.share(all?.fine.number ?? 0),
          texts.markInterval(range: Marks.shares(low, high))),
        Panel.figure(
          chosen == 0 ? texts.nextPlanAsItIs : texts.nextPlanChosen(count: chosen),
          then.joined(separator: " / "), texts.markInterval(range: bounds.joined(separator: " / ")),
          together.count > 1 ? texts.nextPlanModels : ""),
        Panel.figure(
          texts.nextPlanDecided,
          together.first.map { all in
            texts.causesBeforeNow(
              before: Marks.count(Int64(all.decidedNow)),
              now: all.decidedThen.map { Marks.count(Int64($0)) } ?? Marks.none(texts))
          } ?? Marks.none(texts), texts.nextPlanDecidedNote),
      ], label: Self.title(texts))
  }

  /// All proposals in one form, which asks for the page again with those that are checked.
  private func proposals(_ answer: ReportAnswer<PlanReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let found = answer.rows(of: PlanReport.proposals)
    guard !found.isEmpty else {
      return Panel.section("proposals", texts.nextPlanProposals, "<p>\(texts.nextPlanNone)</p>")
    }
    let items = found.filter { $0.model != .high }.map { proposal -> HTML in
      let lines = found.filter { $0.id == proposal.id }.map { line(of: $0, texts) }
      let checked: HTML = proposal.isChosen ? " checked" : ""
      return """
        <li id="\(proposal.id)"><div><h3>\(texts.say(phrase: proposal.text))</h3><p class="s soft">\
        \(texts.nextPlanLoses(what: texts.say(phrase: proposal.lost)))</p></div><div>\(lines.joined())</div>\
        <label class="check"><input type="checkbox" name="choose" value="\(.value(proposal.id))"\(checked)> \
        \(texts.nextPlanInPlan)</label></li>
        """
    }
    let kept = context.address.without(["choose"]).items.map { item -> HTML in
      "<input type=\"hidden\" name=\"\(item.name)\" value=\"\(.value(item.value))\">"
    }
    return Panel.section(
      "proposals", texts.nextPlanProposals, note: texts.nextPlanNothingChanges,
      link: context.csv(of: SavedTable.proposals.rawValue, called: texts.nextPlanProposals), flush: true,
      """
      <form method="get" action="\(Self.path)">\(kept.joined())<input type="hidden" name="choose" value="\(.value(PlanReport.nothing))">\
      <ol class="prop">\(items.joined())</ol><p class="below"><button class="btn primary">\(texts.nextPlanPredict)</button></p></form>
      """)
  }

  /// What a proposal changes, by one of the models.
  private func line(of proposal: PlanReport.Proposal, _ texts: Texts) -> HTML {
    let (low, high) = (proposal.thenInterval.low, proposal.thenInterval.high)
    let (now, then) = (proposal.shareNow.number ?? 0, proposal.shareThen.number ?? 0)
    let words = texts.nextPlanFromTo(now: Marks.share(now), then: Marks.share(then))
    return """
      <p><b>\(words)</b> \(Marks.shares(low, high, isBelow: true))\(Marks.whisker(
        low: low, mid: then, high: high, most: 1, isEstimate: true, one: now))<span class="s">\
      \(texts.nextPlanGains(count: Marks.number(proposal.gainedADay.number ?? 0, 1)))\(model(proposal.model, texts))</span></p>
      """
  }

  private func model(_ name: PlanReport.ModelName?, _ texts: Texts) -> HTML {
    switch name {
    case .low: " <span class=\"badge\">\(texts.nextPlanLow)</span>"
    case .high: " <span class=\"badge\">\(texts.nextPlanHigh)</span>"
    case nil: ""
    }
  }

  private func campaigns(_ answer: ReportAnswer<PlanReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let page = Panel.page(page, of: Self.rowsOfPage, answer.rows, context.address, texts)
    let kinds = Dictionary(
      answer.rows(of: PlanReport.proposals).map { ($0.id, $0.kind) }, uniquingKeysWith: { one, _ in one })
    let columns = [
      ReportColumn(PlanReport.campaign, texts.columnCampaign, isNumber: false) {
        CampaignName.markup($0.place, context)
      },
      ReportColumn(PlanReport.installsADay, texts.nextPlanInstalls) {
        Marks.number($0.installsADay.number ?? 0, 1)
      },
      ReportColumn(PlanReport.shownShare, texts.nextPlanNow) { row in
        let bounds = row.shownInterval.ends
        return """
          \(Marks.share(row.fine.number ?? 0))\(Marks.shares(
            bounds?.low.units ?? 0, bounds?.high.units ?? 1, isBelow: true))
          """
      },
      ReportColumn(PlanReport.expectedShare, texts.nextPlanBySize) { row in
        row.expected.isEmpty
          ? Marks.none(texts)
          : row.expected.map { share, low, high -> HTML in
            "\(Marks.share(share))\(Marks.shares(low, high, isBelow: true))"
          }.joined()
      },
      ReportColumn(PlanReport.best, texts.nextPlanBest, isNumber: false) { row in
        guard let best = row.best, let kind = kinds[best] else { return Marks.none(texts) }
        let words =
          switch kind {
          case .merge: texts.nextPlanMerge
          case .raise: texts.nextPlanRaise
          case .values: texts.nextPlanFewer
          }
        return "<a href=\"#\(best)\">\(words)</a>"
      },
    ]
    return Panel.section(
      "campaigns", texts.nextPlanCampaigns, note: texts.campaignsCount(count: answer.rows.count),
      columns: columns.of(page.rows, texts), sorted: (sort, context.address), below: page.links, texts)
  }

  private func splits(_ answer: ReportAnswer<PlanReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let rows = answer.rows(of: PlanReport.splits)
    guard !rows.isEmpty else { return "" }
    let words = rows.map { row -> HTML in
      let kind =
        switch row.kind {
        case .now: texts.nextPlanSplitNow
        case .proposed: texts.nextPlanSplitProposed
        case .single: texts.nextPlanSplitSingle
        }
      let network: HTML =
        row.network.map { "<span class=\"sub\">\(context.called.shortNetwork($0))</span>" } ?? ""
      return "\(row.network == nil ? "<b>\(kind)</b>" : kind)\(model(row.model, texts))\(network)"
    }
    return Panel.section(
      "splits", texts.nextPlanSplits,
      link: context.csv(of: SavedTable.splits.rawValue, called: texts.nextPlanSplits),
      columns: [
        .init(texts.nextPlanSplit, isNumber: false, words),
        .init(texts.nextPlanCampaignCount, rows.map { Marks.count(Int64($0.campaigns)) }),
        .init(texts.columnInstalls, rows.map { Marks.expected($0.installs.number ?? 0) }),
        .init(texts.nextPlanValues, rows.map { Marks.expected($0.shown.number ?? 0) }),
        .init(
          texts.nextPlanShownShare,
          rows.map { row in
            guard let (share, low, high) = row.shareAndInterval else { return Marks.none(texts) }
            return "\(Marks.share(share))\(Marks.shares(low, high, isBelow: true))"
          }),
      ], texts)
  }

  /// The models, the limits of networks, and notes.
  private func basis(_ answer: ReportAnswer<PlanReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let models = answer.rows(of: PlanReport.models).map { model -> (name: HTML, text: HTML) in
      let name = model.network.map { context.called.shortNetwork($0) } ?? texts.nextPlanOthers
      if let users = model.users { return (name, texts.nextPlanByValue(count: users)) }
      if let reason = model.reason { return (name, texts.nextPlanOpen(reason: texts.say(phrase: reason))) }
      let ends = model.sizes?.ends
      return (
        name,
        texts.nextPlanKnown(
          size: Marks.number(model.size?.number ?? 0, 0),
          range: Marks.range(
            Marks.number(ends?.low.units ?? 0, 0), Marks.number(ends?.high.units ?? 0, 0)))
      )
    }
    let limits = answer.rows(of: PlanReport.limits).compactMap { limit -> (name: HTML, text: HTML)? in
      guard let most = limit.most else { return nil }
      let source: HTML =
        limit.source.map { " · <a href=\"\($0)\" rel=\"noreferrer\"><bdi>\($0)</bdi></a>" } ?? ""
      let day: HTML = limit.read.map { " · \(Marks.day($0, hasYear: true))" } ?? ""
      return (
        context.called.shortNetwork(limit.network), "\(texts.nextPlanLimit(count: most))\(source)\(day)"
      )
    }
    return Panel.section(
      "basis", texts.nextPlanBasis,
      "\(Panel.list(models + limits))\(Panel.notes(answer.notes, texts))")
  }
}
