import Values
import JSONText
import Webhooks

extension JSONFile {
  /// The addresses that receive alerts.
  func webhooks(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> [Webhook] {
    var webhooks: [Webhook] = []
    for (index, entry) in try array(node, path).enumerated() {
      let place = path.element(index)
      let members = try object(entry, place, allowing: Configuration.webhookMembers)
      guard let urlNode = members["url"] else { throw mistake(entry, place, "needs a \"url\"") }
      let url = try text(urlNode, place.member("url"))
      guard Webhook.isAddress(url) else {
        throw mistake(urlNode, place.member("url"), "must be an address with http:// or https:// and a host")
      }
      if webhooks.contains(where: { $0.url == url }) {
        throw mistake(urlNode, place.member("url"), "is the address of an earlier webhook too")
      }
      let secret = try members["hmac-secret"].map { node throws(JSONFileError) in
        try hmacSecret(node, place.member("hmac-secret"))
      }
      webhooks.append(Webhook(url: url, secret: secret))
    }
    return webhooks
  }
}
