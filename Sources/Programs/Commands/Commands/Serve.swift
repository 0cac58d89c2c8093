import Alerts
import Arguments
import HTTPServer
import Intake
import Ledger
import Service
import System
import Values
import Verification

/// `skan serve`: receives postbacks over HTTP until it is told to stop.
enum ServeCommand {
  static let entry = Entry(command: command, signals: .itsOwn, run: run)

  private static let secondsToStop = 10.0

  static let command = Command(
    "serve", "Receive postbacks over HTTP.",
    discussion: [
      "skan stores postbacks in a database file and counts them. Devices post to "
        + "/.well-known/skadnetwork/report-attribution and /.well-known/appattribution/report-attribution. "
        + "Ad networks post the postbacks they forward to /v1/networks/NAME/postbacks with a bearer token "
        + "from `skan token create` or the configuration file. /healthz, /readyz and /metrics are for "
        + "operators; on a public server, use --metrics to move the last two to another address or to "
        + "close them.",
      "Every report of `skan report` is at /v1/reports/NAME with the same parameters, such as "
        + "?from=2026-11-01&by=day, beside /v1/postbacks/ID and /v1/mappings; reading requires a read "
        + "token. format=json, ndjson or csv or the header Accept selects the format. Long reports have "
        + "pages (limit, cursor; the header Link has the next page). ETag and If-None-Match avoid sending "
        + "unchanged data. Cross-origin pages may read if `cors-origins` of the configuration file lists "
        + "their origin.",
      "skan answers 200 only after the postback is committed to disk. With a certificate and key the "
        + "daemon uses HTTPS (TLS 1.3 and 1.2), and reads both files again at SIGHUP; otherwise it uses "
        + "plain HTTP, for a TLS proxy in front of it.",
      "One client address may send 200 requests per second with a burst of 2000, and half of that for "
        + "one app; skan answers 429 to further requests, and devices retry later. `limits` of the "
        + "configuration file changes the limits. Behind a proxy all clients have its address, so set "
        + "--trusted-proxy: the client address is then taken from the proxy's X-Forwarded-For header, and "
        + "connections per address have no default limit. Clients on the same machine have no limits.",
      "skan loads the mapping folder at the start, at SIGHUP, and whenever a file in it changes. It "
        + "rejects a file with errors, and a second file with the same app and effective-from, and keeps "
        + "the last valid version in use. The log, /metrics, /v1/mappings and the alert mapping-rejected "
        + "report rejected files.",
      "SIGHUP also reloads certificates, alert rules, and the tokens and secrets of networks and "
        + "readers in the configuration file; invalid files are logged and change nothing. Other settings "
        + "require a restart.",
      "Every minute skan evaluates the rules of `skan report alerts`. It logs each alert that starts "
        + "or ends, shows it at /v1/alerts and /metrics, and posts it, signed, to the alert-webhooks of "
        + "the configuration file until they answer.",
      "When ready, skan prints its address on standard output. The log goes to standard error. The "
        + "first SIGTERM or Ctrl-C stops it gracefully, the second at once.",
      "With NOTIFY_SOCKET, skan notifies a service manager such as systemd when it is ready, reloads "
        + "or stops, and with WATCHDOG_USEC while the database writer makes progress.",
    ],
    examples: [
      .init(
        "Receive postbacks on this machine only", "skan serve --database skan.db --listen 127.0.0.1:8080"),
      .init("Receive postbacks from networks with tokens", "skan serve --config skan.json"),
    ],
    options: [
      .database(), .listen, .metrics, .mappings, .trustTestKeys, .threads, .connectionsPerAddress,
      .tlsCertificate, .tlsKey, .alerts, .alertsInterval,
      .value(
        "--network-host", "HOST", .text,
        "Host name registered by an ad network; devices send advertiser copies to other names.",
        isRepeatable: true), .trustedProxy, .logFormat,
    ])

  static func run(_ call: Invocation) throws -> ExitCode {
    // Before any thread starts, so that all of them leave the signals to this one.
    let signals = Signals()
    let settings = call.settings
    let isJSON = settings.text("--log-format") == "json"
    let log = ServiceLog(call.console, clock: call.world.clock, isJSON: isJSON)
    let database = settings.text("--database") ?? ""
    let proxies = try call.trustedProxies()
    let tls = try call.tlsFiles()
    let identity = try tls?.identity(at: call.world.clock())
    let keyring = try call.keyring()
    try keyring.selfTest()
    keyring.prepare()
    let rules = try call.alertRules()
    let folder = try settings.text("--mappings").map { path in
      try naming("cannot use the mapping folder") { try Folder(path) }
    }
    let ledger = try naming("cannot open the database '\(database)'") { try PostbackLedger(path: database) }
    let counters = Counters()
    let options = options(call, database, identity, proxies)
    options.figures.update { $0.certificateEnd = identity?.validUntil }
    let service: PostbackService
    do {
      let intake = PostbackIntake(keyring: keyring, ledger: ledger, clock: call.world.clock)
      service = try PostbackService(options, intake: intake, ledger: ledger, counters: counters)
    } catch {
      ledger.close()
      throw error
    }
    let watch = ServiceWatch(counters, log: log) { ledger.statistics.lastError.map { "\($0)" } }
    let mappings = folder.map {
      MappingWatch(
        $0, database: database, log: log, clock: call.world.clock, figures: options.figures)
    }
    let tokens = TokenWatch(options.access, call.configuration, log: log)
    ledger.networkMoments.noteLastHours(of: database, now: call.world.clock())
    let alerts = AlertWatch(
      rules, file: settings.text("--alerts"), database: database, board: options.alerts,
      webhooks: call.configuration.alertWebhooks, log: log, clock: call.world.clock, figures: options.figures,
      lost: { counters.lost })
    let manager = ServiceManager(environment: call.console.environment)
    let status = ServiceManager.Message.ready(status: "Listening on \(service.address)")
    do {
      try mappings?.start()
      try tokens.start()
      try watch.start()
      try alerts.start(everySeconds: settings.integer("--alerts-interval") ?? 60)
      if let manager { try Heartbeat(manager) { Heartbeat.Look(ledger.statistics) }.start() }
    } catch {
      service.stop(withinSeconds: 1)
      ledger.close()
      throw error
    }
    announce(service, isSecure: identity != nil, database, call, log)
    manager?.notify(status)
    waitForEnd(signals, log) {
      manager?.notify(.reloading(monotonicMicroseconds: UInt64(wallMicroseconds())))
      mappings?.demand()
      alerts.demand()
      tokens.reload()
      let identity = tls?.reload(into: service, log: log, clock: call.world.clock)
      if let identity { options.figures.update { $0.certificateEnd = identity.validUntil } }
      manager?.notify(status)
    }
    manager?.notify(.stopping)
    log.write(.info, "stopping")
    let areAllAnswered = service.stop(withinSeconds: secondsToStop)
    if !areAllAnswered { log.write(.warning, "requests-cut-off") }
    ledger.close()
    watch.reportAll("stopped")
    return .done
  }

  private static func options(
    _ call: Invocation, _ database: String, _ identity: TLSIdentity?, _ proxies: TrustedProxies
  ) -> ServiceOptions {
    let listen = call.settings.hostPort("--listen") ?? HostPort(host: "127.0.0.1", port: 8080)
    var server = ServerOptions(address: listen)
    server.threads = call.settings.integer("--threads") ?? server.threads
    server.connectionsPerAddress = call.connectionsPerAddress.count
    server.identity = identity
    var options = ServiceOptions(server: server, database: database)
    let hosts = call.settings.texts("--network-host")
    options.networkHosts = Set(
      (hosts.isEmpty ? call.configuration.networkHosts : hosts).map { $0.lowercased() })
    options.metrics = call.metricsPlace
    options.access = Access(
      networks: call.configuration.networks, readTokens: call.configuration.readTokens, database: database)
    options.trustedProxies = proxies
    options.corsOrigins = Set(call.configuration.corsOrigins)
    options.limits = call.configuration.limits
    options.version = skanVersion
    options.clock = call.world.clock
    return options
  }

  private static func announce(
    _ service: PostbackService, isSecure: Bool, _ database: String, _ call: Invocation, _ log: ServiceLog
  ) {
    let address = service.address
    let networks = Int64(call.configuration.networks.count)
    log.write(
      .info, "listening",
      [
        ("address", .string("\(address)")), ("database", .string(database)),
        ("version", .string(skanVersion)),
        ("networks", .integer(networks)),
      ])
    if let metrics = service.metricsAddress {
      log.write(.info, "metrics-listening", [("address", .string("\(metrics)"))])
    } else if call.metricsPlace == .same, !address.isLoopback {
      log.write(
        .warning, "metrics-exposed",
        [
          ("note", .string("every client that can reach \(address) can read /metrics and /readyz")),
          (
            "remedy",
            "set another address, such as --metrics 127.0.0.1:9090, or close them with --metrics none"
          ),
        ])
    }
    if !call.trustsOnlyApple { log.write(.warning, "test-keys-trusted", [("environment", "test")]) }
    call.console.line(
      "skan: listening on \(isSecure ? "https" : "http")://\(address), storing in \(database)")
    call.console.output.flush()
  }

  /// Returns at the first SIGTERM or SIGINT; from then on a second one ends the process.
  private static func waitForEnd(_ signals: Signals, _ log: ServiceLog, reload: () -> Void) {
    while signals.next() == .hangUp {
      log.write(
        .info, "hang-up", [("note", "reloading mapping files, certificates, tokens and alert rules")]
      )
      reload()
    }
    do {
      _ = try Worker {
        while signals.next() == .hangUp {}
        exitAtOnce(.interrupted)
      }
    } catch {
      signals.restore()
    }
  }
}

extension ServiceLog.Value: ExpressibleByStringLiteral {
  init(stringLiteral text: String) { self = .string(text) }
}

extension Invocation {
  /// Whether no keys are trusted besides Apple's.
  fileprivate var trustsOnlyApple: Bool { settings.text("--trust-test-keys") == nil }
}
