package import Arguments
import Estimates
package import Ledger
package import MappingLibrary
import Mappings
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
    let campaign = try CampaignQuery(words: words.filter { $0.key != "from" && $0.key != "to" })
    self.init(
      environment: campaign.environment, from: try Self.moment("from", words),
      to: try Self.moment("to", words), apps: campaign.apps, networks: campaign.networks)
  }

  private static func moment(_ name: String, _ words: [String: String]) throws(ParameterError) -> Instant? {
    guard let text = words[name] else { return nil }
    guard let moment = Instant(text) else {
      throw ParameterError(name, "'\(text)' is not a date or time such as 2026-11-21 or 2026-11-21T12:00:00Z")
    }
    return moment
  }
}

extension EstimateQuery {
  /// The names of the words that ``init(words:)`` understands.
  package static let wordNames = [
    "from", "to", "by", "app", "network", "null-is-zero", "environment", "digits", "event", "estimator",
    "seed",
  ]

  /// Reads a question from words.
  ///
  /// - Parameter words: `from` and `to` (UTC dates), `by` (`campaign` or `day`), `app`, `network`, `null-is-zero` (each
  ///   comma-separated), `environment`, `digits` (2 through 4), `event`, `estimator`, `seed`.
  /// - Throws: ``ParameterError`` for the first word that can't be understood.
  package init(words: [String: String]) throws(ParameterError) {
    self.init()
    let campaign = try CampaignQuery(words: words.filter { $0.key != "by" })
    (environment, from, to, apps) = (campaign.environment, campaign.from, campaign.to, campaign.apps)
    digits = campaign.digits ?? 2
    networks = Self.list(words["network"])
    zeroMeansNull = Set(Self.list(words["null-is-zero"]))
    switch words["by"] {
    case "campaign", nil: byDay = false
    case "day": byDay = true
    case let text?: throw ParameterError("by", "'\(text)' is none of campaign, day")
    }
    event = words["event"]
    if event == "" { throw ParameterError("event", "it is empty") }
    if let text = words["estimator"] {
      guard let found = Estimator.all.first(where: { $0.name == text }) else {
        let all = Estimator.all.map(\.name).joined(separator: ", ")
        throw ParameterError("estimator", "'\(text)' is none of \(all)")
      }
      estimator = found
    }
    if let text = words["seed"] {
      guard let number = Int64(text), number >= 0 else {
        throw ParameterError("seed", "'\(text)' is not a whole number, 0 or more")
      }
      seed = UInt64(number)
    }
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.lowercased() }
  }
}

extension MappingCatalog {
  /// The events that any mapping knows.
  package var eventNames: Set<String> {
    histories.values.reduce(into: Set<String>()) { names, history in
      for mapping in history.versions { names.formUnion(mapping.eventNames) }
    }
  }
}
