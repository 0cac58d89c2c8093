internal import PostgreSQL
package import Values

/// What the server of a journal promises for a commit, by its own settings.
package struct JournalDurability: Equatable, Sendable {
  /// Whether what is committed survives a power cut: `fsync` and `full_page_writes`.
  package let survivesPowerCut: Bool
  /// `synchronous_commit`; `off` acknowledges what is not on disk.
  package let synchronousCommit: String
  /// `synchronous_standby_names`; empty for none.
  package let standbys: String
  /// What time it was by the server's clock.
  package let time: Instant

  package static func read(_ address: String) throws(JournalError) -> JournalDurability {
    do throws(PostgreSQLError) {
      let connection = try PostgreSQLConnection(
        address, settings: [("target_session_attrs", "read-write")])
      let answer = try connection.query(
        """
        SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on',
          current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
          floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
        """)
      guard let row = answer.rows.first, case .boolean(let survives) = row[0],
        case .text(let commit) = row[1],
        case .text(let standbys) = row[2],
        case .integer(let milliseconds) = row[3]
      else {
        throw PostgreSQLError(
          kind: .unexpectedAnswer, state: nil, message: "no settings", isOutcomeUnknown: false)
      }
      return JournalDurability(
        survivesPowerCut: survives, synchronousCommit: commit, standbys: standbys,
        time: Instant(milliseconds: milliseconds))
    } catch {
      throw JournalError(definite: error) ?? .unavailable(reason: error.description)
    }
  }
}
