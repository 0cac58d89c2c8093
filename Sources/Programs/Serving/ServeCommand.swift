import Arguments
import Commands
import Configuration
import Daemon
import Ledger
import System
import Values

/// `skan serve`: receives postbacks over HTTP until a signal stops it.
enum ServeCommand {
  static let entry = Entry(command: command, signals: .itsOwn, run: run)

  static let command = Command(
    "serve", "Receive postbacks over HTTP.",
    discussion: [
      "skan stores postbacks in a database file and counts them. Devices post to "
        + "/.well-known/skadnetwork/report-attribution and /.well-known/appattribution/report-attribution. "
        + "Ad networks post the postbacks they forward to /v1/networks/NAME/postbacks with a bearer token "
        + "from `skan token create` or the configuration file, or to /n/TOKEN if they know only an address. /healthz, /readyz and /metrics are for "
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
      "With --pages, skan serves pages for browsers on an address of their own. People sign in with a token of `skan "
        + "token create --reader NAME` or `--editor NAME`. On an address that other machines reach, pages need a "
        + "certificate and key, or --pages-plain-http behind a proxy with TLS.",
      "With --app-mappings, apps get the mapping in force at /v1/apps/APP/mapping without a token, as the library "
        + "SkanMapping reads it; otherwise that path requires a read token. --app-mappings-key signs each answer.",
      "skan loads the mapping folder at the start, at SIGHUP, and whenever a file in it changes. It "
        + "rejects a file with errors, and a second file with the same app and effective-from, and keeps "
        + "the last valid version in use. The log, /metrics, /v1/mappings and the alert mapping-rejected "
        + "report rejected files.",
      "SIGHUP also reloads certificates, alert rules, and the tokens and secrets of networks and "
        + "readers, the relays and the pulls in the configuration file; invalid files are logged and change nothing. "
        + "Other settings require a restart.",
      "Every minute skan evaluates the rules of `skan report alerts`. It logs each alert that starts "
        + "or ends, shows it at /v1/alerts and /metrics, and posts it, signed, to the alert-webhooks of "
        + "the configuration file until they answer.",
      "skan passes genuine postbacks on to the addresses of `relays` in the configuration file, byte for byte and "
        + "several at a time, and retries for nine days; `skan relay status` shows how far each one is.",
      "skan runs the `pulls` of the configuration file at their times, as `skan pull` does; /metrics and the log show when "
        + "each was done and why one failed.",
      "When ready, skan prints its address on standard output. The log goes to standard error; with --quiet, warnings and errors "
        + "only. The first SIGTERM or Ctrl-C stops it gracefully, the second at once.",
      "With NOTIFY_SOCKET, skan notifies a service manager such as systemd when it is ready, reloads "
        + "or stops, and with WATCHDOG_USEC while the database writer makes progress.",
    ],
    examples: [
      .init(
        "Receive postbacks on this machine only", "skan serve --database skan.db --listen 127.0.0.1:8080"),
      .init("Receive postbacks from networks with tokens", "skan serve --config skan.json"),
    ],
    options: [.database()] + ServiceConfiguration.commandLine)

  static func run(_ call: Invocation) throws -> ExitCode {
    // Before any thread starts, so that all of them leave the signals to this one.
    let signals = Signals()
    keepLittleFreeMemory()
    let database = try call.database
    let configuration = try call.serviceConfiguration()
    try call.requireSafePages(configuration)
    try call.requireBothTLSFiles(configuration)
    return try serve(configuration, database: database, following: call.journal(configuration), call, signals)
  }

  /// Runs the service until a signal stops it.
  static func serve(
    _ configuration: ServiceConfiguration, database: String, following journal: LedgerJournal? = nil,
    _ call: Invocation, _ signals: Signals
  ) throws -> ExitCode {
    let daemon = try RunningDaemon(
      configuration, database: database, following: journal, trusting: call.trustedKeys(), on: call.console,
      clock: call.world.clock, version: skanVersion)
    let scheme = configuration.usesTLS ? "https" : "http"
    call.console.line(
      "skan: listening on \(scheme)://\(daemon.address), storing in \(database)"
    )
    if let pages = daemon.pagesAddress { call.console.line("skan: pages on \(scheme)://\(pages)/") }
    call.console.output.flush()
    waitForEnd(signals) { daemon.reload() }
    daemon.stop()
    return .done
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
