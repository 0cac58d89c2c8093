package import Arguments
package import Ledger
package import Routing
package import Tables
package import Values
package import Verification

/// Something that can be read with a token: where it is, what may be asked of it, and who makes the answer.
package struct ReadResource: Sendable {
  /// Turns a question into what answers it, or reports which word can't be used.
  package typealias Maker = @Sendable (ReadQuestion) throws(ParameterError) -> Job
  /// Asks the database; nil where there is no such thing.
  ///
  /// It throws ``LedgerError``, ``ParameterError`` for a word that only the database can judge, or an estimate's error.
  package typealias Job = @Sendable (ReadContext) throws -> Answer?

  /// What a job works with.
  package struct ReadContext {
    package let reader: LedgerReader
    package let keyring: Keyring
    package let alerts: [AlertRecord]
    package let now: Instant
    /// What keeps the rows of long reports between their pages.
    let pages: KeptPages
    /// Whether a page should end with fewer rows than it may have.
    package let isLate: @Sendable () -> Bool
  }

  /// What a job found.
  package struct Answer: Sendable {
    package let text: String
    /// The cursor of the next page; nil where there is none.
    package let next: String?

    package init(text: String, next: String? = nil) {
      self.text = text
      self.next = next
    }
  }

  /// Pages of a long report, in rows.
  package struct Paging: Sendable {
    /// Rows of a page where the question names no limit.
    let usual: Int
  }

  /// The path; a last part `{id}` stands for any name.
  package let path: String
  /// The words of the query that belong to it alone.
  package let words: [String]
  /// How it is divided; nil where it comes whole.
  package let paging: Paging?
  /// The forms that it has.
  package let formats: [Format]
  /// Who makes the answer.
  private let make: Maker

  package init(
    path: String, words: [String], paging: Paging? = nil, formats: [Format] = Format.forPrograms,
    make: @escaping Maker
  ) {
    self.path = path
    self.words = words
    self.paging = paging
    self.formats = formats
    self.make = make
  }

  /// Turns a question into what answers it, or reports which word can't be used.
  package func job(for question: ReadQuestion) throws(ParameterError) -> Job { try make(question) }

  /// The last part of the path, which cursors and the command line know it by.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// All words that a query may have, in order.
  package var parameters: [String] { words + ["format"] + (paging == nil ? [] : ["limit", "cursor"]) }

  /// What the figures count it as.
  package var figures: RouteName {
    switch path {
    case "/v1/reports/campaigns": .campaigns
    case "/v1/mappings": .mappings
    case "/v1/alerts": .alerts
    case "/v1/postbacks/{id}": .postback
    default: path.hasPrefix("/v1/reports/") ? .report : .other
    }
  }
}
