import Arguments
import Ledger
import Markup
import Pages

/// The search for a mapping of the users, on a page of its own that asks for itself anew while the search runs.
struct ProposalScreen: ScreenContent {
  var draft: Int?
  var trial = TrialChoice()

  static let path = "/mappings/proposal"
  static let parameters: [Parameter<Self>] =
    [.init("draft", \.draft, "Number of the draft.", in: 1...Int.max)] + Parameter.all(of: \.trial)

  /// How often a browser without scripts asks for the page, in seconds.
  private static let pause = 5

  static func title(_ texts: Texts) -> HTML { texts.proposalTitle }

  static func address(of draft: Int64, _ trial: TrialChoice) -> PageAddress {
    PageAddress(path, [("draft", "\(draft)")] + trial.items)
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    var editor = EditorScreen()
    (editor.draft, editor.trial) = (draft, trial)
    guard let draft = try context.draft(draft) else { return try editor.answer(context) }
    let view = try editor.proposal(draft, editor.inForce(draft, context), context)
    let back = trial.items.reduce(EditorScreen.address(of: draft.id)) { $0.with($1.name, $1.value) }
    let form: HTML =
      context.mayEdit
      ? """
      <form id="draft" method="post" action="\(back.text)">\(context.formToken)\
      <input type="hidden" name="etag" value="\(draft.etag)"></form>
      """ : ""
    var page = Page(
      context.texts.proposalTitle,
      scope: "<a href=\"\(back.text)\"><bdi>\(draft.name)</bdi></a>",
      body: """
        \(form)\(Panel.section("proposal", context.texts.proposalTitle, "<div id=\"part-proposal\" class=\"stack\">\(view.markup)</div>"))
        """)
    if view.isRunning { page.refreshSeconds = Self.pause }
    return .page(page)
  }
}
