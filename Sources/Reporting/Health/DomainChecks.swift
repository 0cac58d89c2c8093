import HTTPClient
import Postbacks
package import Values

/// The checks that look at a service from outside, as a device does.
///
/// Each of Apple's paths gets a probe, with and without its last slash. skan answers a probe with 400 and stores
/// nothing, so that a check leaves no trace in the figures. A device treats only 200 as done and follows no redirect.
package struct DomainChecks {
  private struct Path {
    let check: HealthFinding.Check
    let path: String
  }

  private static let paths = [
    Path(check: .skadnetwork, path: "/.well-known/skadnetwork/report-attribution"),
    Path(check: .appattribution, path: "/.well-known/appattribution/report-attribution"),
  ]
  /// Milliseconds from which on an answer is slow.
  private static let slow = 3_000
  private static let secondsToConnect = 10
  private static let seconds = 20

  package private(set) var findings: [HealthFinding] = []

  /// Checks a domain.
  ///
  /// - Parameters:
  ///   - domain: A host, with a port where it is not 443.
  ///   - certificates: A PEM file with the only issuers that are trusted; `nil` for those of the system.
  package init(_ domain: String, certificates: String?, now: Instant) {
    let poster: HTTPPoster
    do throws(PostError) {
      poster = try HTTPPoster(
        connectSeconds: Self.secondsToConnect, seconds: Self.seconds, certificates: certificates)
    } catch {
      findings = [.fail(.domain, english: "\(error)", cure: error.remedy)]
      return
    }
    for path in Self.paths {
      guard check(path, of: domain, poster, now) else { return }
    }
  }

  /// Checks one path; false where the others need no try, because there is no connection.
  private mutating func check(
    _ path: Path, of domain: String, _ poster: borrowing HTTPPoster, _ now: Instant
  ) -> Bool {
    var answers: [ProbeAnswer] = []
    for slash in ["/", ""] {
      let url = "https://\(domain)\(path.path)\(slash)"
      do throws(PostError) {
        let answer = try poster.probe(
          ReceptionProbe.body, at: url, headers: [(name: "Content-Type", value: "application/json")])
        if findings.isEmpty { describe(answer, of: domain, now) }
        answers.append(answer)
        if let problem = problem(with: answer, at: url, path) {
          findings.append(problem)
          return true
        }
      } catch {
        findings.append(Self.unreached(findings.isEmpty ? .domain : path.check, url, error))
        return false
      }
    }
    let slowest = answers.map(\.milliseconds).max() ?? 0
    let detail = "'https://\(domain)\(path.path)/' answers as skan does, in \(slowest) ms"
    findings.append(
      slowest < Self.slow
        ? .ok(path.check, english: detail)
        : .warn(
          path.check, english: detail, cure: "check the load of the machine and of what is in front of skan"))
    return true
  }

  /// Notes what the first answer shows of the server.
  private mutating func describe(_ answer: ProbeAnswer, of domain: String, _ now: Instant) {
    findings.append(.ok(.domain, english: "'\(domain)' is reached at \(answer.address)"))
    let count = answer.certificates.count
    guard let first = answer.certificates.first, let end = Self.moment(first.end) else { return }
    let days = (end.milliseconds - now.milliseconds) / Day.milliseconds
    findings.append(
      ServiceChecks.certificate(
        Sentence(
          name:
            "the certificate is trusted, comes with \(count == 1 ? "no other one" : counted(count - 1, "issuer")), "
            + "and has \(counted(days, "day")) left; it"), until: end, now: now))
  }

  /// What is wrong with an answer; nil where it is skan's.
  private func problem(with answer: ProbeAnswer, at url: String, _ path: Path) -> HealthFinding? {
    let found = "'\(url)' answers \(answer.status)"
    if let target = answer.redirect {
      return .fail(
        path.check,
        english: "\(found), a redirect to '\(printable(target))'; devices do not follow redirects",
        cure: "answer at '\(url)' itself, for example with `proxy_pass` in place of a redirect")
    }
    let isProblem = answer.contentType?.hasPrefix("application/problem+json") == true
    switch answer.status {
    case ReceptionProbe.status where isProblem: return nil
    case 200..<300:
      return .fail(
        path.check, english: "\(found) to a body that is no postback, so another program than skan answers",
        cure: "pass this path to skan")
    case 404 where isProblem:
      return .fail(
        path.check, english: "\(found); the path that arrives at skan is another one",
        cure: "pass the path unchanged")
    case 429:
      return .fail(
        path.check, english: "\(found): too many requests",
        cure: "wait a minute, and raise the limits in front of skan"
      )
    case 400..<500:
      return .fail(
        path.check, english: "\(found); something in front of skan rejects the request",
        cure: "allow POST with a JSON body at this path, without sign-in, cookies or a browser check")
    default:
      return .fail(
        path.check, english: "\(found)",
        cure: "check that `skan serve` runs, its log, and what is in front of it")
    }
  }

  private static func unreached(_ check: HealthFinding.Check, _ url: String, _ error: PostError)
    -> HealthFinding
  {
    let detail = "'\(url)': \(printable(error.reason))"
    guard error.code == .notTrusted else { return .fail(check, english: detail, cure: error.remedy) }
    return .fail(
      check == .domain ? .tls : check, english: detail,
      cure: "use a certificate of a public authority for this name, and send its issuers too "
        + "(the full chain); devices accept nothing else")
  }

  /// Reads OpenSSL's form of a moment, `Nov 20 12:00:00 2027 GMT`.
  static func moment(_ text: String) -> Instant? {
    let words = text.split(separator: " ")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard words.count >= 4, let month = months.firstIndex(of: String(words[0])) else { return nil }
    func padded(_ text: some StringProtocol) -> String { text.count < 2 ? "0\(text)" : "\(text)" }
    return Instant("\(words[3])-\(padded("\(month + 1)"))-\(padded(words[1]))T\(words[2])Z")
  }
}
