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
    "serve", "Receive postbacks over HTTP, and store and count them in a database file.",
    discussion: [
      "Devices post to /.well-known/skadnetwork/report-attribution and /.well-known/appattribution/report-attribution; "
        + "ad networks that pass postbacks on post to /v1/networks/NAME/postbacks with a bearer token of `skan token "
        + "create` or of the configuration file. /healthz, /readyz and /metrics are for operators; --metrics puts the last "
        + "two on an address of their own or closes them, for a daemon that faces the internet.",
      "Every report of `skan report` is at /v1/reports/NAME under the same words, such as ?from=2026-11-01&by=day, beside "
        + "/v1/postbacks/ID and /v1/mappings, all with a read token. format=json, ndjson or csv or the header Accept chooses "
        + "the form; long reports come in pages (limit, cursor, and the header Link names the next one); ETag and "
        + "If-None-Match spare what did not change. Pages of other sites may read where `cors-origins` of the "
        + "configuration file lists them.",
      "A postback is answered 200 only after it is on the disk. With a certificate and its key the daemon speaks HTTPS "
        + "(TLS 1.3 and 1.2), and reads both files again at SIGHUP; without them it speaks plain HTTP, for a proxy in "
        + "front of it that speaks TLS.",
      "One client address may send 200 requests a second and 2000 at once, and half of that for one app; `limits` of "
        + "the configuration file changes it, and more is answered 429, after which a device tries again. Behind a proxy "
        + "all clients have its address, so name it with --trusted-proxy: then the client is whom X-Forwarded-For of the "
        + "proxy names, and connections for each address have no limit unless one is set. Clients on the machine itself "
        + "are not limited.",
      "The folder of mapping files is read at the start, whenever a file in it changes, and at SIGHUP. A file with errors "
        + "is rejected, and its last good state stays in force; so is a second file with another mapping of the same app "
        + "from the same moment. The log, /metrics, /v1/mappings and the alert mapping-rejected show it.",
      "SIGHUP reads certificates, rules of alerts and the tokens and secrets of networks and readers in the "
        + "configuration file again too; what is wrong is logged and changes nothing. Other settings take a restart.",
      "Every minute it judges what `skan report alerts` prints. What begins or ends is logged, stands at /v1/alerts and "
        + "/metrics, and is posted to the alert-webhooks of the configuration file, signed and until they answer.",
      "When it listens, one line on standard output says where. The log goes to standard error. A first SIGTERM or "
        + "Ctrl-C ends it in order, a second one at once.",
      "A service manager such as systemd learns by NOTIFY_SOCKET when the daemon listens, reloads and stops, and, where "
        + "it sets WATCHDOG_USEC, that the database's writer makes progress.",
    ],
    examples: [
      .init("On this machine only", "skan serve --database skan.db --listen 127.0.0.1:8080"),
      .init("With networks and tokens", "skan serve --config skan.json"),
    ],
    options: [
      .database(), .listen, .metrics, .mappings, .trustTestKeys, .threads, .connectionsPerAddress,
      .tlsCertificate, .tlsKey, .alerts, .alertsInterval,
      .value(
        "--network-host", "HOST", .text,
        "A host name that stands for an ad network's registered address; at others devices deliver advertiser copies.",
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
          ("note", .string("whoever reaches \(address) can read /metrics and /readyz")),
          (
            "remedy",
            "put them elsewhere, such as --metrics 127.0.0.1:9090, or close them with --metrics none"
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
        .info, "hang-up", [("note", "mapping files, certificates, tokens and rules of alerts are read again")]
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
