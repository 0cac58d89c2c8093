import Routing
import Values
import JSONText
import OpenSSL

extension Configuration {
  /// Letters of a token in the clear at least; shorter ones could be guessed.
  package static let shortestToken = 16
  /// Letters of a secret that bodies are signed with at least.
  package static let shortestSecret = 32
}

extension JSONFile {
  /// The networks that may forward.
  func networks(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> [Access.Network] {
    var networks: [Access.Network] = []
    for (index, entry) in try array(node, path).enumerated() {
      let place = path.element(index)
      let members = try object(entry, place, allowing: Configuration.networkMembers)
      guard let nameNode = members["name"] else { throw mistake(entry, place, "needs a \"name\"") }
      let name = try text(nameNode, place.member("name"))
      guard Configuration.isNetworkName(name) else {
        throw mistake(
          nameNode, place.member("name"),
          "may have only letters, digits, '-', '_' and '.', because it is part of a URL"
        )
      }
      let secret: SHA256Digest
      switch (members["token"], members["token-sha256"]) {
      case (let node?, nil): secret = try token(node, place.member("token"))
      case (nil, let node?): secret = try digest(node, place.member("token-sha256"))
      default: throw mistake(entry, place, "needs either \"token\" or \"token-sha256\"")
      }
      if networks.contains(where: { $0.name == name }) {
        throw mistake(nameNode, place.member("name"), "is the name of an earlier network too")
      }
      if networks.contains(where: { $0.token == secret }) {
        throw mistake(entry, place, "has the token of an earlier network")
      }
      let key = try members["hmac-secret"].map { node throws(JSONFileError) in
        try hmacSecret(node, place.member("hmac-secret"))
      }
      networks.append(Access.Network(name: name, token: secret, secret: key))
    }
    return networks
  }

  /// A secret that bodies are signed with.
  func hmacSecret(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> [UInt8] {
    let secret = Array(try text(node, path).utf8)
    guard secret.count >= Configuration.shortestSecret else {
      throw mistake(node, path, "is a secret of fewer than \(Configuration.shortestSecret) letters")
    }
    return secret
  }

  /// A token in the clear, as its digest.
  func token(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> SHA256Digest {
    let token = try text(node, path)
    guard token.utf8.count >= Configuration.shortestToken else {
      throw mistake(node, path, "is a token of fewer than \(Configuration.shortestToken) letters")
    }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw mistake(
        node, path,
        "has a space or another letter that no Authorization header can carry; `openssl rand -hex 24` makes a token"
      )
    }
    return SHA256Digest(of: Array(token.utf8))
  }

  /// A digest in hexadecimal.
  func digest(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> SHA256Digest {
    guard let digest = SHA256Digest(hex: try text(node, path)) else {
      throw mistake(node, path, "must be a SHA-256 digest of 64 hexadecimal digits")
    }
    return digest
  }
}
