import Arguments
import Campaigns
import Explanations
import Markup
import Pages
import Tables
import Values

/// All that is known of one postback: verdict, signed text, decoding, copies, and the figures that it counts in.
struct PostbackScreen: ScreenContent {
  var id: String?
  /// Only shows which environment the page is about: identifiers are looked for in all of them.
  var scope = Scope()
  var format: Format?

  static let path = PageAddress.postbacksPath + "/one"
  /// Rejected bodies that are shown; the file has more.
  private static let mostRejections = 5
  static let parameters: [Parameter<Self>] = [
    .init("id", \.id, "transaction-id or postback-identifier."),
    .init("environment", \.scope.environment, "Environment whose keys signed it."),
    .init("format", \.format, "File to save instead of a page: json."),
  ]

  static func title(_ texts: Texts) -> HTML { texts.postbackTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let explanation = try id.map {
      try PostbackExplainer(trusting: context.keyring).explanation(of: $0, from: context.reader)
    }
    guard let id, let explanation, !explanation.isEmpty
    else {
      return .page(
        Page(
          texts.postbackUnknownTitle, status: id == nil ? 200 : 404,
          body: """
            \(PostbackSearchForm.markup(id ?? "", texts))\(Panel.empty(
            texts.postbackUnknown(id: "<code><bdi>\(id ?? "")</bdi></code>"), texts.postbackUnknownReason,
            "<a class=\"btn\" href=\"\(PostbacksScreen.path)\">\(texts.postbacksNewest)</a>"))
            """))
    }
    if format != nil {
      return .file(name: "postback.json", contentType: "application/json", text: explanation.jsonText)
    }
    let conversions = explanation.explainedConversions
    if let environment = conversions.first?.environment, environment != scope.environment.parameterText {
      // Pages of test postbacks have to look like it, however they were found.
      return .redirect(context.address.with("environment", environment == "production" ? nil : environment))
    }
    let rejections = explanation.explainedRejections(atMost: Self.mostRejections)
    let body =
      conversions.enumerated().map { conversion($1, $0, of: conversions.count, context) }.joined()
    return .page(
      Page(
        texts.postbackHeading(id: "<bdi>\(id)</bdi>"),
        scope: conversions.first.map { texts.postbackFirstCopy(moment: Marks.moment($0.receivedAt)) } ?? "",
        actions: """
          <a class="btn" href="\(context.address.with("format", "json").text)">JSON</a>\(context.copyLink)
          """,
        body: """
          \(PostbackSearchForm.markup(id, texts))\(body)\
          \(rejected(rejections, explanation.rejectionCount, texts))
          """))
  }

  // MARK: One conversion

  private func conversion(
    _ conversion: ExplainedConversion, _ number: Int, of count: Int, _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let heading: HTML =
      count > 1
      ? "<h2>\(texts.postbackConversion(number: number + 1, count: count, window: conversion.place?.window ?? 0))</h2>"
      : ""
    let conflicts = conversion.copies.filter { !$0.conflict.isEmpty }
    var badges = FactsView.badges(conversion.facts, texts)
    badges += "<span class=\"badge\">\(conversion.environment)</span>"
    if !conversion.counts.isEmpty { badges += "<span class=\"badge\">\(texts.postbackCountsOnce)</span>" }
    if !conflicts.isEmpty {
      badges += "<span class=\"badge bad\">\(texts.postbackDisagree(count: conflicts.count))</span>"
    }
    if conversion.versions.count > 1 {
      badges += "<span class=\"badge warn\">\(texts.postbackMixed(count: conversion.versions.count))</span>"
    }
    return """
      \(heading)<div class="row">\(badges)</div>\(FactsView.reason(conversion.facts, texts))\
      <div class="two"><div class="stack">\(decoding(conversion, number, texts))\(copies(conversion, number, texts))</div>\
      <div class="stack">\(FactsView.panels(conversion.facts, number, texts))\(counts(conversion, number, context))</div></div>
      """
  }

  private func decoding(_ conversion: ExplainedConversion, _ number: Int, _ texts: Texts) -> HTML {
    let launch: HTML =
      conversion.launch.map {
        "<p>\(texts.postbackLaunch(from: Marks.moment($0.earliest), to: Marks.moment($0.latest)))</p>"
      } ?? ""
    let lines = Panel.list(
      conversion.meaning.map { (texts.say(phrase: $0.fact.words), texts.say(phrase: $0.text)) })
    let versions = conversion.versions
    let table: HTML =
      versions.isEmpty
      ? ""
      : Panel.table(
        texts.postbackDecoding,
        [
          .init(texts.postbackVersion, isNumber: false, versions.map { "<bdi>\($0.name)</bdi>" }),
          .init(texts.postbackInForce, isNumber: false, versions.map { Marks.moment($0.from) }),
          .init(texts.postbackChance, versions.map { Marks.share($0.probability) }),
          .init(
            texts.columnMeaning, isNumber: false,
            versions.map { version in
              version.label.map { "<bdi>\(texts.say(phrase: $0))</bdi>" }
                ?? "<span class=\"soft\">\(texts.postbackNoRule)</span>"
            }),
        ], texts)
    return Panel.section(
      "decoding-\(number)", texts.postbackDecoding,
      "<div class=\"stack\">\(launch)\(lines)\(table)</div>")
  }

  private func copies(_ conversion: ExplainedConversion, _ number: Int, _ texts: Texts) -> HTML {
    let other = conversion.copies.first { $0.body != nil && !$0.conflict.isEmpty }?.body
    var blocks: [HTML] = [
      """
      <div class="stack"><h3>\(texts.trustFirstCopy)</h3><p class="s soft">\(Marks.moment(conversion.receivedAt)), \
      \(PostbacksScreen.words(ofOrigin: conversion.route, texts))</p>\(BodyView.markup(conversion.body, against: other, label: texts.trustFirstCopy))</div>
      """
    ]
    // Sixteen copies are kept; more than eight bodies would make the page too large, and the file has all.
    for copy in conversion.copies.prefix(8) {
      let often: HTML =
        copy.times > 1
        ? "<p class=\"s soft\">\(texts.postbackTimes(times: Marks.count(copy.times), last: Marks.moment(copy.lastReceivedAt)))</p>"
        : ""
      let conflict: HTML =
        copy.conflict.isEmpty
        ? ""
        : "<p><span class=\"badge bad\">\(texts.postbackDiffers(fields: texts.list(copy.conflict.map { "<code>\($0)</code>" })))</span></p>"
      let body: HTML =
        copy.body.map { BodyView.markup($0, against: conversion.body, label: texts.trustOtherCopy) }
        ?? "<p class=\"s soft\">\(copy.isCountedOnly ? texts.trustNotKept : texts.postbackSameBytes)</p>"
      blocks.append(
        """
        <div class="stack"><h3>\(texts.trustOtherCopy)</h3><p class="s soft">\(Marks.moment(copy.receivedAt)), \
        \(PostbacksScreen.words(ofOrigin: copy.route, texts))</p>\(often)\(conflict)\(body)</div>
        """)
    }
    let left: HTML =
      conversion.copies.count > 8
      ? "<p class=\"note\">\(texts.postbackMoreCopies(count: conversion.copies.count - 8))</p>" : ""
    return Panel.section(
      "copies-\(number)", texts.postbackCopies(count: conversion.copies.count + 1),
      "<div class=\"\(blocks.count > 1 ? "half" : "stack")\">\(blocks.joined())</div>\(left)")
  }

  private func counts(_ conversion: ExplainedConversion, _ number: Int, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard let place = conversion.place else { return "" }
    let day = conversion.receivedDay
    var target = PageAddress(ArrivedScreen.path)
      .with("from", day).with("through", day).with("app", place.app).with("network", place.network)
      .with("campaign", place.campaign).with("window", "\(place.window)")
    if conversion.environment != "production" {
      target = target.with("environment", conversion.environment)
    }
    let names = conversion.counts.map { name -> HTML in "<code>\(name)</code>" }.joined()
    return Panel.section(
      "counts-\(number)", texts.postbackCounts,
      """
      <div class="stack"><p class="row">\(names)</p><p><a href="\(target.text)">\(texts.postbackCountsIn(day: "\(day)"))</a></p></div>
      """)
  }

  private func rejected(_ rejections: [ExplainedRejection], _ count: Int, _ texts: Texts) -> HTML {
    guard !rejections.isEmpty else { return "" }
    let blocks = rejections.map { rejection -> HTML in
      """
      <li><div class="row"><span class="badge bad">\(texts.say(phrase: rejection.state.words))</span><code>\(rejection.reason)</code>\
      <span class="soft xs">\(Marks.moment(rejection.receivedAt)), \(PostbacksScreen.words(ofOrigin: rejection.route, texts))</span></div>\
      <p>\(rejection.facts.reason.map { texts.say($0) } ?? "")</p>\(BodyView.markup(rejection.body, against: nil, label: texts.trustRejected, most: 2000))</li>
      """
    }
    return Panel.section(
      "rejected", texts.trustRejected, note: texts.postbackRejectedNote(count: count), flush: true,
      "<ul class=\"list\">\(blocks.joined())</ul>")
  }
}
