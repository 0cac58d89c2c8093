import SQLite

/// Raises the level of a journal, which states how its nodes read and count what it has.
///
/// A program that reads bodies otherwise, or counts them otherwise, has a higher level than those before. It raises the
/// journal's before it appends, and a program of a lower level stops there instead of counting otherwise.
struct LevelRaise: LedgerChange, Equatable {
  static let kind = ChangeKind.levelRaise
  /// The level of a journal that none has raised.
  static let lowest: Int64 = 1

  let level: Int64

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare("UPDATE journal_place SET level = max(level, ?1)").run(level)
  }

  static let form = Form(Self.init) { $0.level }
}

extension LedgerError {
  /// A journal of a level that this program does not have.
  static func newerLevel(_ level: Int64, known: Int64, at place: String) -> Self {
    .journal(
      reason: "\(place) has level \(level), and this skan reads and counts as of level \(known)",
      remedy: "Install the skan version of the other nodes.")
  }
}
