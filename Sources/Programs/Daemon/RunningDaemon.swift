import Arguments
package import Configuration
import HTTPServer
import Intake
package import Ledger
import Postbacks
import Pulls
import Routing
import Service
package import System
package import Values
package import Verification

/// The service with all that surrounds it: the ledger, the watches, the webhooks and the service manager.
///
/// A process may run several, one after the other or, with databases and addresses of their own, at the same time.
package final class RunningDaemon: Sendable {
  private static let secondsToStop = 10.0

  private let node: RunningNode
  private let service: PostbackService
  private let pages: PagesListener?
  private let tls: TLSFiles?
  private let serviceWatch: ServiceWatch
  private let served: ServedMappingWatch?
  private let estimates: EstimateWatch?
  private let heartbeat: Heartbeat?
  private let manager: ServiceManager?

  /// Where the service listens.
  package var address: HostPort { service.address }

  /// Where pages are; `nil` where they are not served.
  package var pagesAddress: HostPort? { pages?.address }

  /// Starts everything: when it returns, requests are answered.
  ///
  /// - Parameter journal: The journal that the database follows; `nil` for a database of its own.
  /// - Throws: Errors that people read, as of a port that is taken; then nothing runs.
  package init(
    _ configuration: ServiceConfiguration, database: String, following journal: LedgerJournal? = nil,
    trusting trustedKeys: [TrustedKey] = [],
    on console: Console, clock: @escaping WallClock, version: String = ""
  ) throws {
    let signer = try configuration.mappingKey.map { (key) throws(CommandError) in
      try MappingSigner(file: key.text)
    }
    let figures = OperatorFigures()
    let log = ServiceLog(console, clock: clock, isJSON: configuration.logFormat == .json)
    tls = configuration.tlsFiles
    let identity = try tls?.identity(at: clock())
    figures.update { $0.certificateEnd = identity?.validUntil }
    let keyring = try Keyring(trusting: trustedKeys)
    try keyring.selfTest()
    keyring.prepare()
    let node = try RunningNode(
      configuration, database: database, following: journal, keyring: keyring,
      environment: console.environment, log: log, figures: figures, clock: clock)
    let ledger = node.ledger
    // What was begun ends in the opposite order where something after it fails.
    var ends = [{ node.stop() }]
    do {
      self.node = node
      var serviceContext = ServiceContext(database: database, access: node.access, clock: clock)
      serviceContext.identity = identity
      serviceContext.version = version
      serviceContext.figures = figures
      if let signer { serviceContext.mappingSignature = { signer.signature(of: $0) } }
      serviceContext.alerts = node.alerts
      serviceContext.keeper = node.keeper
      let apps = configuration.file.purchaseApps
      if !apps.isEmpty {
        serviceContext.purchases = try PurchaseIntake(
          verifier: PurchaseVerifier(trusting: trustedKeys), apps: apps, changes: ledger)
      }
      let service = try PostbackService(
        configuration, serviceContext, intake: node.intake, ledger: ledger, counters: node.counters,
        resources: readResources)
      self.service = service
      ends.append { service.stop(withinSeconds: 1) }
      let pages = try Self.pages(
        configuration, serviceContext, ledger, node.intake.keyring, service.meter, log)
      self.pages = pages
      ends.append { pages?.stop(withinSeconds: 1) }
      serviceWatch = ServiceWatch(node.counters, log: log, signIns: { figures.reading.signIns }) {
        ledger.statistics.lastError.map { "\($0)" }
      }
      served = configuration.areMappingsOpen ? ServedMappingWatch(node.context) : nil
      estimates = pages == nil ? nil : EstimateWatch(serviceContext.keeper, node.context)
      manager = ServiceManager(environment: console.environment)
      heartbeat = manager.map { Heartbeat($0) { Heartbeat.Look(ledger.statistics) } }
      let watches = watches
      ends.insert({ for watch in watches { watch.stop() } }, at: 1)
      try node.start()
      for watch in watches { try watch.start() }
    } catch {
      for end in ends.reversed() { end() }
      throw error
    }
    logStart(configuration, node.intake.keyring, trustedKeys, version: version)
    manager?.notify(ready)
  }

  /// Reads the mapping files, the certificates, the tokens, secrets, relays and pulls of the configuration file and the rules of alerts
  /// again; what is wrong is logged, and what was read before stays in force.
  package func reload() {
    node.context.log.write(
      .info, "hang-up",
      [("note", "reloading mapping files, certificates, tokens, relays, pulls and alert rules")])
    manager?.notify(.reloading(monotonicMicroseconds: UInt64(wallMicroseconds())))
    node.reload()
    if let identity = tls?.reload(into: service, node.context) {
      pages?.use(identity)
      node.context.figures.update { $0.certificateEnd = identity.validUntil }
    }
    manager?.notify(ready)
  }

  /// Answers the requests that are open, stores what waits, and ends every thread.
  package func stop() {
    manager?.notify(.stopping)
    node.context.log.write(.info, "stopping")
    pages?.stop(withinSeconds: 1)
    if !service.stop(withinSeconds: Self.secondsToStop) {
      node.context.log.write(.warning, "requests-cut-off")
    }
    for watch in watches { watch.stop() }
    node.stop()
    serviceWatch.reportAll("stopped")
  }

  private var watches: [any Watch] {
    let optional: [(any Watch)?] = [served, estimates, serviceWatch, heartbeat]
    return optional.compactMap { $0 }
  }

  private var ready: ServiceManager.Message { .ready(status: "Listening on \(service.address)") }

  private func logStart(
    _ configuration: ServiceConfiguration, _ keyring: Keyring, _ trustedKeys: [TrustedKey], version: String
  ) {
    let log = node.context.log
    log.write(
      .info, "listening",
      [
        ("address", .string("\(address)")), ("database", .string(node.context.database)),
        ("version", .string(version)),
        ("networks", .integer(Int64(configuration.file.networks.count))),
      ])
    if let pages = pages?.address {
      log.write(
        .info, "pages-listening",
        [
          ("address", .string("\(pages)")),
          (
            "sign-in",
            .string(
              configuration.arePagesOpen
                ? "none" : configuration.file.pagesSignIn == nil ? "token" : "token-or-proxy")
          ),
        ])
    }
    if let metrics = service.metricsAddress {
      log.write(.info, "metrics-listening", [("address", .string("\(metrics)"))])
    } else if configuration.metrics == .same, !address.isLoopback {
      log.write(
        .warning, "metrics-exposed",
        [
          ("note", .string("every client that can reach \(address) can read /metrics and /readyz")),
          (
            "remedy",
            "put them elsewhere, such as --metrics 127.0.0.1:9090, or close them with --metrics none"
          ),
        ])
    }
    for environment in Set(trustedKeys.map(\.environment.rawValue)).sorted()
    where environment != "production" {
      log.write(.warning, "test-keys-trusted", [("environment", .string(environment))])
    }
    if keyring.addedProductionKeys > 0 {
      log.write(
        .warning, "production-keys-trusted",
        [
          ("keys", .integer(Int64(keyring.addedProductionKeys))), ("environment", "production"),
          ("note", "production figures have what these keys sign, as if Apple had signed it"),
          ("remedy", "leave them out of --trust-test-keys unless Apple published them"),
        ])
    }
  }
}
