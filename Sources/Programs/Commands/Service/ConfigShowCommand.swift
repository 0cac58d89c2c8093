import Arguments
import Configuration
import Delivery
import Journal
import JSONText
import Pulls
import Routing
import System
import Tables
import Values

/// `skan config show`: prints the settings in force and where each came from.
enum ConfigShowCommand {
  static let entry = Entry(
    command: Command(
      "config show", "Print the settings in use, and the source of each.",
      discussion: [
        "An option takes precedence over the environment, the environment over the configuration file, "
          + "and the file over the default. Tokens and secrets are never shown."
      ],
      examples: [.init("Show the settings of a service", "skan config show --config skan.json")],
      options: [.database(isRequired: false)]
        + ServiceConfiguration.commandLine.filter { $0.name != ServiceConfiguration.networkHost.name }
        + [.format()])
  ) { call in
    call.print(columns, rows(call))
    return .done
  }

  private static let columns: [Column<Row>] = [
    Column("name", "setting", "Name of the setting.", \.name),
    Column("value", "value", "Its value; none if it has none.", none: "–", \.value),
    Column("source", "from", "Where the value comes from.", \.source),
  ]

  private struct Row {
    let name: String
    let value: String?
    let source: String
  }

  private static func rows(_ call: Invocation) -> [Row] {
    let names = call.command.options.compactMap { $0.configurationKey == nil ? nil : $0.name }
    var rows = call.settings.entries.filter { names.contains($0.name) }.map { entry in
      if entry.name == "--connections-per-address",
        ServiceConfiguration.hasAnyNumberOfConnections(call.settings, call.configuration)
      {
        return Row(name: "connections-per-address", value: "0", source: "default with trusted proxies")
      }
      let value = entry.texts.first.flatMap { text in
        entry.name.hasPrefix("--journal") ? JournalAddress(parameter: text)?.shown : text
      }
      return Row(
        name: String(entry.name.dropFirst(2)), value: value,
        source: entry.texts.isEmpty ? "nowhere" : "\(entry.source)")
    }
    let configuration = call.configuration
    let source = configuration.path.map { "file (\($0))" } ?? "nowhere"
    func list(_ name: String, _ values: [String], _ text: String) {
      rows.append(
        Row(name: name, value: values.isEmpty ? nil : text, source: values.isEmpty ? "nowhere" : source))
    }
    let networks = configuration.networks.map { $0.secret == nil ? $0.name : "\($0.name) (signed)" }
    list("networks", networks, networks.joined(separator: ", "))
    list("network-hosts", configuration.networkHosts, configuration.networkHosts.joined(separator: ", "))
    list(
      "read-tokens", configuration.readTokens.map { _ in "" }, "\(configuration.readTokens.count), not shown")
    let webhooks = configuration.alertWebhooks.map { $0.secret == nil ? $0.place : "\($0.place) (signed)" }
    list("alert-webhooks", webhooks, webhooks.joined(separator: ", "))
    let relays = configuration.relays.map { relay in
      "\(relay.name) \(relay.address.place)\(relay.address.secret == nil ? "" : " (signed)")"
    }
    list("relays", relays, relays.joined(separator: ", "))
    list("pulls", configuration.pulls.map(\.file), configuration.pulls.map(\.file).joined(separator: ", "))
    list(
      "pages-sign-in", configuration.pagesSignIn.map { [$0.header] } ?? [],
      configuration.pagesSignIn?.header ?? "")
    list("cors-origins", configuration.corsOrigins, configuration.corsOrigins.joined(separator: ", "))
    let proxies = ServiceConfiguration.trustedProxies(call.settings, configuration)
    rows.append(
      Row(
        name: "trusted-proxies", value: proxies.isEmpty ? nil : proxies.joined(separator: ", "),
        source: proxies.isEmpty
          ? "nowhere" : call[ServiceConfiguration.trustedProxy].isEmpty ? source : "command line"))
    for (name, member, _) in ConfigurationFile.limitRanges {
      rows.append(
        Row(
          name: "limits.\(name)", value: "\(configuration.limits[keyPath: member])",
          source: configuration.limitMembers.contains(name) ? source : "default"))
    }
    return rows
  }
}
