import Ledger
import Values

/// A post of a relay.
package struct RelayMessage: Sendable {
  package let body: [UInt8]
  package let headers: [(name: String, value: String)]

  /// Writes the message of a postback that is sent now.
  ///
  /// - Throws: An error of OpenSSL when there is no memory for the signature.
  init(_ body: [UInt8], of postback: RelayPostback, to relay: Relay, now: Instant) throws {
    self.body = body
    var headers = [
      (name: "Content-Type", value: "application/json"),
      (name: "Skan-Delivery", value: postback.copy.map { "\(postback.row)-\($0)" } ?? "\(postback.row)"),
    ]
    if let token = relay.token { headers.append((name: "Authorization", value: "Bearer \(token)")) }
    headers += relay.headers.map { (name: $0.name, value: $0.value) }
    if let signature = try relay.address.signature(of: body, now: now) { headers.append(signature) }
    self.headers = headers
  }
}
