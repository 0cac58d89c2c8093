import Delivery
import JSONText
import OpenSSL
import Routing
import Values

extension ConfigurationFile {
  /// Letters of a token in the clear at least; shorter ones could be guessed.
  package static let shortestToken = 16
}

extension JSONPlace {
  func networks() throws(JSONProblem) -> [Access.Network] {
    var networks: [Access.Network] = []
    for entry in try list() {
      let members = try entry.members(ConfigurationFile.networkForm)
      let place = try members.required("name")
      let name = try place.text()
      guard ConfigurationFile.isNetworkName(name) else {
        throw place.mistake(
          "may have only letters, digits, '-', '_' and '.', because it is part of a URL")
      }
      let form = members["form"]
      let secret: SHA256Digest?
      switch (members["token"], members["token-sha256"]) {
      case (let token?, nil): secret = try token.token()
      case (nil, let digest?): secret = try digest.digest()
      // Its tokens are those of `skan token create`.
      case (nil, nil) where form != nil: secret = nil
      default: throw entry.mistake("needs either \"token\" or \"token-sha256\"")
      }
      if networks.contains(where: { $0.name == name }) {
        throw place.mistake("is the name of an earlier network too")
      }
      if secret != nil, networks.contains(where: { $0.token == secret }) {
        throw entry.mistake("has the token of an earlier network")
      }
      let key = try members["hmac-secret"]?.hmacSecret()
      networks.append(try Access.Network(name: name, tokenDigest: secret, secret: key, form: form))
    }
    return networks
  }

  func token() throws(JSONProblem) -> SHA256Digest {
    let token = try text()
    guard token.utf8.count >= ConfigurationFile.shortestToken else {
      throw mistake("is a token of fewer than \(ConfigurationFile.shortestToken) letters")
    }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw mistake(
        "has a space or another letter that no Authorization header can carry; `openssl rand -hex 24` makes a token"
      )
    }
    return SHA256Digest(of: Array(token.utf8))
  }

  func digest() throws(JSONProblem) -> SHA256Digest {
    guard let digest = SHA256Digest(hex: try text()) else {
      throw mistake("must be a SHA-256 digest of 64 hexadecimal digits")
    }
    return digest
  }
}
