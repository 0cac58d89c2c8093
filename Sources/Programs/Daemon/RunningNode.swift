import Arguments
package import Campaigns
package import Configuration
package import Intake
package import Ledger
import Postbacks
import Pulls
package import Routing
package import Service
package import System
import Values
package import Verification

/// A daemon without its addresses: the ledger, the way into it, and the watches.
package final class RunningNode: Sendable {
  package let ledger: PostbackLedger
  package let intake: PostbackIntake
  package let access: Access
  package let counters: Counters
  /// What fires now.
  package let alerts: AlertSnapshot
  /// Has what estimates are made of.
  package let keeper = EstimateWatch.newKeeper()
  let context: DaemonContext
  private let databaseWatch: DatabaseWatch
  private let tokens: TokenWatch
  private let sole: SoleWatches

  /// Opens the database; nothing repeats before ``start()``.
  ///
  /// - Throws: Errors that people read, as of a database that cannot be opened; then nothing runs.
  package init(
    _ configuration: ServiceConfiguration, database: String, following journal: LedgerJournal?,
    keyring: Keyring, environment: [String: String], log: ServiceLog,
    figures: OperatorFigures, clock: @escaping WallClock, settings: LedgerSettings = LedgerSettings(),
    channels: DeliveryChannels = DeliveryChannels()
  ) throws {
    let rules = try configuration.alertRules()
    let folder = try configuration.mappings.map { path in
      try naming("cannot use the mapping folder") { try Folder(path.text) }
    }
    let ledger = try Self.ledger(at: database, settings, following: journal, log)
    do {
      self.ledger = ledger
      intake = PostbackIntake(keyring: keyring, ledger: ledger, clock: clock)
      context = DaemonContext(
        database: database, changes: ledger, log: log, clock: clock, figures: figures, channels: channels,
        keeper: configuration.pages == nil ? nil : keeper)
      let access = Access(
        networks: configuration.file.networks, readTokens: configuration.file.readTokens, ledger: ledger,
        clock: clock)
      self.access = access
      let counters = Counters()
      self.counters = counters
      let board = AlertSnapshot.quiet
      alerts = board
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
          pulls: PullWatch(configuration.file, environment: environment, context) {
            try PullIntake(keyring, beside: configuration)
          },
          checkpoints: journal.map { CheckpointWatch($0.name, context) })
      }
      databaseWatch = DatabaseWatch(ledger, of: database, log: log)
      tokens = TokenWatch(access, configuration.file, log: log)
      ledger.networkMoments.noteLastHours(of: database, now: clock())
    } catch {
      ledger.close()
      throw error
    }
  }

  private static func ledger(
    at path: String, _ settings: LedgerSettings, following journal: LedgerJournal?, _ log: ServiceLog
  ) throws -> PostbackLedger {
    try naming("cannot open the database '\(path)'") {
      var settings = settings
      settings.journal = journal
      settings.onCatchingUp = { progress in
        log.write(.info, "journal", [("database", .string(path)), ("behind", .integer(progress.behind))])
      }
      return try PostbackLedger(path: path, settings: settings)
    }
  }

  /// Starts what repeats.
  ///
  /// - Throws: `ThreadError`; ``stop()`` ends what runs then.
  package func start() throws {
    for watch in watches { try watch.start() }
  }

  /// Reads the mapping files, and of the configuration file what may change while the daemon runs.
  package func reload() {
    sole.reload()
    tokens.reload()
  }

  /// Ends what repeats, stores what waits, and closes the database.
  package func stop() {
    for watch in watches { watch.stop() }
    ledger.close()
  }

  private var watches: [any Watch] { [databaseWatch, sole, tokens] }
}
