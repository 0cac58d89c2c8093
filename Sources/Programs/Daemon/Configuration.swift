package import JSONText
package import OpenSSL
package import Routing
import System
package import Values
package import Webhooks

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
  /// The members of the limits that the file has.
  package var limitMembers: Set<String> = []
  /// The addresses that receive alerts.
  package var alertWebhooks: [Webhook] = []
  /// The path of the file; nil where there is none.
  package var path: String?

  /// Members whose value is a text that an option understands.
  package static let textMembers = [
    "database", "listen", "metrics", "mappings", "trust-test-keys", "tls-certificate", "tls-key",
    "log-format", "alerts",
  ]
  /// All members that the file may have.
  package static let members =
    textMembers
    + [
      "threads", "connections-per-address", "networks", "read-tokens", "read-token-sha256", "network-hosts",
      "trusted-proxies", "cors-origins", "limits", "alerts-interval", "alert-webhooks", "$schema",
    ]
  /// All members that a network may have.
  package static let networkMembers = ["name", "token", "token-sha256", "hmac-secret"]

  /// All members that a webhook may have.
  package static let webhookMembers = ["url", "hmac-secret"]

  /// Whether a network may have that name, which is in a URL.
  package static func isNetworkName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
      }
  }

  /// Starts without any.
  package init() {}

  /// Reads a configuration file.
  package static func read(_ path: String) throws(CommandError) -> Configuration {
    let bytes: [UInt8]
    do { bytes = try FileReader.contents(of: path, limit: 1 << 20) } catch { throw CommandError(error) }
    do { return try read(bytes, named: path) } catch { throw CommandError(error) }
  }

  /// Reads the bytes of a configuration file; the name is for messages.
  package static func read(_ bytes: [UInt8], named path: String) throws(JSONFileError) -> Configuration {
    let file = JSONFile(bytes, name: path, schema: "schemas/config.schema.json")
    var configuration = try file.configuration(file.read())
    configuration.path = path
    return configuration
  }
}

extension JSONFile {
  fileprivate func configuration(_ root: JSONNode) throws(JSONFileError) -> Configuration {
    var configuration = Configuration()
    for member in try object(root, .root, allowing: Configuration.members).members {
      let path = JSONPath.root.member(member.name)
      switch member.name {
      case "$schema": _ = try text(member.value, path)
      case "threads": configuration.texts["threads"] = "\(try integer(member.value, path, in: 1...256))"
      case "connections-per-address":
        configuration.texts[member.name] = "\(try integer(member.value, path, in: 0...65_535))"
      case "alerts-interval":
        configuration.texts[member.name] = "\(try integer(member.value, path, in: 1...86_400))"
      case "alert-webhooks": configuration.alertWebhooks = try webhooks(member.value, path)
      case "networks": configuration.networks = try networks(member.value, path)
      case "read-tokens":
        for (index, node) in try array(member.value, path).enumerated() {
          configuration.readTokens.append(try token(node, path.element(index)))
        }
      case "read-token-sha256":
        for (index, node) in try array(member.value, path).enumerated() {
          configuration.readTokens.append(try digest(node, path.element(index)))
        }
      case "network-hosts":
        for (index, node) in try array(member.value, path).enumerated() {
          configuration.networkHosts.append(try text(node, path.element(index)).lowercased())
        }
      case "trusted-proxies": configuration.trustedProxies = try trustedProxies(member.value, path)
      case "cors-origins": configuration.corsOrigins = try corsOrigins(member.value, path)
      case "limits":
        (configuration.limits, configuration.limitMembers) = try limits(member.value, path)
      default: configuration.texts[member.name] = try setting(member, path)
      }
    }
    return configuration
  }

  private func setting(_ member: JSONMember, _ path: JSONPath) throws(JSONFileError) -> String {
    let value = try text(member.value, path)
    if member.name == "listen", HostPort(value) == nil {
      throw mistake(member.value, path, "must be HOST:PORT, such as \"127.0.0.1:8080\"")
    }
    if member.name == "metrics", HostPort(value) == nil, !["same", "none"].contains(value) {
      throw mistake(
        member.value, path, "must be HOST:PORT, such as \"127.0.0.1:9090\", or \"same\" or \"none\"")
    }
    if member.name == "log-format", !["text", "json"].contains(value) {
      throw mistake(member.value, path, "must be \"text\" or \"json\"")
    }
    return value
  }
}
