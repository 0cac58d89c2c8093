package import Delivery
package import Ledger
package import Pulls

/// What relays, webhooks and pulls go through: HTTP, but in a simulation of the service.
package struct DeliveryChannels: Sendable {
  /// Makes the channel of one relay.
  package var relay: @Sendable () -> any RelayChannel = { HTTPRelayChannel() }
  /// Posts a notice to a webhook and returns the status of the answer.
  package var webhook:
    @Sendable (Webhook, AlertNotice, _ headers: [(name: String, value: String)]) throws -> Int = {
      try $0.post($1, headers: $2)
    }

  /// Makes what the requests of one run of a pull go through.
  package var pull = PullContext.overHTTP

  package init() {}
}
