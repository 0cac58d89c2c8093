import HTTPClient
import JSONText
package import Ledger
package import OpenSSL
package import Values

/// An address that receives alerts.
package struct Webhook: Equatable, Sendable {
  /// Where alerts are posted to.
  package let url: String
  /// What signs them; `nil` for no signature.
  package let secret: [UInt8]?
  /// The address of the pages that the lines of a weekly digest lead to; `nil` where none is posted.
  package let digestPages: String?
  /// The code of the language of sentences for people.
  package let language: String

  /// Bytes of a secret that signs, below which it could be guessed.
  package static let shortestSecret = 32

  package init(url: String, secret: [UInt8]? = nil, digestPages: String? = nil, language: String = "en") {
    self.url = url
    self.language = language
    self.secret = secret
    self.digestPages = digestPages
  }

  /// What stands for the address in the database; the address itself may be a secret.
  package var digest: String { SHA256Digest(of: Array(url.utf8)).hex }

  /// Whether alerts can be posted to an address: one of `http` or `https`, with a host and without spaces.
  package static func isAddress(_ url: String) -> Bool {
    guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return false }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
    let place = Webhook(url: url).place
    let host = String(place.drop { $0 != "/" }.dropFirst(2))
    // A port is a matter of taste where none is given, and a number from 1 on otherwise.
    guard let found = HostPort(host) ?? HostPort("\(host):80"), found.port > 0 else { return false }
    return found.host.utf8.allSatisfy { isLetterOfHost($0) }
  }

  private static func isLetterOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The scheme and the host, which a log may show.
  package var place: String {
    let parts = url.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[1].isEmpty else { return "?" }
    // A name and a password may be before the host.
    let host = parts[2].split(separator: "@").last.map { $0.prefix { $0 != "?" && $0 != "#" } } ?? ""
    return "\(parts[0])//\(host)"
  }

  /// Alerts in one notice at most, so that a receiver can take it.
  static let mostAlerts = 100

  /// Writes the notices of alerts that began or ended, in as many notices as that needs.
  ///
  /// The id follows from the alerts, so that the same event written twice is one notice.
  ///
  /// - Returns: The notices; none where there are no alerts.
  package func notices(
    of alerts: [AlertRecord], now: Instant, wording: Wording = .english
  ) -> [AlertNotice] {
    stride(from: 0, to: alerts.count, by: Self.mostAlerts).map { start in
      notice(of: Array(alerts[start..<min(start + Self.mostAlerts, alerts.count)]), now: now, wording)
    }
  }

  private func notice(of alerts: [AlertRecord], now: Instant, _ wording: Wording) -> AlertNotice {
    let events = alerts.map { "\($0.id) \($0.since) \($0.state)" }
    let id = String(SHA256Digest(of: Array(events.joined(separator: "\n").utf8)).hex.prefix(32))
    let body: JSONOutput = ["delivery": .string(id), "alerts": .array(alerts.map { $0.json(wording) })]
    return AlertNotice(webhook: digest, id: id, createdAt: now, nextAt: now, body: body.bytes())
  }

  /// The headers that go with a notice that is sent now.
  ///
  /// - Throws: ``OpenSSLError`` when there is no memory for the signature.
  package func headers(
    for notice: AlertNotice, now: Instant
  ) throws(OpenSSLError) -> [(name: String, value: String)] {
    var headers = [
      (name: "Content-Type", value: "application/json"), (name: "Skan-Delivery", value: notice.id),
    ]
    if let signature = try signature(of: notice.body, now: now) { headers.append(signature) }
    return headers
  }

  /// The header that signs a body that is sent now; `nil` for no signature.
  ///
  /// It is the HMAC-SHA256 of the seconds, a dot and the body, so that an old delivery can't be replayed for a new one.
  ///
  /// - Throws: ``OpenSSLError`` when there is no memory for the signature.
  package func signature(
    of body: [UInt8], now: Instant
  ) throws(OpenSSLError) -> (name: String, value: String)? {
    guard let secret else { return nil }
    let code = hexText(try hmacSHA256(Array("\(now.seconds).".utf8) + body, secret: secret))
    return (name: "Skan-Signature", value: "t=\(now.seconds),v1=\(code)")
  }

  /// Posts a notice.
  ///
  /// - Returns: The status of the answer.
  /// - Throws: `PostError` where there is none.
  package func post(_ notice: AlertNotice, headers: [(name: String, value: String)]) throws -> Int {
    try HTTPPoster().post(notice.body, to: url, headers: headers)
  }
}
