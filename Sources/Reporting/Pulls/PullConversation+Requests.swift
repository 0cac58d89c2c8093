import HTTPClient
import JSONText
import System
import Values

extension PullConversation {
  /// What is asked for, for messages.
  struct Place {
    let what: String
    let url: String

    init(what: String, url: String) { (self.what, self.url) = (what, url) }

    init(page: Int, url: String) { (what, self.url) = ("page \(page)", url) }
  }

  private enum Verdict {
    case done
    case again(afterSeconds: Int, because: String)
    case signInAgain
    case end(PullError)
  }

  /// Asks for an answer without rows, and reads it.
  mutating func short(
    _ request: PullRequest, at place: Place, isJSON: Bool
  ) throws(PullError) -> PullAnswer {
    try fetch(request, at: place, most: min(pull.limits.bytes, PullAnswer.mostBytesOfShort))
    let bytes = shortBytes
    return try reading(place) { () throws(PullAnswer.Defect) in try PullAnswer(short: bytes, isJSON: isJSON) }
  }

  /// The bytes of an answer without rows; none where the disk fails.
  var shortBytes: [UInt8] { (try? answer.read(at: 0, most: PullAnswer.mostBytesOfShort)) ?? [] }

  /// Asks until there is an answer, which is in ``answer`` then.
  mutating func fetch(_ request: PullRequest, at place: Place, most: Int) throws(PullError) {
    if requests > 0, pull.limits.pause > 0 { try wait(milliseconds: Int64(pull.limits.pause)) }
    var attempt = 1
    var hasSignedInAgain = false
    while true {
      requests += 1
      switch verdict(on: request, place, attempt, most: most) {
      case .done:
        bytes += answer.count
        guard bytes <= Self.mostBytes else {
          throw PullError(
            .tooMuch, "\(words(place)): the answers have more than \(Self.mostBytes >> 20) MiB",
            remedy: "ask for fewer days at a time")
        }
        return
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

  private mutating func verdict(
    on request: PullRequest, _ place: Place, _ attempt: Int, most: Int
  ) -> Verdict {
    let fetched: FetchedAnswer?
    var obstacle: FileError?
    do throws(FileError) { try answer.removeAll() } catch { return .end(unkept(error)) }
    do throws(PostError) {
      fetched = try ask(
        place.url, request.bytes(values, secrets), request.lines(values, &secrets), most
      ) { [answer, context, end] bytes in
        do throws(FileError) { if !bytes.isEmpty { try answer.append(bytes) } } catch { obstacle = error }
        return obstacle == nil && context.goesOn() && context.elapsed() < end
      }
    } catch {
      let message = "\(words(place)): \(error)"
      switch error.code {
      case .tooLong: return .end(PullError(.tooMuch, message, remedy: error.remedy))
      case .badAddress: return .end(PullError(.rejected, message, remedy: error.remedy))
      case .notTrusted, .system: return .end(PullError(.unavailable, message, remedy: error.remedy))
      case .unknownHost, .notConnected, .timedOut, .broken:
        guard attempt < Self.mostAttempts else {
          return .end(PullError(.unavailable, message, remedy: error.remedy))
        }
        return .again(afterSeconds: Self.patience(attempt), because: secrets.safe("\(error)"))
      }
    }
    if let obstacle { return .end(unkept(obstacle)) }
    guard let found = fetched else { return .end(context.goesOn() ? tooLate : .stopped(pull.name)) }
    let status = "the source answered \(found.status)"
    switch found.status {
    case 200..<300: return .done
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
          .denied, "\(words(place)): \(status)\(shown())",
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
            "\(words(place)): \(status) \(attempt) times\(shown())", remedy: "run it again later"))
      }
      return .again(afterSeconds: max(1, seconds), because: status)
    default:
      return .end(
        PullError(
          .rejected, "\(words(place)): \(status)\(shown())",
          remedy: "compare the request with the source's documentation"))
    }
  }

  /// Seconds until the next attempt, where the source names none.
  private static func patience(_ attempt: Int) -> Int { min(60, 1 << attempt) }

  func wait(seconds: Int) throws(PullError) { try wait(milliseconds: Int64(seconds) * 1000) }

  private var tooLate: PullError {
    PullError(
      .limited, "the pull '\(pull.name)' takes more than \(pull.limits.run) s; nothing is stored",
      remedy: "ask for fewer days at a time, or raise \"run-seconds\" of \"limits\"")
  }

  private func unkept(_ error: FileError) -> PullError {
    PullError(
      .unavailable, "the pull '\(pull.name)' cannot keep an answer for now: \(error)", remedy: error.remedy)
  }

  func wait(milliseconds: Int64) throws(PullError) {
    guard context.elapsed() + milliseconds < end else { throw tooLate }
    guard context.wait(milliseconds) else {
      throw PullError.stopped(pull.name)
    }
  }

  func words(_ place: Place) -> String {
    secrets.texts.redacted(
      "the pull '\(pull.name)', \(place.what), \(printable(PullAddress.shown(place.url)))")
  }

  /// The beginning of the answer, for a person to understand it.
  private func shown() -> String {
    let words = secrets.texts.shown((try? answer.read(at: 0, most: 4096)) ?? [], atMost: 200)
    return words.isEmpty ? "" : ": \(words)"
  }

  /// - Parameters:
  ///   - defect: What is wrong, in which a part of the answer can be.
  ///   - isShown: Whether people see the beginning of the answer.
  func unexpected(_ place: Place, _ defect: String, _ isShown: Bool) -> PullError {
    let isSecret = secrets.texts.areRepeated(in: defect.utf8)
    return PullError(
      .unexpected,
      "\(words(place)): the answer \(isSecret ? "is not what the document describes" : defect)\(isShown ? shown() : "")",
      remedy: "compare the document with the source's documentation; nothing is stored")
  }

  func reading<Result>(
    _ place: Place, _ read: () throws(PullAnswer.Defect) -> Result
  ) throws(PullError) -> Result {
    do throws(PullAnswer.Defect) { return try read() } catch { throw unexpected(place, error.words, true) }
  }
}
