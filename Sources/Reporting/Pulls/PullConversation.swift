import HTTPClient
import JSONText
import System
import Values

/// The requests of one run of a pull, and their answers.
struct PullConversation: ~Copyable {
  static let mostAttempts = 6
  /// Bytes of all answers.
  static let mostBytes = 256 << 20
  private static let longestToken = 16_384

  let pull: Pull
  var secrets: PullSecrets
  let context: PullContext
  /// Where postbacks are in rows of JSON; `nil` for rows of a table.
  private let place: PostbackPlace?
  let ask: PullContext.Fetch
  /// The answer that was fetched last.
  let answer: SpoolFile
  /// When the run has to be done, on the clock of the context.
  let end: Int64
  var values: [PullTemplate.Value: String] = [:]
  var requests = 0
  var bytes = 0

  init(
    _ pull: Pull, _ secrets: PullSecrets, _ context: PullContext, keeping answer: SpoolFile,
    readingPostbacksAt place: PostbackPlace?
  ) throws(PullError) {
    self.pull = pull
    self.place = place
    self.secrets = secrets
    self.context = context
    end = context.elapsed() + Int64(pull.limits.run) * 1000
    self.answer = answer
    do throws(PostError) { ask = try context.makeFetch() } catch {
      throw PullError(.unavailable, "the pull '\(pull.name)' cannot begin: \(error)", remedy: error.remedy)
    }
  }

  /// Reads all rows of days.
  mutating func read(_ days: Range<Day>, into all: PullRows) throws(PullError) {
    var first = days.lowerBound
    while first < days.upperBound {
      let end =
        pull.days.atOnce.map { min(days.upperBound, Day(number: first.number + Int32($0))) }
        ?? days.upperBound
      let last = pull.days.isToIncluded ? Day(number: end.number - 1) : end
      values[.from] = pull.days.format.text(first)
      values[.to] = pull.days.format.text(last)
      if pull.signIn != nil, values[.token] == nil { try signIn() }
      if let report = pull.report { try order(report) }
      try readPages(into: all)
      first = end
    }
  }

  private mutating func readPages(into all: PullRows) throws(PullError) {
    var number = 1
    var next: String?
    var seen: Set<String> = []
    var pages: Set<Int> = []
    if case .number(let first, _, _) = pull.pages { values[.page] = "\(first)" }
    values[.cursor] = ""
    while true {
      guard number <= pull.limits.pages else {
        throw PullError(
          .tooMuch, "the pull '\(pull.name)' has more than \(pull.limits.pages) pages",
          remedy: "ask for fewer days at once, or raise \"pages\" of \"limits\"")
      }
      let url = next ?? pull.request.address(values, secrets)
      let page = Place(page: number, url: url)
      try fetch(pull.request, at: page, most: pull.limits.bytes)
      let (file, path, place) = (answer, pull.rows, place)
      let answer = try reading(page) { () throws(PullAnswer.Defect) in
        try PullAnswer(file, rowsAt: path, place, into: all)
      }
      let isLast: Bool
      switch pull.pages {
      case .one: isLast = true
      case .next(let path):
        next = try answer.text(at: path).map { (link) throws(PullError) in try followed(link, from: page) }
        isLast = next == nil
      case .cursor(let path):
        let cursor = answer.text(at: path)
        values[.cursor] = cursor
        isLast = cursor == nil
      case .number(let first, let step, let count):
        let total = count.flatMap { answer.text(at: $0) }.flatMap { Int($0) }
        isLast = answer.rows == 0 || total.map { number >= $0 } ?? false
        guard answer.rows == 0 || pages.insert(answer.digest).inserted else {
          throw unexpected(page, "is that of a page before, as if the source did not read '{page}'", false)
        }
        values[.page] = "\(first + number * step)"
      }
      if isLast { return }
      if let turned = next ?? values[.cursor], !turned.isEmpty, !seen.insert(turned).inserted {
        throw unexpected(page, "names a page that was read before", true)
      }
      number += 1
    }
  }

  /// The address of a next page, which has to be at the same host, because it gets the same secrets.
  private func followed(_ link: String, from place: Place) throws(PullError) -> String {
    guard let origin = PullAddress(place.url)?.origin, let other = PullAddress(link)?.origin else {
      throw unexpected(place, "has a next page that is no address", false)
    }
    guard origin == other else {
      throw unexpected(place, "has its next page at another host, \(other)", false)
    }
    return link
  }

  mutating func signIn() throws(PullError) {
    guard let signIn = pull.signIn else { return }
    let place = Place(what: "sign-in", url: signIn.request.address(values, secrets))
    let answer = try short(signIn.request, at: place, isJSON: signIn.token != nil)
    let token =
      signIn.token.map { answer.text(at: $0) }
      ?? String(validating: shortBytes, as: UTF8.self).map { text in
        // A text alone, also where it is one of JSON.
        String(text.filter { !"\"\r\n ".contains($0) })
      }
    guard let token, (1...Self.longestToken).contains(token.utf8.count),
      token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      let path = signIn.token.map { " at '\(printable($0))'" } ?? ""
      // The answer may have the token at another place, so that nothing of it is shown.
      throw unexpected(place, "has no token of 1 to \(Self.longestToken) letters\(path)", false)
    }
    secrets.hide(token)
    values[.token] = token
  }

  private mutating func order(_ report: Pull.Report) throws(PullError) {
    values[.id] = nil
    let place = Place(what: "order of the report", url: report.order.address(values, secrets))
    let order = try short(report.order, at: place, isJSON: true)
    guard let id = order.text(at: report.id) else {
      throw unexpected(place, "has no '\(printable(report.id))'", true)
    }
    values[.id] = id
    var waited = 0
    while true {
      let place = Place(what: "status of the report", url: report.status.address(values, secrets))
      let status = try short(report.status, at: place, isJSON: true)
      guard let state = status.text(at: report.state) else {
        throw unexpected(place, "has no '\(printable(report.state))'", true)
      }
      if report.done.contains(state) { return }
      guard !report.failed.contains(state) else {
        throw unexpected(
          place, "states that the report is '\(secrets.texts.shown(state.utf8, atMost: 60))'", false)
      }
      guard waited < pull.limits.report else {
        throw PullError(
          .unavailable,
          "the pull '\(pull.name)' waited \(waited) seconds for its report, which is '\(secrets.texts.shown(state.utf8, atMost: 60))'",
          remedy: "ask for fewer days at once, or raise \"report-seconds\" of \"limits\"")
      }
      let seconds = min(30, max(2, waited / 4))
      try wait(seconds: seconds)
      waited += seconds
    }
  }
}
