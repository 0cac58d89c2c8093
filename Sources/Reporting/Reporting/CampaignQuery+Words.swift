package import Arguments
package import Ledger
import Postbacks
package import Values
import Verification

extension CampaignQuery {
  /// The names of the words that ``init(words:)`` understands.
  package static let wordNames = ["from", "to", "by", "app", "network", "environment", "digits"]

  /// Reads a question from words, as the command line and the query of a URL have them.
  ///
  /// - Parameter words: `from` and `to` (UTC dates; `to` is the first day that is left out), `by` (dimensions,
  ///   comma-separated), `app`, `network` (each comma-separated), `environment`, `digits` (2 through 4).
  /// - Throws: ``ParameterError`` for the first word that can't be understood.
  package init(words: [String: String]) throws(ParameterError) {
    self.init()
    from = try Self.day("from", words)
    to = try Self.day("to", words)
    if let from, let to, from >= to {
      throw ParameterError(
        "to", "'\(to)' leaves no day: it is the first day left out and must come after \(from)")
    }
    if let text = words["by"] {
      dimensions = try Self.list(text) { word throws(ParameterError) in
        guard let dimension = CampaignDimension(rawValue: word) else {
          let all = CampaignDimension.allCases.map(\.rawValue).joined(separator: ", ")
          throw ParameterError("by", "'\(word)' is none of \(all)")
        }
        return dimension
      }
      if let twice = dimensions.indices.first(where: { dimensions[..<$0].contains(dimensions[$0]) }) {
        throw ParameterError("by", "'\(dimensions[twice].rawValue)' is there twice")
      }
    }
    apps = try Self.list(words["app"] ?? "") { word throws(ParameterError) in
      guard let number = Int64(word), let app = AppID(number) else {
        throw ParameterError("app", "'\(word)' is not an App Store number, such as 525463029")
      }
      return app
    }
    networks = try Self.list(words["network"] ?? "") { word throws(ParameterError) in
      guard let network = AdNetworkID(word) else { throw ParameterError("network", "it is empty") }
      return network
    }
    if let text = words["environment"] {
      guard let found = Environment(rawValue: text) else {
        let all = Environment.allCases.map(\.rawValue).joined(separator: ", ")
        throw ParameterError("environment", "'\(text)' is none of \(all)")
      }
      environment = found
    }
    if let text = words["digits"] {
      guard let count = Int(text), (2...4).contains(count) else {
        throw ParameterError("digits", "'\(text)' is not 2, 3 or 4")
      }
      digits = count
    }
  }

  /// The names of the words of a campaign report: those of a question, and the currency of its money.
  package static let reportWordNames = wordNames + ["currency"]

  /// Reads the currency that foreign money is turned into; `nil` where none is named.
  ///
  /// - Throws: ``ParameterError`` for a code that is not listed.
  package static func currency(words: [String: String]) throws(ParameterError) -> CurrencyCode? {
    guard let text = words["currency"] else { return nil }
    guard let currency = CurrencyCode(anyCase: text) else {
      throw ParameterError("currency", "'\(text)' is not one of ISO 4217, such as USD")
    }
    return currency
  }

  private static func day(_ name: String, _ words: [String: String]) throws(ParameterError) -> Day? {
    guard let text = words[name] else { return nil }
    guard let day = Day(text) else {
      throw ParameterError(name, "'\(text)' is not a date such as 2026-11-21 (UTC)")
    }
    return day
  }

  private static func list<Value>(
    _ text: String, _ read: (String) throws(ParameterError) -> Value
  ) throws(ParameterError) -> [Value] {
    var values: [Value] = []
    for word in text.split(separator: ",") { values.append(try read(String(word))) }
    return values
  }
}
