import JSONText
package import Ledger
import OpenSSL
import Postbacks
package import Reports
package import Values

extension Webhook {
  /// Writes the notice of a digest; `nil` where the webhook gets none.
  ///
  /// The id follows from the week, so that the same week written twice is one notice.
  package func notice(of week: Digest, now: Instant, wording: Wording = .english) -> AlertNotice? {
    guard let digestPages else { return nil }
    let id = String(
      SHA256Digest(of: Array("digest \(week.monday) \(week.environment.rawValue)".utf8)).hex.prefix(32))
    guard case .object(let members) = week.json else { return nil }
    let content =
      members + [
        .init("text", .string(week.text(base: digestPages, in: wording))),
        .init("html", .string(week.html(base: digestPages, in: wording))),
      ]
    let body: JSONOutput = ["delivery": .string(id), "digest": .object(content)]
    return AlertNotice(webhook: digest, id: id, createdAt: now, nextAt: now, body: body.bytes())
  }
}
