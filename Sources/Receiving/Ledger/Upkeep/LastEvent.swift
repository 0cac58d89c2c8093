import SQLite
public import Values

/// Something of which the ledger keeps the last time; the raw value is stored in the database.
public struct LastEvent: RawRepresentable, Equatable, Sendable {
  public let rawValue: String

  private init(_ rawValue: String) { self.rawValue = rawValue }

  /// - Returns: `nil` for a text that this program does not understand.
  public init?(rawValue: String) {
    let isOfPull = Self.ofPulls.contains { rawValue.count > $0.count && rawValue.hasPrefix($0) }
    guard isOfPull || Self.others.contains(where: { $0.rawValue == rawValue }) else { return nil }
    self.init(rawValue)
  }

  public static let backup = LastEvent("backup")
  /// A mapping file was rejected that was right before, or was not there.
  public static let mappingRejected = LastEvent("mapping-rejected")
  /// The sample data of `skan demo` were made; the database has no others.
  public static let sampleMade = LastEvent("sample-made")
  /// The Monday after the newest week whose digest was handed to the webhooks.
  public static let digest = LastEvent("digest")

  /// What a pull read was stored.
  package static func pulled(_ pull: String) -> LastEvent { LastEvent("pulled:\(pull)") }
  /// A run of a pull began; what became of it is noted too, unless the program died meanwhile.
  package static func pullBegun(_ pull: String) -> LastEvent { LastEvent("pull-begun:\(pull)") }
  /// A pull failed.
  package static func pullFailed(_ pull: String) -> LastEvent { LastEvent("pull-failed:\(pull)") }
  /// The start of the first day that a pull has not read yet; all days before are read.
  package static func pulledUpTo(_ pull: String) -> LastEvent { LastEvent("pulled-up-to:\(pull)") }

  /// Imported rows changed; what is kept is how often, and no time.
  static let rowsChanged = LastEvent("rows-changed")

  private static let others = [backup, mappingRejected, sampleMade, digest]
  private static let ofPulls = ["pulled:", "pull-begun:", "pull-failed:", "pulled-up-to:"]

  /// Counts a change of imported rows.
  static func countRowsChanged(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare(
      """
      INSERT INTO last_time(event, at) VALUES (?1, 1) ON CONFLICT(event) DO UPDATE SET at = at + 1
      """
    ).run(rowsChanged.rawValue)
  }

  func note(_ moment: Instant, on connection: borrowing LedgerDatabase) throws(LedgerError) {
    let statement = try connection.prepare("INSERT OR REPLACE INTO last_time(event, at) VALUES (?1, ?2)")
    try statement.run(rawValue, moment.milliseconds)
  }
}

extension ChangeWriter {
  /// Keeps when something happened last.
  package func note(_ event: LastEvent, at moment: Instant) throws(LedgerError) {
    try write(LastEventNote(event: event, at: moment))
  }
}

extension LastEvent: ChangeField {}

struct LastEventNote: LedgerChange {
  static let kind = ChangeKind.lastEvent

  let event: LastEvent
  let at: Instant

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try event.note(at, on: connection)
  }

  static let form = Form(Self.init) { ($0.event, $0.at) }
}

extension LedgerReader {
  /// When something happened last; `nil` for never.
  public func last(_ event: LastEvent) throws(LedgerError) -> Instant? {
    let statement = try connection.prepare("SELECT at FROM last_time WHERE event = ?1")
    try statement.bind(event.rawValue)
    return try statement.firstRow { Instant(milliseconds: $0.count(0)) }
  }

  /// How often imported rows changed, such as spend, names and rates: what follows from them is the same while this is.
  package func rowChanges() throws(LedgerError) -> Int64 {
    let statement = try connection.prepare("SELECT at FROM main.last_time WHERE event = ?1")
    try statement.bind(LastEvent.rowsChanged.rawValue)
    return try statement.firstRow { $0.count(0) } ?? 0
  }

  /// The start of the hour in which the first body came; `nil` where none has come.
  public func oldestArrival() throws(LedgerError) -> Instant? {
    try connection.integer("SELECT min(hour) FROM arrival_hour").map { Instant(hour: $0) }
  }
}
