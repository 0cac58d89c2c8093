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

  private let context: DaemonContext
  private let ledger: PostbackLedger
  private let service: PostbackService
  private let pages: PagesListener?
  private let tls: TLSFiles?
  private let serviceWatch: ServiceWatch
  private let databaseWatch: DatabaseWatch
  private let served: ServedMappingWatch?
  private let tokens: TokenWatch
  private let estimates: EstimateWatch?
  private let sole: SoleWatches
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
    let rules = try configuration.alertRules()
    let figures = OperatorFigures()
    let log = ServiceLog(console, clock: clock, isJSON: configuration.logFormat == .json)
    tls = configuration.tlsFiles
    let identity = try tls?.identity(at: clock())
    figures.update { $0.certificateEnd = identity?.validUntil }
    let keyring = try Self.keyring(trusting: trustedKeys)
    let folder = try configuration.mappings.map { path in
      try naming("cannot use the mapping folder") { try Folder(path.text) }
    }
    let ledger = try Self.ledger(at: database, following: journal, log)
    // What was begun ends in the opposite order where something after it fails.
    var ends = [{ ledger.close() }]
    do {
      self.ledger = ledger
      let keeper = EstimateWatch.newKeeper()
      context = DaemonContext(
        database: database, changes: ledger, log: log, clock: clock, figures: figures,
        keeper: configuration.pages == nil ? nil : keeper)
      let access = Access(
        networks: configuration.file.networks, readTokens: configuration.file.readTokens, ledger: ledger)
      let counters = Counters()
      let board = AlertSnapshot.quiet
      let turn = SoleWatches.Turn(following: journal, context)
      sole = try SoleWatches(context, turn, showOthers: { [context] in AlertWatch.show(on: board, context) })
      { context in
        let alerts = AlertWatch(
          rules, file: configuration.alerts?.text,
          everySeconds: configuration.secondsBetweenAlerts, board: board,
          webhooks: configuration.file.alertWebhooks, context,
          trouble: { .init(counters, ledger, access) })
        return SoleWatches.Running(
          mappings: folder.map { MappingWatch($0, context) }, alerts: alerts,
          digests: DigestWatch(configuration.file.alertWebhooks, context) { alerts.deliver($0) },
          relays: try RelayWatch(configuration.file, ledger, context),
          pulls: PullWatch(configuration.file, environment: console.environment, context) {
            try PullIntake(keyring, beside: configuration)
          },
          checkpoints: journal.map { CheckpointWatch($0.name, context) })
      }
      var serviceContext = ServiceContext(database: database, access: access, clock: clock)
      serviceContext.identity = identity
      serviceContext.version = version
      serviceContext.figures = figures
      if let signer { serviceContext.mappingSignature = { signer.signature(of: $0) } }
      serviceContext.alerts = board
      serviceContext.keeper = keeper
      let apps = configuration.file.purchaseApps
      if !apps.isEmpty {
        serviceContext.purchases = try PurchaseIntake(
          verifier: PurchaseVerifier(trusting: trustedKeys), apps: apps, changes: ledger)
      }
      let service = try PostbackService(
        configuration, serviceContext,
        intake: PostbackIntake(keyring: keyring, ledger: ledger, clock: clock), ledger: ledger,
        counters: counters, resources: readResources)
      self.service = service
      ends.append { service.stop(withinSeconds: 1) }
      let pages = try Self.pages(configuration, serviceContext, ledger, keyring, service.meter, log)
      self.pages = pages
      ends.append { pages?.stop(withinSeconds: 1) }
      serviceWatch = ServiceWatch(counters, log: log, signIns: { figures.reading.signIns }) {
        ledger.statistics.lastError.map { "\($0)" }
      }
      served = configuration.areMappingsOpen ? ServedMappingWatch(context) : nil
      estimates = pages == nil ? nil : EstimateWatch(serviceContext.keeper, context)
      tokens = TokenWatch(access, configuration.file, log: log)
      databaseWatch = DatabaseWatch(ledger, of: database, log: log)
      manager = ServiceManager(environment: console.environment)
      heartbeat = manager.map { Heartbeat($0) { Heartbeat.Look(ledger.statistics) } }
      ledger.networkMoments.noteLastHours(of: database, now: clock())
      let watches = watches
      ends.insert({ for watch in watches { watch.stop() } }, at: 1)
      for watch in watches { try watch.start() }
    } catch {
      for end in ends.reversed() { end() }
      throw error
    }
    logStart(configuration, keyring, trustedKeys, version: version)
    manager?.notify(ready)
  }

  private static func keyring(trusting trustedKeys: [TrustedKey]) throws -> Keyring {
    let keyring = try Keyring(trusting: trustedKeys)
    try keyring.selfTest()
    keyring.prepare()
    return keyring
  }

  private static func ledger(
    at path: String, following journal: LedgerJournal?, _ log: ServiceLog
  ) throws -> PostbackLedger {
    try naming("cannot open the database '\(path)'") {
      var settings = LedgerSettings()
      settings.journal = journal
      settings.onCatchingUp = { progress in
        log.write(.info, "journal", [("database", .string(path)), ("behind", .integer(progress.behind))])
      }
      return try PostbackLedger(path: path, settings: settings)
    }
  }

  /// Reads the mapping files, the certificates, the tokens, secrets, relays and pulls of the configuration file and the rules of alerts
  /// again; what is wrong is logged, and what was read before stays in force.
  package func reload() {
    context.log.write(
      .info, "hang-up",
      [("note", "reloading mapping files, certificates, tokens, relays, pulls and alert rules")])
    manager?.notify(.reloading(monotonicMicroseconds: UInt64(wallMicroseconds())))
    sole.reload()
    tokens.reload()
    if let identity = tls?.reload(into: service, context) {
      pages?.use(identity)
      context.figures.update { $0.certificateEnd = identity.validUntil }
    }
    manager?.notify(ready)
  }

  /// Answers the requests that are open, stores what waits, and ends every thread.
  package func stop() {
    manager?.notify(.stopping)
    context.log.write(.info, "stopping")
    pages?.stop(withinSeconds: 1)
    if !service.stop(withinSeconds: Self.secondsToStop) { context.log.write(.warning, "requests-cut-off") }
    for watch in watches { watch.stop() }
    ledger.close()
    serviceWatch.reportAll("stopped")
  }

  private var watches: [any Watch] {
    let optional: [(any Watch)?] = [
      databaseWatch, sole, served, tokens, estimates, serviceWatch, heartbeat,
    ]
    return optional.compactMap { $0 }
  }

  private var ready: ServiceManager.Message { .ready(status: "Listening on \(service.address)") }

  private func logStart(
    _ configuration: ServiceConfiguration, _ keyring: Keyring, _ trustedKeys: [TrustedKey], version: String
  ) {
    let log = context.log
    log.write(
      .info, "listening",
      [
        ("address", .string("\(address)")), ("database", .string(context.database)),
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
