package import JSONText
import NetworkForms
package import OpenSSL

extension Access.Network {
  /// Gives a network of a configuration what it needs; `form` is the place of its profile, nil for Apple's.
  ///
  /// - Throws: `JSONProblem` where the profile is none.
  package init(
    name: String, tokenDigest: SHA256Digest?, secret: [UInt8]?, form: JSONPlace?
  ) throws(JSONProblem) {
    let profile = try form?.networkProfile(named: name) ?? .apple
    self.init(name: name, token: tokenDigest, secret: secret, profile: profile)
  }
}
