package import Arguments
import Campaigns
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
    /// Keeps what reports are estimated from.
    let keeper: PartKeeper
    /// What several requests share for a moment.
    let shared: AnswerCache
    /// Takes note of a mapping that an app got.
    package let noteMapping: @Sendable (_ app: Int64, _ effectiveFrom: Instant, _ digest: String) -> Void

    /// What was gathered a moment ago for another request, or else is gathered now.
    package func shared<Value: Sendable>(
      _ name: String, forSeconds seconds: Int64, _ gather: () throws -> Value
    ) rethrows -> Value {
      try shared.value(name, now: now, keptSeconds: seconds, gather)
    }
  }

  /// What a job found.
  package struct Answer: Sendable {
    package let text: String
    /// The cursor of the next page; nil where there is none.
    package let next: String?
    /// How long caches may keep it; nil where they have to ask each time.
    package let freshness: Freshness?

    package init(text: String, next: String? = nil, freshness: Freshness? = nil) {
      self.text = text
      self.next = next
      self.freshness = freshness
    }
  }

  /// How long caches may keep an answer, and since when it is as it is.
  package struct Freshness: Sendable {
    /// Seconds; 0 where caches have to ask each time.
    let seconds: Int64
    let lastModified: Instant

    package init(seconds: Int64, lastModified: Instant) {
      self.seconds = seconds
      self.lastModified = lastModified
    }
  }

  /// Who asks, which decides whether a token is needed and whether the answer is signed.
  package enum Readers: Hashable, Sendable {
    /// People and programs with a read token.
    case tokenHolders
    /// Apps on devices, which need no token where the operator allows that.
    case apps
  }

  /// Pages of a long report, in rows.
  package struct Paging: Sendable {
    /// Rows of a page where the question names no limit.
    let usual: Int
  }

  /// The path; a part in braces stands for any name.
  package let path: String
  /// The words of the query that belong to it alone.
  package let words: [String]
  /// How it is divided; nil where it comes whole.
  package let paging: Paging?
  package let formats: [Format]
  package let readers: Readers
  /// What a reader learns where there is no such thing.
  let missing: String
  private let make: Maker

  package init(
    path: String, words: [String], paging: Paging? = nil, formats: [Format] = Format.forPrograms,
    readers: Readers = .tokenHolders, missing: String = "The database has no such thing.",
    make: @escaping Maker
  ) {
    self.path = path
    self.words = words
    self.paging = paging
    self.formats = formats
    self.readers = readers
    self.missing = missing
    self.make = make
  }

  /// Turns a question into what answers it, or reports which word can't be used.
  package func job(for question: ReadQuestion) throws(ParameterError) -> Job { try make(question) }

  /// The last part of the path, which cursors and the command line know it by.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// All words that a query may have, in order.
  package var parameters: [String] { words + ["format"] + (paging == nil ? [] : ["limit", "cursor"]) }

  package var figures: RouteName {
    switch path {
    case "/v1/reports/campaigns": .campaigns
    case "/v1/mappings": .mappings
    case "/v1/alerts": .alerts
    case "/v1/postbacks/{id}": .postback
    case "/v1/apps/{app}/mapping": .apps
    default: path.hasPrefix("/v1/reports/") ? .report : .other
    }
  }
}
