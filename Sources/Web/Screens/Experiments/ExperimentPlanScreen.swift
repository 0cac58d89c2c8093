import Arguments
import Estimates
import EventFiles
import Ledger
import MappingEditing
import Mappings
import Markup
import Pages
import Values

/// How many installs a difference needs, and how many days, from own users under a mapping.
struct ExperimentPlanScreen: ScreenContent {
  enum Looks: String, CaseIterable, ParameterValue { case daily, end }

  var app: Int?
  var version: Int?
  var draft: Int?
  var sample: String?
  var measure = "revenue"
  var difference = PercentText(parameter: "10")
  var nulls = PercentText(parameter: "30")
  var installsPerDay: Int?
  var looks = Looks.daily
  var lift = UserValues.Lift.amounts
  var power = 80
  var level = 95
  var split = 50

  static let path = PageAddress.experimentPlanPath
  static let parameters: [Parameter<Self>] = [
    .init("app", \.app, "App Store number.", in: 0...Int.max),
    .init("version", \.version, "Version of the mapping, from 1.", in: 1...10_000),
    .init("draft", \.draft, "Number of a draft, instead of a version.", in: 1...Int.max),
    .init("sample", \.sample, "Events file of users."),
    .init("measure", \.measure, "Measure to compare: revenue or event:NAME.") {
      (screen) throws(ParameterError) in
      guard screen.planned == nil else { return }
      throw ParameterError(
        "measure", Sentence("found '\(name: screen.measure)'; use revenue or event:NAME."))
    },
    .init("difference", \.difference, "Difference to detect, in percent.") {
      (screen) throws(ParameterError) in
      guard screen.difference.map({ $0.share >= 1e-5 }) != true else { return }
      throw ParameterError(
        "difference", Sentence("found a difference below 0.001 %; use one of 0.001 to 1000."))
    },
    .init("nulls", \.nulls, "Percentage of installs with a withheld value.") {
      (screen) throws(ParameterError) in
      guard screen.nulls.map({ $0.share <= 0.999 }) != true else { return }
      throw ParameterError("nulls", Sentence("found more than 99.9 %; use 0 to 99.9."))
    },
    .init(
      "installs-per-day", \.installsPerDay, "Installs per day of both arms together.", in: 1...1_000_000_000),
    .init("looks", \.looks, "Looks at the result."),
    .init("lift-from", \.lift, "Cause of B's higher mean."),
    .init("power", \.power, "Power in percent.", in: 50...99),
    .init("level", \.level, "Confidence level in percent.", in: 50...99),
    .init("split", \.split, "Percentage of installs in arm B.", in: 1...99),
  ]

  static func title(_ texts: Texts) -> HTML { texts.planTitle }

  /// What is compared; `nil` for a word that is no measure of users.
  private var planned: ExperimentMeasure? {
    ExperimentMeasure(measure).flatMap { $0 == .nullRate ? nil : $0 }
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let mappings = try AppMappings(context.reader, app: app.map { Int64($0) })
    guard mappings.app != nil else {
      return .page(
        Page(
          texts.planTitle,
          body: "\(context.experimentTabs)\(Panel.empty(texts.mappingsNoneTitle, texts.mappingsNoneReason))"))
    }
    let mapping = mapping(mappings, context)
    let form = form(mappings, mapping, context)
    return .page(
      Page(
        texts.planTitle, scope: texts.planScope, actions: context.copyLink,
        body: "\(context.experimentTabs)\(form)\(try result(mappings, mapping, context))"))
  }

  private func mapping(_ mappings: AppMappings, _ context: ScreenContext) -> Mapping? {
    if let draft {
      let document = mappings.drafts.first { $0.id == Int64(draft) }?.document
      return document.flatMap { MappingDocument.read($0).document?.mapping }
    }
    if let version { return mappings.versions.first { $0.number == version }?.mapping }
    return (mappings.inForce(at: context.now) ?? mappings.versions.first)?.mapping
  }

  /// What distinguishes that mapping from the others of the same state of the app's mappings.
  private func chosen(_ mappings: AppMappings, _ context: ScreenContext) -> String {
    if let draft { return "draft \(mappings.drafts.first { $0.id == Int64(draft) }?.etag ?? "")" }
    return "version \(version ?? mappings.inForce(at: context.now)?.number ?? 1)"
  }

  // MARK: Form

  private func form(
    _ mappings: AppMappings, _ mapping: Mapping?, _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    var form = FilterForm(context.address, texts)
    if let app = mappings.app { form.app(app, of: mappings, context) }
    let usual = mappings.inForce(at: context.now)?.number ?? 1
    form.choice(
      "version", texts.planMapping, version.map { "\($0)" } ?? "",
      [("", texts.planInForce(number: "\(usual)"))]
        + mappings.versions.map {
          ("\($0.number)", texts.mappingsVersionNumber(number: "\("\($0.number)" as String)"))
        })
    if !mappings.drafts.isEmpty {
      form.choice(
        "draft", texts.planDraft, draft.map { "\($0)" } ?? "",
        [("", texts.planNoDraft)] + mappings.drafts.map { ("\($0.id)", "\($0.name)") })
    }
    form.choice(
      "sample", texts.editorSample, sample ?? "",
      [("", texts.editorNoUsers)] + context.trials.sampleNames.map { ($0, "\($0)") })
    let events = Set(mapping?.fine.flatMap { $0.conditions.events.map(\.name) } ?? []).sorted()
    form.choice(
      "measure", texts.experimentMeasure, measure,
      [("revenue", texts.columnRevenue)]
        + events.map { ("event:\($0)", texts.experimentEvent(name: "\($0)")) })
    form.search("difference", texts.planDifference, difference?.parameterText ?? "")
    form.search("nulls", texts.planNulls, nulls?.parameterText ?? "")
    form.search("installs-per-day", texts.planPerDay, installsPerDay.map { "\($0)" } ?? "")
    form.choice(
      "looks", texts.planLooks, looks.rawValue, [("daily", texts.planDaily), ("end", texts.planAtEnd)])
    if planned == .revenue {
      form.choice(
        "lift-from", texts.planCause, lift.rawValue,
        UserValues.Lift.allCases.map { ($0.rawValue, cause($0, texts)) })
    }
    form.search("power", texts.planPower, "\(power)")
    form.search("level", texts.experimentLevel, "\(level)")
    form.search("split", texts.planSplit, "\(split)")
    return form.markup(summary: "\(sample ?? "")")
  }

  private func cause(_ lift: UserValues.Lift, _ texts: Texts) -> HTML {
    switch lift {
    case .amounts: texts.planCauseAmounts
    case .users: texts.planCauseUsers
    case .top: texts.planCauseTop
    }
  }

  // MARK: Result

  private struct Plan: Sendable {
    let outcome: Result<ExperimentDesign, ExperimentObstacle>
    let users: Int
    /// Users with a value; the others are no part of the mean.
    let counted: Int
    let usersOfFile: Int
  }

  private func result(
    _ mappings: AppMappings, _ mapping: Mapping?, _ context: ScreenContext
  ) throws -> HTML {
    let texts = context.texts
    guard let mapping else { return Panel.empty(texts.planNoMappingTitle, texts.planNoMappingReason) }
    guard let sample, let measure = planned, let difference, let nulls else {
      return Panel.empty(
        texts.planTitle, context.trials.sampleNames.isEmpty ? texts.editorNoSample : texts.planNeedSample)
    }
    guard let users = try context.trials.users(of: sample, currency: mapping.currency) else {
      return Panel.empty(
        texts.planNoSampleTitle, texts.planNoSampleReason(name: "<bdi>\(sample)</bdi>"))
    }
    var aim = ExperimentAim(lift: difference.share, nulls: nulls.share)
    aim.measure = measure
    aim.cause = lift
    aim.shareB = Double(split) / 100
    aim.power = Double(power) / 100
    aim.level = Double(level) / 100
    aim.looksDaily = looks == .daily
    aim.installsPerDay = installsPerDay
    // A sample has 200,000 events at most, so that playing it takes about a second; the next pages have it from here.
    let words = [
      "plan", sample, "\(users.identity)", mappings.state, "\(mappings.app ?? 0)", chosen(mappings, context),
      measure.text,
      difference.parameterText, nulls.parameterText, lift.rawValue, "\(split) \(power) \(level)",
      looks.rawValue, installsPerDay.map { "\($0)" } ?? "",
    ]
    let plan = context.remembered(words.joined(separator: "\n")) {
      let values = UserValues(of: users.histories, by: measure, mapping)
      let outcome = Result<ExperimentDesign, ExperimentObstacle> { () throws(ExperimentObstacle) in
        try aim.design(by: mapping, from: .own(values, of: users.users))
      }
      return Plan(
        outcome: outcome, users: users.users, counted: Int(values.count), usersOfFile: users.usersOfFile)
    }
    switch plan.outcome {
    case .failure(let obstacle): return Panel.empty(texts.experimentCannot, reason(obstacle, texts))
    case .success(let design): return markup(design, plan, context)
    }
  }

  private func reason(_ obstacle: ExperimentObstacle, _ texts: Texts) -> HTML {
    switch obstacle {
    case .unknownEvent(let name): texts.planUnknownEvent(name: "<bdi>\(name)</bdi>")
    case .nothingMeasured(let users): texts.planNothingMeasured(count: users)
    case .tooFewUsers: texts.planTooFewUsers
    case .rateTooHigh(let share): texts.planRateTooHigh(share: Marks.share(share))
    case .noSize: texts.planNoSize
    }
  }

  private func markup(_ design: ExperimentDesign, _ plan: Plan, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let chosen = looks == .daily ? design.size.shownWithLooks : design.size.shownAtEnd
    let arms = design.installs(chosen)
    func whole(_ number: Double) -> HTML { Marks.count(Int64(nearest: number.rounded(.up))) }
    let days: HTML = design.days(chosen).map { whole($0.whole) } ?? Marks.none(texts)
    let daysNote: HTML =
      design.days(chosen).map { texts.planDaysNote(count: Int($0.installs)) } ?? texts.planNoDays
    let wait = texts.planWait(
      shortest: "\(fixed(design.delay.shortest, 0))", longest: "\(fixed(design.delay.longest, 0))")
    let figures = Panel.figures(
      [
        Panel.figure(
          texts.planInstalls, whole(arms.a + arms.b), texts.planOfArms(a: whole(arms.a), b: whole(arms.b))),
        Panel.figure(
          texts.planShown, whole(chosen), texts.planShownNote(share: Marks.share(design.nulls))),
        Panel.figure(texts.planDays, days, daysNote, wait),
      ], label: texts.planResult)
    return "\(figures)\(sizes(design, context))\(basis(design, plan, texts))\(next(design, context))"
  }

  /// The sizes for both ways of looking, and for other causes of the same difference.
  private func sizes(_ design: ExperimentDesign, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let others = design.otherSizes
    let own: HTML = """
      \(design.cause.map { cause($0, texts) } ?? texts.planAnyCause) <span class="badge">\(texts.planChosen)</span>
      """
    func cell(_ shown: Double) -> HTML {
      let arms = design.installs(shown)
      let days: HTML =
        design.days(shown).map { days in
          "<span class=\"sub\">\(texts.filterDays(count: Int(days.whole)))</span>"
        } ?? ""
      return "\(Marks.count(Int64(arms.a + arms.b)))\(days)"
    }
    let sizes = [design.size] + others.map(\.size)
    return Panel.section(
      "sizes", texts.planSizes, note: texts.planSizesNote,
      columns: [
        .init(texts.planCause, isNumber: false, [own] + others.map { cause($0.cause, texts) }),
        .init(texts.planDaily, help: texts.planDailyHelp, sizes.map { cell($0.shownWithLooks) }),
        .init(texts.planAtEnd, help: texts.planAtEndHelp, sizes.map { cell($0.shownAtEnd) }),
      ], texts)
  }

  private func basis(_ design: ExperimentDesign, _ plan: Plan, _ texts: Texts) -> HTML {
    let isRevenue = design.measure == .revenue
    func amount(_ number: Double) -> HTML {
      guard isRevenue else { return Marks.share(number) }
      return """
        <data value="\(trimmed(number, 6))">\(Marks.local(fixed(number, 4)))</data> <bdi>\(design.mapping.currency.text)</bdi>
        """
    }
    let silent = plan.users - plan.counted
    var lines: HTML = """
      <dt>\(texts.planGoal)</dt><dd>\(texts.planGoalLine(
        a: amount(design.mean), b: amount(design.mean * (1 + design.lift))))</dd>\
      <dt>\(texts.planMapping)</dt><dd><bdi>\(design.mapping.name)</bdi></dd>\
      <dt>\(texts.editorSample)</dt><dd>\(texts.planUsersLine(
        counted: Marks.count(Int64(plan.counted)), silent: Marks.count(Int64(silent))))</dd>\
      <dt>\(texts.experimentSpread)</dt><dd>\(texts.planSpreads(
        a: "\(Marks.local(fixed(design.request.a.variance.squareRoot(), 4)))",
        b: "\(Marks.local(fixed(design.request.b.variance.squareRoot(), 4)))"))</dd>
      """
    if let within = design.within, design.request.a.variance > 0 {
      lines += """
        <dt>\(texts.planWithin)</dt><dd>\(Marks.share(within / design.request.a.variance))</dd>
        """
    }
    let part: HTML =
      plan.users < plan.usersOfFile
      ? "<p class=\"note\">\(texts.planPart(part: Marks.count(Int64(plan.users)), whole: Marks.count(Int64(plan.usersOfFile))))</p>"
      : ""
    return Panel.section(
      "basis", texts.planBasis, note: texts.planNullsWarning, "<dl class=\"kv\">\(lines)</dl>\(part)")
  }

  /// What follows: the comparison with the size of this plan.
  private func next(_ design: ExperimentDesign, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let planned = Int64(nearest: design.size.shownAtEnd.rounded(.up))
    let target = context.address.moved(to: PageAddress.experimentsPath, keeping: ["app", "lang", "level"])
      .with("planned", "\(planned)").with("measure", measure == "revenue" ? nil : measure)
    return Panel.section(
      "next", texts.planNext,
      """
      <p>\(looks == .daily ? texts.planNextDaily : texts.planNextEnd)</p>\
      <p><a href="\(target.text)">\(texts.planNextLink(planned: Marks.count(planned)))</a></p>
      """)
  }
}

extension UserValues.Lift: ParameterValue {}
