package import Arguments
package import Ledger
import Postbacks
import Values
import Verification

// Questions made of words, as the query of a URL has them; the words are those of the command line's options.

extension PostbackQuery {
  /// The names of the words that ``init(words:)`` understands.
  package static let wordNames = ["from", "to", "app", "network", "environment"]

  /// Reads a question from words.
  ///
  /// - Parameter words: `from` and `to` (moments or UTC dates), `app`, `network` (each comma-separated), `environment`.
  /// - Throws: ``ParameterError`` for the first word that can't be understood.
  package init(words: [String: String]) throws(ParameterError) {
    let texts = words.mapValues { [$0] }
    self.init(try Period<Instant>(texts), try Scope(texts))
  }
}

extension EstimateQuery {
  /// The names of the words that ``init(words:)`` understands.
  package static let wordNames = [
    "from", "to", "by", "app", "network", "null-is-zero", "environment", "digits",
  ]

  /// Reads a question from words.
  ///
  /// - Parameter words: `from` and `to` (UTC dates), `by` (`campaign` or `day`), `app`, `network`, `null-is-zero` (each
  ///   comma-separated), `environment`, `digits` (2 through 4).
  /// - Throws: ``ParameterError`` for the first word that can't be understood.
  package init(words: [String: String]) throws(ParameterError) {
    self.init()
    let texts = words.mapValues { [$0] }
    let (period, scope) = (try Period<Day>(texts), try Scope(texts))
    (environment, from, to, apps) = (scope.environment, period.from, period.to, scope.apps)
    if let text = words["digits"] {
      let kind = ValueKind.integer(2...4)
      guard kind.allows(text), let number = Int(text) else { throw .unfit("digits", found: text, kind) }
      digits = number
    }
    networks = Self.list(words["network"])
    zeroMeansNull = Set(Self.list(words["null-is-zero"]))
    switch words["by"] {
    case "campaign", nil: byDay = false
    case "day": byDay = true
    case let text?: throw ParameterError("by", "'\(text)' is none of campaign, day")
    }
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.lowercased() }
  }
}
