package import JSONText
import Ledger
package import OpenSSL
package import Delivery
package import Routing
import System
package import Values

/// The content of a configuration file; its form is `schemas/config.schema.json`.
package struct Configuration: Sendable {
  /// The settings that options stand for too, as texts by the option's name without dashes.
  package var texts: [String: String] = [:]
  /// The networks that may forward postbacks.
  package var networks: [Access.Network] = []
  /// The SHA-256 of the tokens that may read.
  package var readTokens: [SHA256Digest] = []
  /// Hosts that stand for an ad network's registered address.
  package var networkHosts: [String] = []
  /// The origins of pages that a browser lets read.
  package var corsOrigins: [String] = []
  /// Proxies whose X-Forwarded-For is trusted, as written.
  package var trustedProxies: [String] = []
  /// How much one client or network may send.
  package var limits = RateLimits()
  package var limitMembers: Set<String> = []
  /// The addresses that receive alerts.
  package var alertWebhooks: [Webhook] = []
  /// The addresses that genuine postbacks are passed on to.
  package var relays: [Relay] = []
  /// The path of the file; nil where there is none.
  package var path: String?

  /// Members whose value is a text that an option understands.
  package static let textMembers = [
    "database", "listen", "metrics", "pages", "mappings", "samples", "trust-test-keys", "tls-certificate",
    "tls-key",
    "log-format", "alerts", "app-mappings-key",
  ]
  /// All members that the file may have.
  package static let members =
    textMembers
    + [
      "threads", "connections-per-address", "networks", "read-tokens", "read-token-sha256", "network-hosts",
      "trusted-proxies", "cors-origins", "pages-open", "pages-plain-http", "app-mappings", "limits",
      "alerts-interval",
      "alert-webhooks", "relays", "$schema",
    ]
  static let form = JSONForm("a configuration", optional: members)
  static let networkForm = JSONForm(
    "a network", required: ["name"], optional: ["token", "token-sha256", "hmac-secret", "form"])
  static let webhookForm = JSONForm("a webhook", required: ["url"], optional: ["hmac-secret"])

  /// Whether a network may have that name, which is in a URL.
  package static func isNetworkName(_ name: String) -> Bool { StoredToken.isHolderName(name) }

  /// Starts without any.
  package init() {}

  package static func read(_ path: String) throws(CommandError) -> Configuration {
    let bytes: [UInt8]
    do { bytes = try FileReader.contents(of: path, limit: 1 << 20) } catch { throw CommandError(error) }
    do { return try read(bytes, named: path) } catch { throw CommandError(error) }
  }

  /// Reads the bytes of a configuration file; the name is for messages.
  package static func read(_ bytes: [UInt8], named path: String) throws(JSONFileError) -> Configuration {
    let file = JSONFile(bytes, name: path, schema: "schemas/config.schema.json")
    var configuration = try file.read { (root) throws(JSONProblem) in try root.configuration() }
    configuration.path = path
    return configuration
  }
}

extension JSONPlace {
  fileprivate func configuration() throws(JSONProblem) -> Configuration {
    var configuration = Configuration()
    for (name, place) in try members(Configuration.form) {
      switch name {
      case "$schema": _ = try place.text()
      case "pages-open", "pages-plain-http", "app-mappings":
        configuration.texts[name] = "\(try place.truth())"
      case "threads": configuration.texts[name] = "\(try place.integer(in: 1...256))"
      case "connections-per-address": configuration.texts[name] = "\(try place.integer(in: 0...65_535))"
      case "alerts-interval": configuration.texts[name] = "\(try place.integer(in: 1...86_400))"
      case "alert-webhooks": configuration.alertWebhooks = try place.webhooks()
      case "relays": configuration.relays = try place.relays()
      case "networks": configuration.networks = try place.networks()
      case "read-tokens":
        for entry in try place.list() { configuration.readTokens.append(try entry.token()) }
      case "read-token-sha256":
        for entry in try place.list() { configuration.readTokens.append(try entry.digest()) }
      case "network-hosts":
        for entry in try place.list() { configuration.networkHosts.append(try entry.text().lowercased()) }
      case "trusted-proxies": configuration.trustedProxies = try place.trustedProxies()
      case "cors-origins": configuration.corsOrigins = try place.corsOrigins()
      case "limits": (configuration.limits, configuration.limitMembers) = try place.limits()
      default: configuration.texts[name] = try place.setting(name)
      }
    }
    return configuration
  }

  private func setting(_ name: String) throws(JSONProblem) -> String {
    let value = try text()
    if ["listen", "pages"].contains(name), HostPort(value) == nil {
      throw mistake("must be HOST:PORT, such as \"127.0.0.1:8080\"")
    }
    if name == "metrics", HostPort(value) == nil, !["same", "none"].contains(value) {
      throw mistake("must be HOST:PORT, such as \"127.0.0.1:9090\", or \"same\" or \"none\"")
    }
    if name == "log-format", !["text", "json"].contains(value) {
      throw mistake("must be \"text\" or \"json\"")
    }
    return value
  }
}
