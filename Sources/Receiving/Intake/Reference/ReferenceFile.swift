public import Ledger
import Values
public import Postbacks

/// A mistake in a file of spend, names, rates or networks' totals.
public struct ReferenceFileError: Error, Hashable, Sendable {
  public let code: String
  /// The line, from 1; for a JSON array the number of the element.
  public let line: Int
  /// What is wrong and what is allowed, in a sentence without a full stop.
  public let sentence: String
}

/// The mistakes of a file: the first one ends the reading, or several are collected.
public struct ReferenceMistakes: Sendable {
  /// The mistakes so far, in the order of lines.
  public private(set) var found: [ReferenceFileError] = []
  /// How many mistakes end the reading.
  let most: Int

  /// Collects up to a number of mistakes, at least 1.
  public init(most: Int) { self.most = max(1, most) }

  /// Takes note of a mistake.
  ///
  /// - Throws: The mistake where it is one too many.
  mutating func take(_ error: ReferenceFileError) throws(ReferenceFileError) {
    found.append(error)
    if found.count >= most { throw error }
  }
}

/// Reads files that advertisers export: CSV with a header, or JSON objects, one a line or in an array.
///
/// Text is UTF-8 or UTF-16. Cells are separated by commas, semicolons or tabs. Columns are found by name, in any order and whatever their letter case; others are passed over.
public enum ReferenceFile {
  /// Reads spend: `date`, `network`, `campaign`, `amount`, `currency`, and optionally `app`, `impressions`, `clicks`.
  ///
  /// Rows of the same day, network, campaign, app and currency are added up.
  ///
  /// - Throws: The first mistake.
  public static func spend(_ bytes: [UInt8], of environment: Environment = .production)
    throws(ReferenceFileError) -> [SpendRow]
  {
    var mistakes = ReferenceMistakes(most: 1)
    return try spend(bytes, of: environment, &mistakes)
  }

  /// Reads spend and goes on after a mistake; rows count only where there is none.
  ///
  /// - Throws: A mistake of the whole file, or one too many.
  public static func spend(
    _ bytes: [UInt8], of environment: Environment, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> [SpendRow] {
    struct Key: Hashable {
      let day: Day
      let network: String
      let campaign: String
      let app: Int64?
      let currency: String
    }
    var order: [Key] = []
    var sums: [Key: (line: Int, micros: Int64, impressions: Int64?, clicks: Int64?)] = [:]
    for row in try rows(
      bytes, required: ["date", "network", "campaign", "amount", "currency"],
      optional: ["app", "impressions", "clicks"], mistakes: &mistakes)
    {
      do throws(ReferenceFileError) {
        guard let day = try row.day("date") else { throw row.error("missing-date", "the row has no date") }
        let micros = try row.amount("amount")
        guard micros >= 0 else { throw row.error("negative-amount", "the amount is below zero") }
        let app = try row.app("app")
        let key = Key(
          day: day, network: try row.network(), campaign: try row.required("campaign"), app: app,
          currency: try row.currency("currency"))
        let impressions = try row.whole("impressions")
        let clicks = try row.whole("clicks")
        guard let before = sums[key] else {
          order.append(key)
          sums[key] = (row.line, micros, impressions, clicks)
          continue
        }
        let (sum, overflow) = before.micros.addingReportingOverflow(micros)
        guard !overflow else { throw row.error("amount-too-large", "the sum of the day does not fit") }
        sums[key] = (
          before.line, sum,
          try row.sum("impressions", before.impressions, impressions, line: before.line),
          try row.sum("clicks", before.clicks, clicks, line: before.line)
        )
      } catch {
        try mistakes.take(error)
      }
    }
    return order.compactMap { key in
      sums[key].map {
        SpendRow(
          day: key.day, network: key.network, campaign: key.campaign, app: key.app, currency: key.currency,
          micros: $0.micros, impressions: $0.impressions, clicks: $0.clicks, environment: environment)
      }
    }
  }

  /// Reads names: `network`, `campaign`, `from`, `name`, and optionally `app`, `to`, `ad-set`, `creative`, `country`.
  ///
  /// A row without a campaign names the network.
  ///
  /// - Throws: The first mistake.
  public static func names(_ bytes: [UInt8]) throws(ReferenceFileError) -> [CampaignNameRow] {
    var mistakes = ReferenceMistakes(most: 1)
    return try names(bytes, &mistakes)
  }

  /// Reads names and goes on after a mistake; rows count only where there is none.
  ///
  /// - Throws: A mistake of the whole file, or one too many.
  public static func names(_ bytes: [UInt8], _ mistakes: inout ReferenceMistakes) throws(ReferenceFileError)
    -> [CampaignNameRow]
  {
    var names: [CampaignNameRow] = []
    var seen: Set<[String]> = []
    for row in try rows(
      bytes, required: ["network", "campaign", "from", "name"],
      optional: ["app", "to", "ad-set", "creative", "country"], mistakes: &mistakes)
    {
      do throws(ReferenceFileError) {
        let campaign = row.texts["campaign"] ?? ""
        guard (0...4).contains(campaign.utf8.count), campaign.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
          throw row.error(
            "invalid-campaign",
            "the campaign '\(campaign)' is neither a campaign id nor two to four digits of a source identifier"
          )
        }
        let app = try row.app("app")
        guard app == nil || !campaign.isEmpty else {
          throw row.error("network-of-app", "the row names a network, which is of no app; leave out the app")
        }
        guard let from = try row.day("from") else { throw row.error("missing-from", "the row has no from") }
        let to = try row.day("to")
        if let to, to <= from {
          throw row.error("empty-range", "the days end on \(to), which does not come after \(from)")
        }
        let name = CampaignNameRow(
          network: try row.network(), campaign: campaign, app: app, from: from, to: to,
          name: try row.required("name"), adSet: row.texts["ad-set"], creative: row.texts["creative"],
          country: row.texts["country"])
        guard seen.insert([name.network, campaign, app.map { "\($0)" } ?? "", "\(from)"]).inserted else {
          throw row.error("repeated-row", "another row names this campaign of the same app from the same day")
        }
        names.append(name)
      } catch {
        try mistakes.take(error)
      }
    }
    return names
  }

  /// Reads rates: `date`, `currency`, `quote`, `rate`; one unit of `currency` is worth `rate` of `quote`.
  ///
  /// - Throws: The first mistake.
  public static func rates(_ bytes: [UInt8]) throws(ReferenceFileError) -> [RateRow] {
    var mistakes = ReferenceMistakes(most: 1)
    return try rates(bytes, &mistakes)
  }

  /// Reads rates and goes on after a mistake; rows count only where there is none.
  ///
  /// - Throws: A mistake of the whole file, or one too many.
  public static func rates(_ bytes: [UInt8], _ mistakes: inout ReferenceMistakes) throws(ReferenceFileError)
    -> [RateRow]
  {
    var rates: [RateRow] = []
    var seen: Set<[String]> = []
    for row in try rows(
      bytes, required: ["date", "currency", "quote", "rate"], optional: [], mistakes: &mistakes)
    {
      do throws(ReferenceFileError) {
        guard let day = try row.day("date") else { throw row.error("missing-date", "the row has no date") }
        let picos = try row.rate("rate")
        let (currency, quote) = (try row.currency("currency"), try row.currency("quote"))
        guard currency != quote else {
          throw row.error("same-currency", "the rate is between \(currency) and itself")
        }
        guard seen.insert(["\(day)", "\(currency)", "\(quote)"]).inserted else {
          throw row.error("repeated-row", "another row has the rate of this day and pair")
        }
        rates.append(RateRow(day: day, currency: currency, quote: quote, picos: picos))
      } catch {
        try mistakes.take(error)
      }
    }
    return rates
  }
}
