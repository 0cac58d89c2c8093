import HTTPServer
import Markup
import Routing
import System

/// Pages for those without a session: so many for each client, made on a thread that no page of anyone else waits for.
///
/// What is turned away is made once and costs a look at the head.
final class StrangerPages: Sendable {
  /// Bytes of an address to go on to at most; a page repeats it in a link for each language.
  static let mostBytesOfNext = 2048
  /// Pages of a client at once: many people can be behind one address.
  static let burst = 100
  /// Seconds after which a client may have one more.
  private static let secondsEach = 0.1

  private let limiter: AttemptLimiter
  private let pool: ReaderPool
  private let limited: [Language: Response]
  private let busy: [Language: Response]

  /// - Throws: ``ThreadError`` when the thread can't start.
  init(_ frame: PageFrame, isSecure: Bool, clock: @escaping WallClock) throws(ThreadError) {
    limiter = AttemptLimiter(burst: Self.burst, secondsEach: Self.secondsEach, clock: clock)
    pool = try ReaderPool(threads: 1)
    limited = Self.pages(.tooManyWithoutSession, frame, isSecure)
    busy = Self.pages(.tooManyPages, frame, isSecure)
  }

  /// Turns away what waits; what is being answered goes on.
  func close() { pool.close() }

  /// Waits a while for what is being answered, after ``close()``.
  func join(withinSeconds seconds: Double) { pool.join(withinSeconds: seconds) }

  /// The answer to a client that has had too many; `nil` where it may have one more.
  func rejection(of request: borrowing Request, from client: ClientAddress) -> Response? {
    guard limiter.secondsToWait(client) != nil else { return nil }
    let cookie = RequestCookies(request.headers("Cookie"))[PageVisit.languageCookie]
    return limited[.chosen(query: nil, cookie: cookie, accepted: request.header("Accept-Language"))]
  }

  /// Answers a request with a page that is made later.
  func answer(
    _ reply: consuming MeteredReply, _ visit: PageVisit, _ sender: RequestSender,
    _ page: @escaping @Sendable () -> Response
  ) {
    let pending = PendingReply(reply)
    let language = visit.setting.texts.language
    pool.answer(sender) { [busy] turn in
      pending.send(
        turn == .come
          ? Language.$ofPage.withValue(language, operation: page) : busy[language] ?? Response(status: 503))
    }
  }

  private static func pages(_ problem: Problem, _ frame: PageFrame, _ isSecure: Bool) -> [Language: Response]
  {
    let pages = Language.allCases.map { language in
      let texts = Texts(language)
      let title = ErrorPage.title(problem, texts)
      let page = frame.bare(
        title, PageFrame.Setting(texts: texts, theme: "", address: PageAddress("/")),
        "<h1>\(title)</h1>\(ErrorPage.body(problem, [], texts))")
      let headers =
        PageHeaders.all + (isSecure ? PageHeaders.overTLS : [])
        + [.init("Content-Language", language.rawValue)] + problem.headers
      return (language, Response(status: problem.status, headers: headers, body: Array(page.text.utf8)))
    }
    return Dictionary(pages) { first, _ in first }
  }
}

extension Problem {
  /// A client without a session asks for more pages than people do; 429.
  fileprivate static let tooManyWithoutSession = Problem(
    status: 429, code: "too-many-requests", title: "Too many requests",
    detail: "This address asks for more pages without a session than people do; retry later.",
    headers: [.init("Retry-After", "1")])
}
