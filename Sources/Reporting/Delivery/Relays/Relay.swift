import JSONText
package import Ledger
import Values

/// An address that genuine postbacks are passed on to.
package struct Relay: Equatable, Sendable {
  /// Its name, under which the database keeps how far it has come.
  package let name: String
  /// Where to, and what signs the bodies.
  package var address: Webhook
  /// What is sent as `Authorization: Bearer`; `nil` for none.
  package var token: String?
  /// Further headers of every post; their values may be secrets.
  package var headers: [RelayHeader] = []
  package var selection = RelaySelection()
  /// Where it begins when it is new.
  package var start = RelayStart.newest
  /// What its bodies contain.
  package var form = RelayForm.postback
  /// How many postbacks may be under way at a time, 1 to 64.
  package var parallel = Relay.usualParallel
  /// Whether those of one app arrive in order.
  package var isOrdered = false

  static let usualParallel = 8
  static let mostParallel = 64

  package init(name: String, address: Webhook) {
    self.name = name
    self.address = address
  }

  /// Whether its secret, which the other side may have chosen, is so short that it could be guessed.
  package var hasShortSecret: Bool {
    address.secret.map { $0.count < Webhook.shortestSecret } ?? false
  }

  /// What the other side gets or knows, and could send back: the token, the secret of signatures, headers but for those that
  /// state what is wanted, and of the address the user, the query and long parts of the path.
  var secrets: SecretTexts {
    var secrets = SecretTexts()
    if let token { secrets.add(token) }
    if let secret = address.secret { secrets.add(String(decoding: secret, as: UTF8.self)) }
    for header in headers where !RelayHeader.isOrdinary(header.name) {
      secrets.add(header.value)
      // Behind "Bearer" or "Basic".
      let words = header.value.split(separator: " ")
      guard header.name.lowercased().hasSuffix("authorization"), words.count == 2 else { continue }
      secrets.add(String(words[1]))
      if let pair = Base64.decode(Array(words[1].utf8)) { secrets.add(String(decoding: pair, as: UTF8.self)) }
    }
    let parts = address.url.split(separator: "?", maxSplits: 1)
    let path = parts.first?.split(separator: "/") ?? []
    if path.count > 1, let end = path[1].lastIndex(of: "@") { secrets.add(String(path[1][..<end])) }
    for word in path.dropFirst(2) where word.utf8.count >= Self.longPart { secrets.add(String(word)) }
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let value = pair.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
      secrets.add(value)
      if let plain = percentDecoded(value.utf8), plain != value { secrets.add(plain) }
    }
    return secrets
  }

  /// Letters of a part of a path that may be a token.
  private static let longPart = 10

  /// Whether posts differ from those of other settings in where they go or how they sign in.
  func sendsOtherwise(than other: Relay) -> Bool {
    address != other.address || token != other.token || headers != other.headers
  }

  /// Whether other postbacks are sent than with other settings, or in another order.
  func choosesOtherwise(than other: Relay) -> Bool {
    selection != other.selection || isOrdered != other.isOrdered
  }
}

/// A header that an operator adds to the posts of a relay.
package struct RelayHeader: Equatable, Sendable {
  package let name: String
  /// May be a secret, so nothing shows it.
  package let value: String

  /// Headers that are skan's own or the connection's, in small letters.
  private static let reserved: Set<String> = [
    "connection", "content-length", "content-type", "expect", "host", "skan-delivery", "skan-signature", "te",
    "trailer", "transfer-encoding", "upgrade",
  ]

  /// Whether a header may have that name: a token of RFC 9110 that is not reserved.
  package static func isName(_ name: String) -> Bool {
    !name.isEmpty && !reserved.contains(name.lowercased())
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether a header states what is wanted and is no secret.
  static func isOrdinary(_ name: String) -> Bool {
    ["accept", "accept-language", "cache-control", "user-agent"].contains(name.lowercased())
  }

  /// Whether a header may have that value: printable ASCII that neither begins nor ends with a space.
  static func isValue(_ value: String) -> Bool {
    !value.isEmpty && value.first != " " && value.last != " "
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }
}
