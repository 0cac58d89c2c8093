internal import PostgreSQL
internal import System

/// One connection to the server of a journal, which is made anew after a loss.
final class JournalLink {
  private let address: String
  private let settings: [(name: String, value: String)]
  private let patience: Duration
  /// The journal that every connection must lead to; the first one decides where none is expected.
  private let identity: Guarded<JournalIdentity?>
  private var connection: PostgreSQLConnection?

  init(
    _ address: String, settings: [(name: String, value: String)], patience: Duration,
    identity: Guarded<JournalIdentity?>
  ) {
    self.address = address
    self.settings = settings
    self.patience = patience
    self.identity = identity
  }

  /// What ends a try: an error after which another one may succeed, or the last word.
  private enum Trouble: Error {
    case server(PostgreSQLError)
    case journal(JournalError)
  }

  /// Asks until there is an answer, over new connections where one is lost.
  ///
  /// - Parameters:
  ///   - ask: Asks within some seconds; `nil` where the outcome is unknown although the server reports success.
  ///   - explain: What an error of the server means where no other try can succeed; `nil` for the usual meaning.
  /// - Throws: ``JournalError/unavailable(reason:)`` when the patience ends.
  func run<Value>(
    _ ask: (PostgreSQLConnection, JournalIdentity, Double) throws(PostgreSQLError) -> Value?,
    explain: (PostgreSQLError) -> JournalError? = { _ in nil }
  ) throws(JournalError) -> Value {
    let clock = ContinuousClock()
    let end = clock.now + patience
    var pauseMicroseconds: UInt32 = 10_000
    var isUnknown = false
    while true {
      var reason = "the server warns that its standby may not have the commit"
      do throws(Trouble) {
        let (connection, identity) = try connected()
        let seconds = max(0.01, clock.now.duration(to: end) / .seconds(1))
        let value: Value?
        do throws(PostgreSQLError) { value = try ask(connection, identity, seconds) } catch {
          throw .server(error)
        }
        if let value { return value }
        isUnknown = true
      } catch {
        let failure: PostgreSQLError
        switch error {
        case .journal(let meaning): throw meaning
        case .server(let found): failure = found
        }
        if let meaning = explain(failure) { throw meaning }
        isUnknown = isUnknown || failure.isOutcomeUnknown
        reason = failure.description
        if failure.endsConnection || connection?.isLost != false { connection = nil }
        // A batch of which an earlier attempt may be stored is not rejected.
        if !isUnknown, let meaning = JournalError(definite: failure) { throw meaning }
      }
      guard clock.now + .microseconds(pauseMicroseconds) < end else { throw .unavailable(reason: reason) }
      rest(microseconds: pauseMicroseconds)
      pauseMicroseconds = min(2 * pauseMicroseconds, 320_000)
    }
  }

  /// The connection, made and checked where there is none.
  private func connected() throws(Trouble) -> (PostgreSQLConnection, JournalIdentity) {
    if let connection, !connection.isLost, let known = identity.withLock({ $0 }) {
      return (connection, known)
    }
    connection = nil
    let made: PostgreSQLConnection
    let found: JournalIdentity?
    do throws(PostgreSQLError) {
      made = try PostgreSQLConnection(address, settings: settings)
      found = try JournalSetup.identity(over: made)
    } catch { throw .server(error) }
    guard let found else { throw .journal(.notSetUp) }
    let expected = identity.withLock { identity -> JournalIdentity in
      identity = identity ?? found
      return identity ?? found
    }
    guard found == expected else { throw .journal(.otherJournal(found: found, expected: expected)) }
    connection = made
    return (made, expected)
  }
}

extension PostgreSQLError {
  /// Whether another connection may lead to another server: this one became a standby, ends, or has another journal.
  var endsConnection: Bool {
    guard let state else { return true }
    return ["08", "25", "57"].contains(String(state.prefix(2))) || state == JournalState.otherJournal
  }
}

/// SQLSTATEs of the journal's own functions.
enum JournalState {
  static let nodeIsTaken = "SJ001"
  static let otherJournal = "SJ002"
  static let newerLayout = "SJ003"
}

extension JournalError {
  /// What an error of the server means where no other try can succeed; `nil` where one may.
  ///
  /// Another try may succeed after a lost connection (class 08), on a server that was a standby (25), after a conflict of
  /// transactions (40), with more resources (53), after a wait for a lock (55), after an operator's intervention (57),
  /// and after an error of the system (58). Source: PostgreSQL's manual, appendix A.
  init?(definite error: PostgreSQLError) {
    guard error.kind == .rejected || error.kind == .unexpectedAnswer else { return nil }
    guard let state = error.state else {
      self = .rejected(reason: error.description)
      return
    }
    switch state {
    case "3F000", "42P01", "42883": self = .notSetUp
    case JournalState.newerLayout:
      self = .newerLayout(found: error.detail.flatMap { Int64($0) } ?? 0, known: JournalSetup.layout)
    case JournalState.otherJournal: return nil
    default:
      guard !["08", "25", "40", "53", "55", "57", "58"].contains(String(state.prefix(2))) else { return nil }
      self = .rejected(reason: error.description)
    }
  }
}
