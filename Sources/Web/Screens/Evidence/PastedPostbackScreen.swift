import Arguments
import Explanations
import Markup
import Pages
import Routing

/// Judges bodies that people paste; nothing of them is stored.
struct PastedPostbackScreen: ScreenContent {
  static let path = PageAddress.postbacksPath + "/check"
  static let formRole = Optional(ViewerRole.reader)
  static let parameters: [Parameter<Self>] = []
  /// Bodies that are shown with all their content.
  private static let mostInFull = 3
  private static let most = 100

  static func title(_ texts: Texts) -> HTML { texts.pasteTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer { .page(page("", result: "", context)) }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let body = form["body"] ?? ""
    let judged = PostbackExplainer(trusting: context.keyring).judge(body, atMost: Self.most)
    guard judged.count > 0 else {
      return .page(page(body, result: Panel.banner(texts.pasteNothing), context))
    }
    let valid = judged.facts.filter { $0.state == "valid" }.count
    let blocks = judged.facts.enumerated().map { index, facts -> HTML in
      let id: HTML =
        facts.identifier.map {
          "<a href=\"\(context.address.postback($0).text)\"><code><bdi>\($0)</bdi></code></a>"
        } ?? ""
      let environment: HTML = facts.environment.map { "<span class=\"badge\">\($0)</span>" } ?? ""
      let all: HTML =
        index < Self.mostInFull ? "<div class=\"half\">\(FactsView.panels(facts, index, texts))</div>" : ""
      return """
        <div class="row">\(FactsView.badges(facts, texts))\(environment)\(id)</div>\(FactsView.reason(facts, texts))\(all)
        """
    }
    let left: HTML =
      judged.count > Self.most
      ? "<p class=\"note\">\(texts.pasteMore(count: judged.count - Self.most))</p>" : ""
    let result: HTML = """
      <section class="stack" aria-labelledby="h-result"><h2 id="h-result">\(texts.pasteResult(count: judged.count))</h2>\
      <p role="status">\(texts.pasteValid(valid: "\(valid)", shown: "\(judged.facts.count)"))</p>\(blocks.joined())\(left)</section>
      """
    return .page(page(body, result: result, context))
  }

  private func page(_ body: String, result: HTML, _ context: ScreenContext) -> Page {
    let texts = context.texts
    // A large paste would come back as a large page; what was judged is above it in any case.
    let kept = body.utf8.count <= 20_000 ? body : ""
    return Page(
      texts.pasteTitle, scope: texts.pasteScope,
      body: """
        \(result)<form class="stack" method="post" action="\(Self.path)">\(context.formToken)<div class="field">\
        <label for="body">\(texts.pasteLabel)</label><textarea id="body" name="body" rows="14" class="mono" required \
        spellcheck="false" autocapitalize="none" aria-describedby="paste-hint">\n\(.value(kept))</textarea>\
        <p class="hint" id="paste-hint">\(texts.pasteHint)</p></div>\
        <div><button class="btn primary">\(texts.pasteButton)</button></div></form>
        """)
  }
}
