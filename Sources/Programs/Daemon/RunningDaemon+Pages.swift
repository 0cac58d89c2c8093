import Alerts
import Arguments
import Assistants
import Configuration
import Ledger
import Pages
import Routing
import Service
import Verification

extension RunningDaemon {
  /// Starts the pages where they are asked for.
  static func pages(
    _ configuration: ServiceConfiguration, _ service: ServiceContext, _ ledger: PostbackLedger,
    _ keyring: Keyring,
    _ meter: RequestMeter, _ log: ServiceLog
  ) throws -> PagesListener? {
    guard let address = configuration.pages else { return nil }
    var options = PagesOptions(
      ledger, access: service.access, keyring: keyring, clock: service.clock)
    options.isOpen = configuration.arePagesOpen
    options.identity = service.identity
    options.proxies = configuration.trustedProxies
    options.proxySignIn = configuration.file.pagesSignIn
    options.alerts = service.alerts
    options.keeper = service.keeper
    options.secondsBehind = { ledger.statistics.secondsBehind }
    options.certificateEnd = { [figures = service.figures] in figures.reading.certificateEnd }
    options.mappings = configuration.mappings?.text
    options.samples = configuration.samples?.text
    options.noteFailure = { id, path, reason in
      log.write(
        .error, "page-failed", [("id", .string(id)), ("path", .string(path)), ("reason", .string(reason))])
    }
    options.noteSignIn = { [figures = service.figures] result in figures.note(result) }
    return try PagesListener(
      address, options, assistants: assistants(configuration, service, keyring, log), meter: meter)
  }

  /// Answers assistants from the database, for a limited time as other readers.
  private static func assistants(
    _ configuration: ServiceConfiguration, _ service: ServiceContext, _ keyring: Keyring, _ log: ServiceLog
  ) -> AssistantServer {
    var source = AssistantSource(
      database: service.database, keyring: keyring, clock: service.clock,
      open: { [path = service.database, seconds = configuration.readSeconds] in
        try LedgerReader(path: path, endingAfterSeconds: seconds)
      },
      rules: { try configuration.alertRules() })
    source.keeper = service.keeper
    return AssistantServer(version: service.version, source: source) { tool, reason in
      log.write(.error, "tool-failed", [("tool", .string(tool)), ("reason", .string(reason))])
    }
  }
}
