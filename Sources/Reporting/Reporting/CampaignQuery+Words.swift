package import Ledger
import Postbacks
package import Values
import Verification

/// A word of a question that can't be understood.
package struct QueryError: Error, Hashable, Sendable {
  /// The word's name: an option without its dashes, or a query parameter.
  package let name: String
  /// What was found and what is allowed.
  package let detail: String

  /// Tells what is wrong with a word.
  package init(name: String, detail: String) {
    self.name = name
    self.detail = detail
  }
}

extension CampaignQuery {
  /// The names of the words that ``init(words:)`` understands.
  package static let wordNames = ["from", "to", "by", "app", "network", "environment", "digits"]

  /// Reads a question from words, as the command line and the query of a URL have them.
  ///
  /// - Parameter words: `from` and `to` (UTC dates; `to` is the first day that is left out), `by` (dimensions,
  ///   comma-separated), `app`, `network` (each comma-separated), `environment`, `digits` (2 through 4).
  /// - Throws: ``QueryError`` for the first word that can't be understood.
  package init(words: [String: String]) throws(QueryError) {
    self.init()
    from = try Self.day("from", words)
    to = try Self.day("to", words)
    if let from, let to, from >= to {
      throw QueryError(
        name: "to", detail: "'\(to)' leaves no day: it is the first day left out and must come after \(from)")
    }
    if let text = words["by"] {
      dimensions = try Self.list(text) { word throws(QueryError) in
        guard let dimension = CampaignDimension(rawValue: word) else {
          let all = CampaignDimension.allCases.map(\.rawValue).joined(separator: ", ")
          throw QueryError(name: "by", detail: "'\(word)' is none of \(all)")
        }
        return dimension
      }
      if let twice = dimensions.indices.first(where: { dimensions[..<$0].contains(dimensions[$0]) }) {
        throw QueryError(name: "by", detail: "'\(dimensions[twice].rawValue)' is there twice")
      }
    }
    apps = try Self.list(words["app"] ?? "") { word throws(QueryError) in
      guard let number = Int64(word), let app = AppID(number) else {
        throw QueryError(name: "app", detail: "'\(word)' is not an App Store number, such as 525463029")
      }
      return app
    }
    networks = try Self.list(words["network"] ?? "") { word throws(QueryError) in
      guard let network = AdNetworkID(word) else { throw QueryError(name: "network", detail: "it is empty") }
      return network
    }
    if let text = words["environment"] {
      guard let found = Environment(rawValue: text) else {
        let all = Environment.allCases.map(\.rawValue).joined(separator: ", ")
        throw QueryError(name: "environment", detail: "'\(text)' is none of \(all)")
      }
      environment = found
    }
    if let text = words["digits"] {
      guard let count = Int(text), (2...4).contains(count) else {
        throw QueryError(name: "digits", detail: "'\(text)' is not 2, 3 or 4")
      }
      digits = count
    }
  }

  /// The names of the words of a campaign report: those of a question, and the currency of its money.
  package static let reportWordNames = wordNames + ["currency"]

  /// Reads the currency that foreign money is turned into; `nil` where none is named.
  ///
  /// - Throws: ``QueryError`` for a code that is not listed.
  package static func currency(words: [String: String]) throws(QueryError) -> CurrencyCode? {
    guard let text = words["currency"] else { return nil }
    guard let currency = CurrencyCode(anyCase: text) else {
      throw QueryError(name: "currency", detail: "'\(text)' is not one of ISO 4217, such as USD")
    }
    return currency
  }

  private static func day(_ name: String, _ words: [String: String]) throws(QueryError) -> Day? {
    guard let text = words[name] else { return nil }
    guard let day = Day(text) else {
      throw QueryError(name: name, detail: "'\(text)' is not a date such as 2026-11-21 (UTC)")
    }
    return day
  }

  private static func list<Value>(
    _ text: String, _ read: (String) throws(QueryError) -> Value
  ) throws(QueryError) -> [Value] {
    var values: [Value] = []
    for word in text.split(separator: ",") { values.append(try read(String(word))) }
    return values
  }
}
