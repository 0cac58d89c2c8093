import HTTPClient
import JSONText
import Values

/// The requests of one run of a pull, and their answers.
struct PullConversation: ~Copyable {
  private static let mostAttempts = 6
  /// Bytes of all answers.
  private static let mostBytes = 256 << 20
  /// Rows of all answers, each of which takes about two kilobytes until they are stored.
  private static let mostRows = 1_000_000
  private static let longestToken = 16_384

  private let pull: Pull
  private var secrets: PullSecrets
  private let context: PullContext
  /// Where postbacks are in rows of JSON; `nil` for rows of a table.
  private let place: PostbackPlace?
  private let fetcher: HTTPFetcher
  private var values: [PullTemplate.Value: String] = [:]
  private(set) var requests = 0
  private var bytes = 0

  init(
    _ pull: Pull, _ secrets: PullSecrets, _ context: PullContext, readingPostbacksAt place: PostbackPlace?
  ) throws(PullError) {
    self.pull = pull
    self.place = place
    self.secrets = secrets
    self.context = context
    do throws(PostError) { fetcher = try HTTPFetcher() } catch {
      throw PullError(.unavailable, "the pull '\(pull.name)' cannot begin: \(error)", remedy: error.remedy)
    }
  }

  /// All rows of days.
  mutating func rows(of days: Range<Day>) throws(PullError) -> PullRows {
    var all = PullRows()
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
      try readPages(into: &all)
      first = end
    }
    return all
  }

  private mutating func readPages(into all: inout PullRows) throws(PullError) {
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
      let answer = try answer(to: pull.request, at: page, isJSON: pull.rows != nil)
      let rows = try reading(page, answer.bytes) { () throws(PullAnswer.Defect) in
        let rows = try answer.rows(at: pull.rows, place, after: all.count)
        try all.add(rows)
        guard all.count <= Self.mostRows else {
          throw PullAnswer.Defect(
            "makes more than \(Self.mostRows) rows with those before; ask for fewer days at a time")
        }
        return rows
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
        isLast = rows.count == 0 || total.map { number >= $0 } ?? false
        guard rows.count == 0 || pages.insert(answer.bytes.hashValue).inserted else {
          throw unexpected(page, "is that of a page before, as if the source did not read '{page}'", [])
        }
        values[.page] = "\(first + number * step)"
      }
      if isLast { return }
      if let turned = next ?? values[.cursor], !turned.isEmpty, !seen.insert(turned).inserted {
        throw unexpected(page, "names a page that was read before", answer.bytes)
      }
      number += 1
    }
  }

  /// The address of a next page, which has to be at the same host, because it gets the same secrets.
  private func followed(_ link: String, from place: Place) throws(PullError) -> String {
    guard let origin = PullAddress(place.url)?.origin, let other = PullAddress(link)?.origin else {
      throw unexpected(place, "has a next page that is no address", [])
    }
    guard origin == other else {
      throw unexpected(place, "has its next page at another host, \(other)", [])
    }
    return link
  }

  private mutating func signIn() throws(PullError) {
    guard let signIn = pull.signIn else { return }
    let place = Place(what: "sign-in", url: signIn.request.address(values, secrets))
    let answer = try answer(to: signIn.request, at: place, isJSON: signIn.token != nil)
    let token =
      signIn.token.map { answer.text(at: $0) }
      ?? String(validating: answer.bytes, as: UTF8.self).map { text in
        // A text alone, also where it is one of JSON.
        String(text.filter { !"\"\r\n ".contains($0) })
      }
    guard let token, (1...Self.longestToken).contains(token.utf8.count),
      token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      let path = signIn.token.map { " at '\(printable($0))'" } ?? ""
      // The answer may have the token at another place, so that nothing of it is shown.
      throw unexpected(place, "has no token of 1 to \(Self.longestToken) letters\(path)", [])
    }
    secrets.hide(token)
    values[.token] = token
  }

  private mutating func order(_ report: Pull.Report) throws(PullError) {
    values[.id] = nil
    let place = Place(what: "order of the report", url: report.order.address(values, secrets))
    let order = try answer(to: report.order, at: place, isJSON: true)
    guard let id = order.text(at: report.id) else {
      throw unexpected(place, "has no '\(printable(report.id))'", order.bytes)
    }
    values[.id] = id
    var waited = 0
    while true {
      let place = Place(what: "status of the report", url: report.status.address(values, secrets))
      let status = try answer(to: report.status, at: place, isJSON: true)
      guard let state = status.text(at: report.state) else {
        throw unexpected(place, "has no '\(printable(report.state))'", status.bytes)
      }
      if report.done.contains(state) { return }
      guard !report.failed.contains(state) else {
        throw unexpected(
          place, "states that the report is '\(secrets.texts.shown(state.utf8, atMost: 60))'", [])
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

extension PullConversation {
  /// What is asked for, for messages.
  private struct Place {
    let what: String
    let url: String

    init(what: String, url: String) { (self.what, self.url) = (what, url) }

    init(page: Int, url: String) { (what, self.url) = ("page \(page)", url) }
  }

  private enum Verdict {
    case body([UInt8])
    case again(afterSeconds: Int, because: String)
    case signInAgain
    case end(PullError)
  }

  private mutating func answer(
    to request: PullRequest, at place: Place, isJSON: Bool
  ) throws(PullError) -> PullAnswer {
    if requests > 0, pull.limits.pause > 0 { try wait(milliseconds: Int64(pull.limits.pause)) }
    var attempt = 1
    var hasSignedInAgain = false
    while true {
      requests += 1
      switch verdict(on: request, place, attempt) {
      case .body(let body):
        bytes += body.count
        guard bytes <= Self.mostBytes else {
          throw PullError(
            .tooMuch, "\(words(place)): the answers have more than \(Self.mostBytes >> 20) MiB",
            remedy: "ask for fewer days at a time")
        }
        return try reading(place, body) { () throws(PullAnswer.Defect) in
          try PullAnswer(body, isJSON: isJSON)
        }
      case .again(let seconds, let reason):
        context.note("\(words(place)): \(reason); trying again in \(seconds) s")
        try wait(seconds: seconds)
        attempt += 1
      case .signInAgain where request.values.contains(.token) && !hasSignedInAgain:
        // The token is over.
        hasSignedInAgain = true
        try signIn()
      case .signInAgain:
        throw PullError(
          .denied, "\(words(place)): the source answered 401", remedy: "check the secrets and their rights")
      case .end(let error): throw error
      }
    }
  }

  private mutating func verdict(on request: PullRequest, _ place: Place, _ attempt: Int) -> Verdict {
    let found: FetchedAnswer
    do throws(PostError) {
      found = try fetcher.fetch(
        place.url, posting: request.bytes(values, secrets), headers: request.lines(values, &secrets),
        most: pull.limits.bytes)
    } catch {
      let message = secrets.texts.redacted("\(words(place)): \(error)")
      switch error.code {
      case .tooLong: return .end(PullError(.tooMuch, message, remedy: error.remedy))
      case .badAddress: return .end(PullError(.rejected, message, remedy: error.remedy))
      case .notTrusted, .system: return .end(PullError(.unavailable, message, remedy: error.remedy))
      case .unknownHost, .notConnected, .timedOut, .broken:
        guard attempt < Self.mostAttempts else {
          return .end(PullError(.unavailable, message, remedy: error.remedy))
        }
        return .again(afterSeconds: Self.patience(attempt), because: secrets.texts.redacted("\(error)"))
      }
    }
    let status = "the source answered \(found.status)"
    switch found.status {
    case 200..<300: return .body(found.body)
    case 300..<400:
      let origin = found.redirect.flatMap { PullAddress($0)?.origin } ?? "no address"
      let other = secrets.texts.areRepeated(in: origin.utf8) ? "another address" : origin
      return .end(
        PullError(
          .redirected, "\(words(place)): \(status), which sends to \(other)",
          remedy: "write the address that it sends to; secrets are never sent on"))
    case 401: return .signInAgain
    case 403:
      return .end(
        PullError(
          .denied, "\(words(place)): \(status)\(shown(found.body))",
          remedy: "check the secrets and their rights"))
    case 408, 429, 500...:
      let seconds = found.retryAfterSeconds.map { Int(clamping: $0) } ?? Self.patience(attempt)
      guard seconds <= pull.limits.wait else {
        return .end(
          PullError(
            .limited,
            "\(words(place)): \(status), and to wait \(seconds) s; the pull waits \(pull.limits.wait) s at most",
            remedy: "run it again later, or raise \"wait-seconds\" of \"limits\""))
      }
      guard attempt < Self.mostAttempts else {
        return .end(
          PullError(
            found.status == 429 ? .limited : .unavailable,
            "\(words(place)): \(status) \(attempt) times\(shown(found.body))", remedy: "run it again later"))
      }
      return .again(afterSeconds: max(1, seconds), because: status)
    default:
      return .end(
        PullError(
          .rejected, "\(words(place)): \(status)\(shown(found.body))",
          remedy: "compare the request with the source's documentation"))
    }
  }

  /// Seconds until the next attempt, where the source names none.
  private static func patience(_ attempt: Int) -> Int { min(60, 1 << attempt) }

  private func wait(seconds: Int) throws(PullError) { try wait(milliseconds: Int64(seconds) * 1000) }

  private func wait(milliseconds: Int64) throws(PullError) {
    guard context.wait(milliseconds) else {
      throw PullError.stopped(pull.name)
    }
  }

  private func words(_ place: Place) -> String {
    secrets.texts.redacted(
      "the pull '\(pull.name)', \(place.what), \(printable(PullAddress.shown(place.url)))")
  }

  /// The beginning of an answer, for a person to understand it.
  private func shown(_ body: [UInt8]) -> String {
    let words = secrets.texts.shown(body.prefix(4096), atMost: 200)
    return words.isEmpty ? "" : ": \(words)"
  }

  /// - Parameter defect: What is wrong, in which a part of the answer can be.
  private func unexpected(_ place: Place, _ defect: String, _ body: [UInt8]) -> PullError {
    let isSecret = secrets.texts.areRepeated(in: defect.utf8)
    return PullError(
      .unexpected,
      "\(words(place)): the answer \(isSecret ? "is not what the document describes" : defect)\(shown(body))",
      remedy: "compare the document with the source's documentation; nothing is stored")
  }

  private func reading<Result>(
    _ place: Place, _ body: [UInt8], _ read: () throws(PullAnswer.Defect) -> Result
  ) throws(PullError) -> Result {
    do throws(PullAnswer.Defect) { return try read() } catch { throw unexpected(place, error.words, body) }
  }
}
