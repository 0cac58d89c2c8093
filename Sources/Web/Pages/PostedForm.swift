import HTTPServer
import Routing

/// The body of a form, which is read once it is known whose it is.
struct PostedForm: Sendable {
  let body: [UInt8]
  let type: String?

  init(_ request: borrowing Request) {
    body = request.body
    type = request.header("Content-Type")
  }

  /// Reads the form of a page that a viewer was shown; a page without a viewer has no token.
  func read(shownTo viewer: Viewer?) throws(Problem) -> FormBody {
    guard let form = FormBody(body, type: type) else { throw .brokenForm }
    if let viewer, !viewer.isShown(formToken: form[PageRoutes.formTokenField] ?? "") { throw .otherSite }
    return form
  }
}
