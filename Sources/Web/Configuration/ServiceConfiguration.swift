package import Arguments
package import Journal
package import Routing
package import Values

/// The settings of the service: of the command line, the environment and the configuration file.
package struct ServiceConfiguration: Query {
  package enum LogFormat: String, CaseIterable, ParameterValue { case text, json }

  package var listen = HostPort(host: "127.0.0.1", port: 8080)
  package var metrics = MetricsPlace.same
  /// Where pages are; `nil` for nowhere.
  package var pages: HostPort?
  /// Whether pages need no sign-in; only on an address of this machine.
  package var arePagesOpen = false
  /// Whether pages may be in plain HTTP where other machines reach them.
  package var mayPagesBePlain = false
  /// The folder of mapping files.
  package var mappings: FilePath?
  /// The folder of events files that the mapping editor tries mappings on.
  package var samples: FilePath?
  /// Whether apps get their mapping without a token.
  package var areMappingsOpen = false
  /// The key that signs the mappings of apps; `nil` where they are not signed.
  package var mappingKey: FilePath?
  /// The file of keys that are trusted besides Apple's.
  package var trustedKeys: FilePath?
  /// How many threads answer requests.
  package var threads = 2
  /// How many connections one address may have open; 0 for any number.
  package var connectionsPerAddress = 256
  package var certificate: FilePath?
  package var certificateKey: FilePath?
  /// The file of alert rules; `nil` where they are the defaults.
  package var alerts: FilePath?
  package var secondsBetweenAlerts = 60
  /// The journal that the database follows; `nil` for a database of its own.
  package var journal: JournalAddress?
  /// The server that batches are read from; `nil` for the one that they are appended to.
  package var journalStandby: JournalAddress?
  /// The name under which this machine appends; `nil` for the host's.
  package var node: String?
  /// What this machine is for among those of the journal.
  package var role = NodeRole.full
  package var logFormat = LogFormat.text
  /// Hosts that stand for an ad network's registered address, in lower case.
  package var networkHosts: Set<String> = []
  package var trustedProxies = TrustedProxies()
  /// What only the configuration file sets: networks, readers, limits, origins, webhooks and relays.
  package var file = ConfigurationFile()
  /// Seconds after which the database's part of an answer ends.
  package var readSeconds = 30.0

  package init() {}

  /// Takes the settings in force.
  ///
  /// - Parameter proxies: What ``trustedProxies(_:_:)`` stands for.
  package init(
    _ settings: Settings, _ file: ConfigurationFile, proxies: TrustedProxies
  ) throws(ParameterError) {
    try self.init(settings)
    self.file = file
    let hosts = settings[Self.networkHost]
    networkHosts = Set((hosts.isEmpty ? file.networkHosts : hosts).map { $0.lowercased() })
    trustedProxies = proxies
    if Self.hasAnyNumberOfConnections(settings, file) { connectionsPerAddress = 0 }
  }

  /// The trusted proxies, as they were written.
  package static func trustedProxies(_ settings: Settings, _ file: ConfigurationFile) -> [String] {
    let given = settings[trustedProxy]
    return given.isEmpty ? file.trustedProxies : given
  }

  /// Whether connections of one address have no limit because all clients of a proxy share its address.
  package static func hasAnyNumberOfConnections(_ settings: Settings, _ file: ConfigurationFile) -> Bool {
    !options("connections-per-address").contains(where: settings.isGiven)
      && !trustedProxies(settings, file).isEmpty
  }
}

extension ServiceConfiguration {
  package static let networkHost = TypedOption<[String]>.repeatable(
    "--network-host", "HOST", .text,
    "Host name registered by an ad network; devices send advertiser copies to other names.")
  package static let trustedProxy = TypedOption<[String]>.repeatable(
    "--trusted-proxy", "RANGE", .text,
    "Address or range of trusted proxies, such as 10.0.0.0/8. Their X-Forwarded-For header names the "
      + "client.")

  /// All options of a command line, in the order of the help.
  package static var commandLine: [Option] {
    options.dropLast() + [networkHost.option, trustedProxy.option] + options.suffix(1)
  }

  /// Some of the options, for commands that need no others.
  package static func options(_ names: String...) -> [Option] {
    options.filter { names.contains(String($0.name.dropFirst(2))) }
  }

  package static let parameters = settings.map(\.asSetting)

  private static let settings: [Parameter<Self>] = [
    .init(
      "listen", \.listen,
      "Address to listen on; port 0 chooses a free port, host * means every address."),
    .init(
      "metrics", \.metrics,
      "Address of /metrics and /readyz in plain HTTP; same: the port of --listen; none: closed. "
        + "/healthz is always on the port of --listen."),
    .init(
      "pages", \.pages,
      "Address of pages for browsers; port 0 chooses a free port. They need a sign-in with a token of `skan token create`.",
      as: .init(defaultNote: "none")),
    .init(
      "pages-open", \.arePagesOpen,
      "Show pages without a sign-in, with the rights of an editor; only on an address of this machine."),
    .init(
      "pages-plain-http", \.mayPagesBePlain,
      "Serve pages in plain HTTP on an address that other machines reach; put a proxy with TLS in front."),
    .init("mappings", \.mappings, "Folder of mapping files.", as: .init(placeholder: "DIR")),
    .init(
      "samples", \.samples, "Folder of events files that the mapping editor tries mappings on.",
      as: .init(placeholder: "DIR")),
    .init(
      "app-mappings", \.areMappingsOpen,
      "Serve /v1/apps/APP/mapping to apps without a token: the rules of the mapping in force, without labels and worths."
    ),
    .init(
      "app-mappings-key", \.mappingKey,
      "PEM file of a private key on P-256 that signs the mappings of apps, in the header Skan-Mapping-Signature."
    ),
    .init(
      "trust-test-keys", \.trustedKeys,
      "File of public keys to trust in addition to Apple's. Postbacks they sign count in the "
        + "environment that the file names for the key, or in test; a key that it names for production counts as "
        + "Apple's, and the log, health and pages name it."),
    .init(
      "threads", \.threads, "Number of threads that answer requests.", in: 1...256),
    .init(
      "connections-per-address", \.connectionsPerAddress,
      "Maximum number of open connections per client address (IPv6: per /64 prefix); 0: unlimited. "
        + "With trusted proxies the default is 0, because all connections come from the proxies.",
      in: 0...65_535),
    .init(
      "tls-certificate", \.certificate,
      "PEM file of the server's certificate and its issuers; enables HTTPS."),
    .init(
      "tls-key", \.certificateKey, "PEM file of the certificate's private key, without a password."),
    .init(
      "alerts", \.alerts, "File of alert rules; a rule that it does not have keeps its defaults."),
    .init(
      "alerts-interval", \.secondsBetweenAlerts, "Seconds between two checks of the alert rules.",
      in: 1...86_400, as: .init(placeholder: "SECONDS")),
    .init(
      "journal", \.journal,
      "PostgreSQL database of the journal that the database follows, as a URI or words of libpq. Put passwords into "
        + "~/.pgpass."),
    .init(
      "journal-standby", \.journalStandby,
      "Synchronous standby that the journal is read from; it never has what a failover could lose."),
    .init(
      "node", \.node, "Name under which this machine appends to the journal; no two machines have the same.",
      as: .init(placeholder: "NAME", defaultNote: "the host's name")),
    .init(
      "role", \.role,
      "What the node is for; receive: answer senders and keep digests of bodies, without pages, relays and alerts.",
      as: .init(placeholder: "ROLE")),
    .init(
      "log-format", \.logFormat, "Format of the log on standard error.",
      as: .init(placeholder: "FORMAT")),
  ]
}
