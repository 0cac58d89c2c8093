import SQLite
public import Values

/// Something of which the ledger keeps the last time; the raw value is stored in the database.
public enum LastEvent: String, Hashable, Sendable {
  case backup
  /// A mapping file was rejected that was right before, or was not there.
  case mappingRejected = "mapping-rejected"
  /// The sample data of `skan demo` were made; the database has no others.
  case sampleMade = "sample-made"
  /// The Monday after the newest week whose digest was handed to the webhooks.
  case digest

  func note(_ moment: Instant, on connection: borrowing Connection) throws(SQLiteError) {
    let statement = try connection.prepare("INSERT OR REPLACE INTO last_time(event, at) VALUES (?1, ?2)")
    try statement.run([rawValue, moment.milliseconds])
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

  func apply(on connection: borrowing Connection) throws(SQLiteError) { try event.note(at, on: connection) }

  func write(to bytes: inout ChangeEncoder) { bytes.add(event, at) }
}

extension LastEventNote {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(event: try bytes.next(), at: try bytes.next())
  }
}

extension LedgerReader {
  /// When something happened last; `nil` for never.
  public func last(_ event: LastEvent) throws(LedgerError) -> Instant? {
    try asLedger { () throws(SQLiteError) in
      let statement = try connection.prepare("SELECT at FROM last_time WHERE event = ?1")
      try statement.bind(event.rawValue, at: 1)
      return try statement.firstRow { Instant(milliseconds: $0.count(0)) }
    }
  }

  /// The start of the hour in which the first body came; `nil` where none has come.
  public func oldestArrival() throws(LedgerError) -> Instant? {
    try asLedger { () throws(SQLiteError) in
      try connection.integer("SELECT min(hour) FROM arrival_hour").map { Instant(hour: $0) }
    }
  }
}
