import Arguments
import Ledger
import Tables
import Values
import Verification

/// Something that can be read with a token: where it is, what may be asked of it, and who makes the answer.
struct ReadResource: Sendable {
  /// Turns a question into what answers it, or reports which word can't be used.
  typealias Maker = @Sendable (ReadQuestion) throws(ParameterError) -> Job
  /// Asks the database; nil where there is no such thing.
  ///
  /// It throws ``LedgerError``, ``ParameterError`` for a word that only the database can judge, or an estimate's error.
  typealias Job = @Sendable (ReadContext) throws -> Answer?

  /// What a job works with.
  struct ReadContext {
    let reader: LedgerReader
    let keyring: Keyring
    let alerts: AlertSnapshot
    let now: Instant
    /// Whether a page should end with fewer rows than it may have.
    let isLate: @Sendable () -> Bool
  }

  /// What a job found.
  struct Answer: Sendable {
    let text: String
    /// The cursor of the next page; nil where there is none.
    var next: String?
  }

  /// Pages of a long report, in rows.
  struct Paging: Sendable {
    /// Rows of a page where the question names no limit.
    let usual: Int
  }

  /// The path; a last part `{id}` stands for any name.
  let path: String
  /// The words of the query that belong to it alone.
  let words: [String]
  /// How it is divided; nil where it comes whole.
  var paging: Paging?
  /// The forms that it has.
  var formats = Format.forPrograms
  /// Who makes the answer.
  let make: Maker

  /// The last part of the path, which cursors and the command line know it by.
  var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// All words that a query may have, in order.
  var parameters: [String] { words + ["format"] + (paging == nil ? [] : ["limit", "cursor"]) }

  /// What the figures count it as.
  var figures: RouteName {
    switch path {
    case "/v1/reports/campaigns": .campaigns
    case "/v1/mappings": .mappings
    case "/v1/alerts": .alerts
    case "/v1/postbacks/{id}": .postback
    default: path.hasPrefix("/v1/reports/") ? .report : .other
    }
  }
}
