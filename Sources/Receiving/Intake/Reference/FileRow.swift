package import Ledger
import Postbacks
package import Values

/// A row that files of advertisers have: its columns, and how it is read from their texts.
package protocol FileRow: ReferenceRow {
  static var requiredColumns: [String] { get }
  static var optionalColumns: [String] { get }
  init(_ row: ReferenceFile.Row) throws(ReferenceFileError)
  /// The days that the row is of, where they are others than those that were asked for; otherwise `nil`.
  func days(outside asked: Range<Day>) -> Sentence?
  /// Adds a later row of the same key, or rejects it; `line` is that of the earlier row.
  func adding(
    _ later: Self, in row: ReferenceFile.Row, to line: Int
  ) throws(ReferenceFileError) -> Self
}

/// A row of one UTC day.
package protocol DayRow: FileRow {
  var day: Day { get }
}

extension DayRow {
  package func days(outside asked: Range<Day>) -> Sentence? {
    asked.contains(day) ? nil : Sentence("\(day)")
  }
}

extension Range<Day> {
  /// The first and the last day, in words.
  package var words: Sentence {
    let last = Day(number: upperBound.number - 1)
    return last == lowerBound ? Sentence("\(lowerBound)") : Sentence("\(lowerBound) to \(last)")
  }
}

extension FileRow {
  package static var optionalColumns: [String] { [] }
}

extension SpendRow: DayRow {
  package static let requiredColumns = ["date", "network", "campaign", "amount", "currency"]
  package static let optionalColumns = ["app", "impressions", "clicks"]

  package init(_ row: ReferenceFile.Row) throws(ReferenceFileError) {
    let day = try row.requiredDay("date")
    let micros = try row.amount("amount")
    guard micros >= 0 else { throw row.error("negative-amount", Sentence("the amount is below zero")) }
    let app = try row.app("app")
    self.init(
      day: day, network: try row.network(), campaign: try row.required("campaign"), app: app,
      currency: try row.currency("currency"), micros: micros, impressions: try row.whole("impressions"),
      clicks: try row.whole("clicks"))
  }

  package func adding(
    _ later: Self, in row: ReferenceFile.Row, to line: Int
  ) throws(ReferenceFileError) -> Self {
    SpendRow(
      day: day, network: network, campaign: campaign, app: app, currency: currency,
      micros: try row.sum("amount", micros, later.micros, most: .max),
      impressions: try row.sum("impressions", impressions, later.impressions, line: line),
      clicks: try row.sum("clicks", clicks, later.clicks, line: line), environment: environment)
  }
}

/// A row without a campaign names the network; one with an app alone names the app.
extension CampaignNameRow: FileRow {
  package static let requiredColumns = ["from", "name"]
  package static let optionalColumns = [
    "network", "campaign", "app", "to", "ad-set", "creative", "country", "number",
  ]

  package init(_ row: ReferenceFile.Row) throws(ReferenceFileError) {
    let campaign = row.texts["campaign"] ?? ""
    guard (0...4).contains(campaign.utf8.count), campaign.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw row.error(
        "invalid-campaign",
        Sentence(
          "the campaign '\(name: campaign)' is neither a campaign id nor two to four digits of a source identifier"
        ))
    }
    let app = try row.app("app")
    // An app alone is what the row names; all else is of a network.
    let namesApp = row.texts["network"] == nil && campaign.isEmpty && app != nil
    let network = namesApp ? "" : try row.network()
    guard namesApp || app == nil || !campaign.isEmpty else {
      throw row.error(
        "network-of-app",
        Sentence(
          "the row names a network, which is of no app; leave out the app, or the network to name the app"))
    }
    let from = try row.requiredDay("from")
    let to = try row.day("to")
    if let to, to <= from {
      throw row.error(
        "empty-range", Sentence("the days end on \(to), which does not come after \(from)"))
    }
    self.init(
      network: network, campaign: campaign, app: app, from: from, to: to,
      name: try row.required("name"), adSet: row.texts["ad-set"], creative: row.texts["creative"],
      country: row.texts["country"], number: row.texts["number"])
  }
}

extension CampaignNameRow {
  package func adding(
    _ later: Self, in row: ReferenceFile.Row, to line: Int
  ) throws(ReferenceFileError) -> Self {
    throw row.error(
      "repeated-row", Sentence("another row names the same campaign, network or app from the same day"))
  }

  /// A name that ended before, or begins later than on the day after: what begins today is in a list of yesterday too.
  package func days(outside asked: Range<Day>) -> Sentence? {
    guard let to else { return from <= asked.upperBound ? nil : Sentence("\(from) on") }
    return from <= asked.upperBound && to > asked.lowerBound ? nil : (from..<to).words
  }
}

/// One unit of `currency` is worth `rate` of `quote`.
extension RateRow: DayRow {
  package static let requiredColumns = ["date", "currency", "quote", "rate"]

  package init(_ row: ReferenceFile.Row) throws(ReferenceFileError) {
    let day = try row.requiredDay("date")
    let picos = try row.rate("rate")
    let (currency, quote) = (try row.currency("currency"), try row.currency("quote"))
    guard currency != quote else {
      throw row.error(
        "same-currency", Sentence("the rate is between \(code: currency) and itself"))
    }
    self.init(day: day, currency: currency, quote: quote, picos: picos)
  }

  package func adding(
    _ later: Self, in row: ReferenceFile.Row, to line: Int
  ) throws(ReferenceFileError) -> Self {
    throw row.error("repeated-row", Sentence("another row has the rate of this day and pair"))
  }
}

extension NetworkTotalRow: DayRow {
  package static let requiredColumns = ["date", "network", "installs"]
  package static let optionalColumns = [
    "campaign", "redownloads", "postbacks", "conversions-with-value", "revenue", "currency",
  ]

  package init(_ row: ReferenceFile.Row) throws(ReferenceFileError) {
    let day = try row.requiredDay("date")
    self.init(
      day: day, network: try row.network(), campaign: row.texts["campaign"] ?? "",
      installs: try row.whole("installs", row.required("installs")))
    redownloads = try row.whole("redownloads")
    postbacks = try row.whole("postbacks")
    withValue = try row.whole("conversions-with-value")
    guard row.texts["revenue"] != nil else { return }
    micros = try row.amount("revenue")
    guard (micros ?? 0) >= 0 else {
      throw row.error("negative-revenue", Sentence("the revenue is below zero"))
    }
    currency = try row.currency("currency")
  }

  package func adding(
    _ later: Self, in row: ReferenceFile.Row, to line: Int
  ) throws(ReferenceFileError) -> Self {
    if let currency, let other = later.currency, currency != other {
      throw row.error(
        "two-currencies",
        Sentence(
          "this row and line \(line) are added up, and have revenue in \(code: currency) and in \(code: other); give one currency"
        ))
    }
    return NetworkTotalRow(
      day: day, network: network, campaign: campaign,
      installs: try row.sum("installs", installs, later.installs),
      redownloads: try row.sum("redownloads", redownloads, later.redownloads, line: line),
      postbacks: try row.sum("postbacks", postbacks, later.postbacks, line: line),
      withValue: try row.sum("conversions-with-value", withValue, later.withValue, line: line),
      micros: try row.sum("revenue", micros, later.micros, line: line, most: .max), currency: currency)
  }
}

extension OwnInstallsRow: DayRow {
  package static let requiredColumns = ["date", "app", "installs"]

  package init(_ row: ReferenceFile.Row) throws(ReferenceFileError) {
    let day = try row.requiredDay("date")
    let text = try row.required("app")
    guard let app = try row.app("app").flatMap({ AppID($0) }) else {
      throw row.error("invalid-app", Sentence("the app '\(name: text)' is not an App Store number"))
    }
    self.init(day: day, app: app, installs: try row.whole("installs", row.required("installs")))
  }

  package func adding(
    _ later: Self, in row: ReferenceFile.Row, to line: Int
  ) throws(ReferenceFileError) -> Self {
    OwnInstallsRow(day: day, app: app, installs: try row.sum("installs", installs, later.installs))
  }
}

/// What is left of the payments of a day; what was kept back before is stated beside it where it is known.
extension ProceedsRow: DayRow {
  package static let requiredColumns = ["date", "app", "proceeds", "currency"]
  package static let optionalColumns = ["commission", "refunds", "tax"]

  package init(_ row: ReferenceFile.Row) throws(ReferenceFileError) {
    let day = try row.requiredDay("date")
    let text = try row.required("app")
    guard let app = try row.app("app").flatMap({ AppID($0) }) else {
      throw row.error("invalid-app", Sentence("the app '\(name: text)' is not an App Store number"))
    }
    func keptBack(_ column: String) throws(ReferenceFileError) -> Int64? {
      guard row.texts[column] != nil else { return nil }
      let micros = try row.amount(column)
      guard micros >= 0 else {
        throw row.error(
          "negative-amount",
          Sentence("the \(code: column) is below zero; write what was kept back without a sign"))
      }
      return micros
    }
    self.init(
      day: day, app: app, currency: try row.currency("currency"), proceeds: try row.amount("proceeds"),
      commission: try keptBack("commission"), refunds: try keptBack("refunds"), tax: try keptBack("tax"))
  }

  package func adding(
    _ later: Self, in row: ReferenceFile.Row, to line: Int
  ) throws(ReferenceFileError) -> Self {
    ProceedsRow(
      day: day, app: app, currency: currency,
      proceeds: try row.sum("proceeds", proceeds, later.proceeds, most: .max),
      commission: try row.sum("commission", commission, later.commission, line: line, most: .max),
      refunds: try row.sum("refunds", refunds, later.refunds, line: line, most: .max),
      tax: try row.sum("tax", tax, later.tax, line: line, most: .max))
  }
}
