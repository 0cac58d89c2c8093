import HTTPServer
package import Service
package import Alerts
import Ledger
import Pages
package import Routing
package import System
package import Values
package import Verification

package struct DaemonOptions: Sendable {
  /// The database's path.
  package var database: String
  package var listen: HostPort
  /// What the configuration file sets for networks, readers, limits, origins and webhooks.
  package var configuration = Configuration()
  /// Hosts that stand for an ad network's registered address, in any case of letters.
  package var networkHosts: [String] = []
  package var metrics = MetricsPlace.same
  /// Where pages are; `nil` for nowhere.
  package var pages: HostPort?
  /// Whether pages need no sign-in; only on an address of this machine.
  package var arePagesOpen = false
  /// How many threads answer requests; `nil` for the server's default.
  package var threads: Int?
  /// How many connections one address may have open; 0 for any number.
  package var connectionsPerAddress = 0
  package var trustedProxies = TrustedProxies()
  package var tls: TLSFiles?
  /// The keys that are trusted besides Apple's.
  package var trustedKeys: [TrustedKey] = []
  /// The folder of mapping files.
  package var mappings: String?
  /// The folder of events files that the mapping editor tries mappings on.
  package var samples: String?
  /// Whether apps get their mapping without a token.
  package var areMappingsOpen = false
  /// Signs the mappings that apps get; nil where they are not signed.
  package var mappingSigner: MappingSigner?
  package var alertRules = AlertRules()
  /// The file of the rules; `nil` where they are the defaults.
  package var alertsFile: String?
  package var secondsBetweenAlerts = 60
  /// The program's version, for the log and the figures.
  package var version = ""
  package var log: ServiceLog
  package var clock: WallClock
  /// The environment, in which a service manager may ask for notifications.
  package var environment: [String: String] = [:]

  package init(database: String, listen: HostPort, log: ServiceLog, clock: @escaping WallClock) {
    self.database = database
    self.listen = listen
    self.log = log
    self.clock = clock
  }

  func serviceOptions(_ identity: TLSIdentity?, _ figures: OperatorFigures) -> ServiceOptions {
    var server = ServerOptions(address: listen)
    server.threads = threads ?? server.threads
    server.connectionsPerAddress = connectionsPerAddress
    server.identity = identity
    var options = ServiceOptions(server: server, database: database)
    options.networkHosts = Set(networkHosts.map { $0.lowercased() })
    options.metrics = metrics
    options.access = Access(
      networks: configuration.networks, readTokens: configuration.readTokens, database: database)
    options.trustedProxies = trustedProxies
    options.corsOrigins = Set(configuration.corsOrigins)
    options.limits = configuration.limits
    options.version = version
    options.clock = clock
    options.figures = figures
    options.areMappingsOpen = areMappingsOpen
    if let mappingSigner { options.mappingSignature = { mappingSigner.signature(of: $0) } }
    options.alerts = AlertSnapshot(
      kinds: AlertKind.allCases.map(\.rawValue), severities: AlertSeverity.allCases.map(\.rawValue))
    return options
  }

  /// Starts the pages where they are asked for.
  func pagesListener(
    _ identity: TLSIdentity?, _ service: ServiceOptions, _ keyring: Keyring, _ meter: RequestMeter
  ) throws -> PagesListener? {
    guard let pages else { return nil }
    var options = PagesOptions(
      database: database, access: service.access, keyring: keyring, clock: clock)
    options.isOpen = arePagesOpen
    options.identity = identity
    options.proxies = trustedProxies
    options.alerts = service.alerts
    options.certificateEnd = { [figures = service.figures] in figures.reading.certificateEnd }
    options.mappings = mappings
    options.samples = samples
    options.noteFailure = { [log] id, path, reason in
      log.write(
        .error, "page-failed", [("id", .string(id)), ("path", .string(path)), ("reason", .string(reason))])
    }
    options.noteSignIn = { [figures = service.figures] result in figures.note(result) }
    return try PagesListener(pages, options, meter: meter)
  }
}
