import HTTPServer
import Routing

/// What is copied out of a request for a page, so that another thread can answer.
struct PageVisit: Sendable {
  static let themeCookie = "skan-theme"
  static let sampleCookie = "skan-sample"
  static let languageCookie = "skan-language"

  let setting: PageFrame.Setting
  let isSecure: Bool
  let takesGzip: Bool
  /// The tags of what the browser has already.
  let known: String?
  /// The session that the cookie names.
  let session: String?
  /// The user of a proxy that signs in.
  let person: ProxySignIn.Person?
  let isSameSite: Bool
  /// The start of an address as the browser has it, such as `https://skan.example`; empty for a request that names no host.
  let origin: String
  /// Whether the viewer looks at the sample data.
  let isOfSample: Bool

  /// Reads the head of a request that came by TLS or not.
  init(_ request: borrowing Request, isSecure: Bool, person: ProxySignIn.Person?) {
    self.person = person
    let cookies = RequestCookies(request.headers("Cookie"))
    let items = request.queryItems
    let language = Language.chosen(
      query: items.first { $0.name == "lang" }?.value, cookie: cookies[Self.languageCookie],
      accepted: request.header("Accept-Language"))
    let theme = cookies[Self.themeCookie] ?? ""
    // A target in absolute form, or with two slashes in front, would make links lead to another site.
    let path = request.path
    let isLocal = path.hasPrefix("/") && !path.hasPrefix("//")
    setting = PageFrame.Setting(
      texts: Texts(language), theme: ["light", "dark"].contains(theme) ? theme : "",
      address: PageAddress(isLocal ? path : "/", items))
    self.isSecure = isSecure
    takesGzip = ContentChoice.takesGzip(request)
    known = request.header("If-None-Match")
    session = cookies[RequestCookies.sessionName(isSecure: isSecure)]
    isOfSample = cookies[Self.sampleCookie] == "1"
    origin = request.header("Host").map { (isSecure ? "https://" : "http://") + $0 } ?? ""
    isSameSite = RequestOrigin.isSameSite(request, isSecure: isSecure)
  }
}
