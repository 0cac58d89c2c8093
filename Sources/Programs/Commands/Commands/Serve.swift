import Arguments
import Daemon
import System
import Values

/// `skan serve`: receives postbacks over HTTP until it is told to stop.
enum ServeCommand {
  static let entry = Entry(command: command, signals: .itsOwn, run: run)

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
    let daemon = try RunningDaemon(options(call))
    let scheme = call.usesTLS ? "https" : "http"
    call.console.line(
      "skan: listening on \(scheme)://\(daemon.address), storing in \(call.settings.text("--database") ?? "")"
    )
    call.console.output.flush()
    waitForEnd(signals) { daemon.reload() }
    daemon.stop()
    return .done
  }

  private static func options(_ call: Invocation) throws -> DaemonOptions {
    let settings = call.settings
    let clock = call.world.clock
    let isJSON = settings.text("--log-format") == "json"
    var options = DaemonOptions(
      database: settings.text("--database") ?? "",
      listen: settings.hostPort("--listen") ?? HostPort(host: "127.0.0.1", port: 8080),
      log: ServiceLog(call.console, clock: clock, isJSON: isJSON), clock: clock)
    options.configuration = call.configuration
    let hosts = settings.texts("--network-host")
    options.networkHosts = hosts.isEmpty ? call.configuration.networkHosts : hosts
    options.metrics = call.metricsPlace
    options.threads = settings.integer("--threads")
    options.connectionsPerAddress = call.connectionsPerAddress.count
    options.trustedProxies = try call.trustedProxies()
    options.tls = try call.tlsFiles()
    options.trustedKeys = try call.trustedKeys()
    options.mappings = settings.text("--mappings")
    options.alertRules = try call.alertRules()
    options.alertsFile = settings.text("--alerts")
    options.secondsBetweenAlerts = settings.integer("--alerts-interval") ?? options.secondsBetweenAlerts
    options.version = skanVersion
    options.environment = call.console.environment
    return options
  }

  /// Returns at the first SIGTERM or SIGINT; from then on a second one ends the process.
  private static func waitForEnd(_ signals: Signals, reload: () -> Void) {
    while signals.next() == .hangUp { reload() }
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
