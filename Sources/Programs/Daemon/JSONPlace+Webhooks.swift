import JSONText
import Values
import Delivery

extension JSONPlace {
  /// The addresses that receive alerts.
  func webhooks() throws(JSONProblem) -> [Webhook] {
    var webhooks: [Webhook] = []
    for entry in try list() {
      let members = try entry.members(Configuration.webhookForm)
      let place = try members.required("url")
      let url = try place.postAddress()
      if webhooks.contains(where: { $0.url == url }) {
        throw place.mistake("is the address of an earlier webhook too")
      }
      webhooks.append(Webhook(url: url, secret: try members["hmac-secret"]?.hmacSecret()))
    }
    return webhooks
  }
}
