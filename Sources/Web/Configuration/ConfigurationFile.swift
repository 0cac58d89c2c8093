import Arguments
package import Delivery
package import JSONText
import Ledger
package import OpenSSL
package import Postbacks
package import Pulls
package import Routing
import System
package import Values

/// The content of a configuration file; its form is `schemas/config.schema.json`.
package struct ConfigurationFile: Sendable {
  /// The settings that options stand for too, as texts by the option's name without dashes.
  package var texts: [String: String] = [:]
  /// The networks that may forward postbacks.
  package var networks: [Access.Network] = []
  /// The SHA-256 of the tokens that may read.
  package var readTokens: [SHA256Digest] = []
  /// Hosts that stand for an ad network's registered address.
  package var networkHosts: [String] = []
  /// How a proxy signs persons in on the pages; `nil` where tokens alone do.
  package var pagesSignIn: ProxySignIn?
  /// The origins of pages that a browser lets read.
  package var corsOrigins: [String] = []
  /// Proxies whose X-Forwarded-For is trusted, as written.
  package var trustedProxies: [String] = []
  /// How much one client or network may send.
  package var limits = RateLimits()
  package var limitMembers: Set<String> = []
  /// The apps whose notifications of the App Store count, by bundle id.
  package var purchaseApps: [String: AppID] = [:]
  /// The addresses that receive alerts.
  package var alertWebhooks: [Webhook] = []
  /// The addresses that genuine postbacks are passed on to.
  package var relays: [Relay] = []
  /// The sources that the daemon reads at set times.
  package var pulls: [ScheduledPull] = []
  /// The path of the file; nil where there is none.
  package var path: String?

  /// All members that the file may have.
  package static let members =
    ["database"] + ServiceConfiguration.options.compactMap(\.configurationKey) + [
      "networks", "read-tokens", "read-token-sha256", "network-hosts", "trusted-proxies",
      "pages-sign-in", "cors-origins",
      "limits", "purchases", "alert-webhooks", "relays", "pulls", "$schema",
    ]
  static let form = JSONForm("a configuration", optional: members)
  package static let networkForm = JSONForm(
    "a network", required: ["name"], optional: ["token", "token-sha256", "hmac-secret", "form"])
  static let signInForm = JSONForm(
    "the sign-in of a proxy", required: ["header", "proxies"],
    optional: ["groups-header", "editors", "readers"])
  static let purchaseForm = JSONForm("an app", required: ["app", "bundle-id"], optional: [])
  static let webhookForm = JSONForm(
    "a webhook", required: ["url"], optional: ["hmac-secret", "digest", "language"])
  static let digestForm = JSONForm("a digest", required: ["pages"], optional: [])

  /// Whether a network may have that name, which is in a URL.
  package static func isNetworkName(_ name: String) -> Bool { StoredToken.isHolderName(name) }

  package init() {}

  package static func read(_ path: String) throws(CommandError) -> ConfigurationFile {
    let bytes: [UInt8]
    do { bytes = try FileReader.contents(of: path, limit: 1 << 20) } catch { throw CommandError(error) }
    do { return try read(bytes, named: path) } catch { throw CommandError(error) }
  }

  /// Reads the bytes of a configuration file; the name is for messages.
  package static func read(_ bytes: [UInt8], named path: String) throws(JSONFileError) -> ConfigurationFile {
    let file = JSONFile(bytes, name: path, schema: "schemas/config.schema.json")
    var configuration = try file.read { (root) throws(JSONProblem) in try root.configuration() }
    configuration.path = path
    return configuration
  }
}

extension JSONPlace {
  fileprivate func configuration() throws(JSONProblem) -> ConfigurationFile {
    var configuration = ConfigurationFile()
    for (name, place) in try members(ConfigurationFile.form) {
      switch name {
      case "$schema": _ = try place.text()
      case "alert-webhooks": configuration.alertWebhooks = try place.webhooks()
      case "relays": configuration.relays = try place.relays()
      case "pulls": configuration.pulls = try place.scheduledPulls()
      case "purchases": configuration.purchaseApps = try place.purchaseApps()
      case "networks": configuration.networks = try place.networks()
      case "read-tokens":
        for entry in try place.list() { configuration.readTokens.append(try entry.token()) }
      case "read-token-sha256":
        for entry in try place.list() { configuration.readTokens.append(try entry.digest()) }
      case "network-hosts":
        for entry in try place.list() { configuration.networkHosts.append(try entry.text().lowercased()) }
      case "trusted-proxies": configuration.trustedProxies = try place.trustedProxies()
      case "pages-sign-in": configuration.pagesSignIn = try place.proxySignIn()
      case "cors-origins": configuration.corsOrigins = try place.corsOrigins()
      case "limits": (configuration.limits, configuration.limitMembers) = try place.limits()
      default: configuration.texts[name] = try place.setting(name)
      }
    }
    return configuration
  }

  /// The text that the option of the same name takes.
  private func setting(_ name: String) throws(JSONProblem) -> String {
    guard let option = ServiceConfiguration.options.first(where: { $0.configurationKey == name }) else {
      return try text()
    }
    if option.placeholder == nil { return "\(try truth())" }
    if case .integer(let range) = option.kind {
      return "\(try integer(in: Int64(range.lowerBound)...Int64(range.upperBound)))"
    }
    let value = try text()
    guard !option.kind.allows(value) else { return value }
    let words = { (words: [String]) in words.map { "\"\($0)\"" }.joined(separator: " or ") }
    switch option.kind {
    case .hostPort: throw mistake("must be HOST:PORT, such as \"127.0.0.1:8080\"")
    case .hostPortOr(let others):
      throw mistake("must be HOST:PORT, such as \"127.0.0.1:9090\", or \(words(others))")
    case .choice(let choices): throw mistake("must be \(words(choices))")
    default: throw mistake("is not a value of \(option.name)")
    }
  }

  /// The apps whose notifications of the App Store count.
  private func purchaseApps() throws(JSONProblem) -> [String: AppID] {
    var apps: [String: AppID] = [:]
    for entry in try list() {
      let members = try entry.members(ConfigurationFile.purchaseForm)
      let (place, number) = (try members.required("bundle-id"), try members.required("app"))
      let bundle = try place.text()
      if apps[bundle] != nil { throw place.mistake("is the bundle id of an earlier app too") }
      guard let app = AppID(try number.integer(in: 1...(.max))) else { continue }
      if apps.values.contains(app) { throw number.mistake("is the number of an earlier app too") }
      apps[bundle] = app
    }
    return apps
  }

  /// The addresses that receive alerts.
  private func webhooks() throws(JSONProblem) -> [Webhook] {
    var webhooks: [Webhook] = []
    for entry in try list() {
      let members = try entry.members(ConfigurationFile.webhookForm)
      let place = try members.required("url")
      let url = try place.postAddress()
      if webhooks.contains(where: { $0.url == url }) {
        throw place.mistake("is the address of an earlier webhook too")
      }
      let digest = try members["digest"]?.members(ConfigurationFile.digestForm)
      let pages = try digest?.required("pages").postAddress()
      webhooks.append(
        Webhook(
          url: url, secret: try members["hmac-secret"]?.hmacSecret(),
          digestPages: pages.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 },
          language: try members["language"]?.language() ?? "en"))
    }
    return webhooks
  }
}
