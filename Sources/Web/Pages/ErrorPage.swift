import Arguments
import HTTPServer
import Markup
import Routing
import Values

/// What a page shows instead of what was asked for.
enum ErrorPage {
  static func title(_ problem: Problem, _ texts: Texts) -> HTML {
    switch problem.code {
    case "not-found": texts.errorNotFoundTitle
    case "method-not-allowed": texts.errorMethodTitle
    case "not-allowed", "limited-to-networks": texts.errorNotAllowedTitle
    case "signed-out": texts.errorSignedOutTitle
    case "other-site", "broken-form": texts.errorFormTitle
    case "bad-parameter": texts.errorParameterTitle
    case "conflict": texts.errorConflictTitle
    case "unusable-data": texts.errorDataTitle
    case "page-failed": texts.errorFailedTitle
    case "not-stored": texts.errorStorageTitle
    case "page-took-too-long", "too-many-pages", "too-many-requests": texts.errorBusyTitle
    default: "\(problem.title)"
    }
  }

  static func body(_ problem: Problem, _ screens: [Screen], _ texts: Texts) -> HTML {
    let reason: HTML =
      switch problem.code {
      case "not-found": texts.errorNotFoundReason
      case "method-not-allowed": texts.errorMethodReason
      case "not-allowed": texts.errorNotAllowedReason
      case "signed-out": texts.errorSignedOutReason
      case "other-site", "broken-form": texts.errorFormReason
      case "bad-parameter":
        texts.errorParameterReason(
          name: "<code>\(problem.member ?? "")</code>", reason: problem.sentence.map { texts.say($0) } ?? "")
      case "limited-to-networks":
        texts.errorNetworksReason(
          pages: screens.filter { $0.isOfNetworks }.enumerated().map { index, screen -> HTML in
            index == 0 ? screen.title(texts) : ", \(screen.title(texts))"
          }.joined())
      case "not-stored": texts.errorStorageReason(id: "<code>\(problem.detail)</code>")
      case "page-failed": texts.errorFailedReason(id: "<code>\(problem.detail)</code>")
      case "page-took-too-long": texts.errorSlowReason
      case "too-many-pages": texts.errorBusyReason
      case "too-many-requests": texts.signInTooMany(seconds: 1)
      default: problem.sentence.map { texts.say($0) } ?? .prose(markup: "\(problem.detail)")
      }
    // A viewer of some networks has no overview.
    let way: HTML =
      problem.code == "limited-to-networks"
      ? "" : "<p><a class=\"btn\" href=\"/\">\(texts.errorToOverview)</a></p>"
    return """
      \(Panel.banner(reason, .bad))
      \(way)
      """
  }

  /// A form that was not accepted, to be sent once more.
  ///
  /// Before a sign-in there is no form token, so it is sent twice: the second page has one.
  static func again(
    _ fields: [(name: String, value: String)], _ address: PageAddress, formToken: String?, _ texts: Texts
  ) -> HTML {
    // The texts are shown, so that they can be copied; the rest goes along.
    let shown = ["document", "text"]
    let inputs = fields.map { field -> HTML in
      shown.contains(field.name)
        ? """
        <div class="field"><label for="again-\(field.name)">\(texts.errorAgainText)</label>\
        <textarea id="again-\(field.name)" name="\(field.name)" rows="16" spellcheck="false">\n\(.value(field.value))</textarea></div>
        """
        : "<input type=\"hidden\" name=\"\(.value(field.name))\" value=\"\(.value(field.value))\">"
    }
    let typed = fields.filter { $0.name.hasPrefix("$") }.map { field -> HTML in
      "<dt>\(field.name)</dt><dd>\(field.value)</dd>"
    }
    let list: HTML = typed.isEmpty ? "" : "<dl class=\"kv\">\(typed.joined())</dl>"
    let signIn: HTML =
      formToken == nil
      ? "<p><a class=\"btn primary\" href=\"/sign-in\" target=\"_blank\" rel=\"noopener\">\(texts.errorAgainSignIn)</a></p>"
      : ""
    return """
      <h2>\(texts.errorAgainTitle)</h2><p>\(formToken == nil ? texts.errorAgainSignedOut : texts.errorAgainSignedIn)</p>\
      \(signIn)<form class="stack" method="post" action="\(address.text)">\
      <input type="hidden" name="\(PageRoutes.formTokenField)" value="\(formToken ?? "")">\
      \(inputs.joined())\(list)<div class="row"><button class="btn primary">\(texts.errorAgainSend)</button></div></form>
      """
  }
}

extension Problem {
  /// The session has ended; 401.
  static let signedOut = Problem(
    status: 401, code: "signed-out", title: "Signed out", detail: "Sign in again.")
  /// The token does not permit it; 403.
  static let notAllowed = Problem(
    status: 403, code: "not-allowed", title: "Not allowed", detail: "Editing requires an editor token.")
  /// The token shows some apps only; 403.
  static let limitedToApps = Problem(
    status: 403, code: "limited-to-apps", title: "Not allowed",
    Sentence("Your token is limited to some apps, and this page is of others or of all."))
  /// The token shows some networks only; 403.
  static let limitedToNetworks = Problem(
    status: 403, code: "limited-to-networks", title: "Not allowed",
    detail: "Your token is limited to some networks, and this page is of others or of more than networks.")
  /// The request names a host that is not this machine, although only this machine may use the pages; 421.
  static let misdirected = Problem(
    status: 421, code: "misdirected", title: "This address serves pages for this machine only",
    Sentence("Use 127.0.0.1 or localhost in the address."))

  /// The form came from elsewhere; 403.
  static let otherSite = Problem(
    status: 403, code: "other-site", title: "The form was not accepted",
    detail: "The form did not come from a page of this session.")
  /// The body is no form; 400.
  static let brokenForm = Problem(
    status: 400, code: "broken-form", title: "The form was not accepted", detail: "The body is not a form.")
  /// Too many pages of this viewer or client wait; 503.
  static let tooManyPages = Problem(
    status: 503, code: "too-many-pages", title: "Too many pages are queued",
    detail: "The queue for pages is full; retry later.", headers: [.init("Retry-After", "2")])
  /// The database's part took too long; 503.
  static let pageTookTooLong = Problem(
    status: 503, code: "page-took-too-long", title: "The page took too long",
    detail: "Select fewer days, apps or networks.", headers: [.init("Retry-After", "30")])

  /// A parameter of the address can't be used; 400.
  static func badParameter(_ error: ParameterError) -> Problem {
    Problem(status: 400, code: "bad-parameter", title: "Invalid address", error.detail, member: error.name)
  }

  /// A problem whose detail pages have in their language.
  private init(status: Int, code: String, title: String, _ detail: Sentence, member: String? = nil) {
    self.init(status: status, code: code, title: title, detail: detail.english, member: member)
    sentence = detail
  }

  /// A file behind the page can't be used; 422.
  static func unusableData(_ error: CommandError) -> Problem {
    let cure = error.remedy.map { " Remedy: \($0)." } ?? ""
    return Problem(
      status: 422, code: "unusable-data", title: "A file cannot be used", detail: "\(error.message).\(cure)")
  }

  /// What a form was to change can't be stored now; 503.
  static func notStored(_ id: String) -> Problem {
    Problem(
      status: 503, code: "not-stored", title: "Nothing was stored", detail: id,
      headers: [.init("Retry-After", "30")])
  }

  /// A page failed, which is a bug or a damaged database; 500.
  static func failed(_ id: String) -> Problem {
    Problem(status: 500, code: "page-failed", title: "The page failed", detail: id)
  }
}
