package import JSONText
import Values

extension JSONPlace {
  package func hmacSecret() throws(JSONProblem) -> [UInt8] {
    let secret = Array(try text().utf8)
    guard secret.count >= Webhook.shortestSecret else {
      throw mistake("is a secret of fewer than \(Webhook.shortestSecret) letters")
    }
    return secret
  }

  package func postAddress() throws(JSONProblem) -> String {
    let url = try text()
    guard Webhook.isAddress(url) else {
      throw mistake("must be an address with http:// or https:// and a host")
    }
    return url
  }
}
