import CSVText
import JSONText
public import Ledger
import Mappings
import Postbacks
import Values

/// A mistake in a file of spend, names, rates or networks' totals.
public struct ReferenceFileError: Error, Hashable, Sendable {
  /// The stable code of the mistake.
  public let code: String
  /// The line, from 1; for a JSON array the number of the element.
  public let line: Int
  /// What is wrong and what is allowed, in a sentence without a full stop.
  public let sentence: String
}

/// Reads files that advertisers export: CSV with a header, or JSON objects, one a line or in an array.
///
/// Columns are found by name, in any order and whatever their letter case; others are passed over.
public enum ReferenceFile {
  /// One row: its line and the texts of its columns; empty ones are left out.
  struct Row {
    let line: Int
    let texts: [String: String]

    func error(_ code: String, _ sentence: String) -> ReferenceFileError {
      ReferenceFileError(code: code, line: line, sentence: sentence)
    }

    func required(_ name: String) throws(ReferenceFileError) -> String {
      guard let text = texts[name] else { throw error("missing-\(name)", "the row has no \(name)") }
      return text
    }

    func day(_ name: String) throws(ReferenceFileError) -> Day? {
      guard let text = texts[name] else { return nil }
      guard let day = Day(text) else {
        throw error("invalid-\(name)", "the \(name) '\(text)' is not a date such as 2026-11-21")
      }
      return day
    }

    func network() throws(ReferenceFileError) -> String {
      guard let network = AdNetworkID(try required("network")) else {
        throw error("invalid-network", "the network is empty")
      }
      return network.canonical
    }

    func currency(_ name: String) throws(ReferenceFileError) -> String {
      let text = try required(name)
      guard let currency = CurrencyCode(anyCase: text) else {
        throw error("currency-not-listed", "the \(name) '\(text)' is not one of ISO 4217")
      }
      return currency.text
    }

    func rate(_ name: String) throws(ReferenceFileError) -> Int64 {
      let text = try required(name)
      // A rate is read as a millionfold amount, which has twelve decimals then.
      guard !text.lowercased().contains("e"), let rate = try? Amount(decimal: text + "e6"), rate > .zero
      else {
        throw error(
          "invalid-rate",
          "the \(name) '\(text)' is not a number above zero and below 9223372 with at most twelve decimals, such as 1.0837"
        )
      }
      return rate.micros
    }

    func amount(_ name: String) throws(ReferenceFileError) -> Int64 {
      let text = try required(name)
      do throws(Amount.Defect) { return try Amount(decimal: text).micros } catch {
        throw self.error(error.rawValue, "the \(name) '\(text)': \(error.sentence)")
      }
    }
  }

  /// Reads spend: `date`, `network`, `campaign`, `amount`, `currency`, and optionally `app`.
  ///
  /// Rows of the same day, network, campaign, app and currency are added up.
  public static func spend(_ bytes: [UInt8]) throws(ReferenceFileError) -> [SpendRow] {
    struct Key: Hashable {
      let day: Day
      let network: String
      let campaign: String
      let app: Int64?
      let currency: String
    }
    var order: [Key] = []
    var sums: [Key: Int64] = [:]
    for row in try rows(
      bytes, required: ["date", "network", "campaign", "amount", "currency"], optional: ["app"])
    {
      guard let day = try row.day("date") else { throw row.error("missing-date", "the row has no date") }
      let micros = try row.amount("amount")
      guard micros >= 0 else { throw row.error("negative-amount", "the amount is below zero") }
      var app: Int64?
      if let text = row.texts["app"] {
        guard let number = Int64(text), number > 0 else {
          throw row.error("invalid-app", "the app '\(text)' is not an App Store number")
        }
        app = number
      }
      let key = Key(
        day: day, network: try row.network(), campaign: try row.required("campaign"), app: app,
        currency: try row.currency("currency"))
      if sums[key] == nil { order.append(key) }
      let (sum, overflow) = sums[key, default: 0].addingReportingOverflow(micros)
      guard !overflow else { throw row.error("amount-too-large", "the sum of the day does not fit") }
      sums[key] = sum
    }
    return order.map { key in
      SpendRow(
        day: key.day, network: key.network, campaign: key.campaign, app: key.app, currency: key.currency,
        micros: sums[key] ?? 0)
    }
  }

  /// Reads names: `network`, `campaign`, `from`, `name`, and optionally `to`, `ad-set`, `creative`, `country`.
  public static func names(_ bytes: [UInt8]) throws(ReferenceFileError) -> [CampaignNameRow] {
    var names: [CampaignNameRow] = []
    var seen: Set<[String]> = []
    for row in try rows(
      bytes, required: ["network", "campaign", "from", "name"],
      optional: ["to", "ad-set", "creative", "country"])
    {
      let campaign = try row.required("campaign")
      guard (1...4).contains(campaign.utf8.count), campaign.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else {
        throw row.error(
          "invalid-campaign",
          "the campaign '\(campaign)' is neither a campaign id nor two to four digits of a source identifier")
      }
      guard let from = try row.day("from") else { throw row.error("missing-from", "the row has no from") }
      let to = try row.day("to")
      if let to, to <= from {
        throw row.error("empty-range", "the days end on \(to), which does not come after \(from)")
      }
      let name = CampaignNameRow(
        network: try row.network(), campaign: campaign, from: from, to: to, name: try row.required("name"),
        adSet: row.texts["ad-set"], creative: row.texts["creative"], country: row.texts["country"])
      guard seen.insert([name.network, campaign, "\(from)"]).inserted else {
        throw row.error("repeated-row", "another row names this campaign from the same day")
      }
      names.append(name)
    }
    return names
  }

  /// Reads rates: `date`, `currency`, `quote`, `rate`; one unit of `currency` is worth `rate` of `quote`.
  public static func rates(_ bytes: [UInt8]) throws(ReferenceFileError) -> [RateRow] {
    var rates: [RateRow] = []
    var seen: Set<[String]> = []
    for row in try rows(bytes, required: ["date", "currency", "quote", "rate"], optional: []) {
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
    }
    return rates
  }

  static func rows(_ bytes: [UInt8], required: [String], optional: [String])
    throws(ReferenceFileError) -> [Row]
  {
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    switch first {
    case UInt8(ascii: "["): return try array(bytes, required + optional)
    case UInt8(ascii: "{"): return try lines(bytes, required + optional)
    default: return try table(bytes, required, optional)
    }
  }

  private static func table(_ bytes: [UInt8], _ required: [String], _ optional: [String])
    throws(ReferenceFileError) -> [Row]
  {
    let records: [CSVReader.Record]
    do throws(CSVReader.Defect) {
      var reader = CSVReader()
      records = try reader.append(bytes) + reader.finish()
    } catch {
      throw ReferenceFileError(
        code: error.reason.rawValue, line: error.line, sentence: error.reason.sentence)
    }
    guard let header = records.first else {
      throw ReferenceFileError(code: "no-header", line: 1, sentence: "the file is empty; it needs a header")
    }
    var places: [String: Int] = [:]
    for (index, name) in header.cells.enumerated() {
      let name = name.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" }).joined(separator: "-")
      guard required.contains(name) || optional.contains(name) else { continue }
      guard places.updateValue(index, forKey: name) == nil else {
        throw ReferenceFileError(
          code: "repeated-column", line: header.line, sentence: "the header has '\(name)' twice")
      }
    }
    for name in required where places[name] == nil {
      throw ReferenceFileError(
        code: "missing-column", line: header.line,
        sentence: "the header has no column '\(name)'; it needs \(required.joined(separator: ", "))")
    }
    var rows: [Row] = []
    for record in records.dropFirst() {
      guard record.cells.count == header.cells.count else {
        throw ReferenceFileError(
          code: "wrong-number-of-cells", line: record.line,
          sentence: "the row has \(record.cells.count) cells, the header \(header.cells.count)")
      }
      rows.append(
        Row(line: record.line, texts: places.mapValues { record.cells[$0] }.filter { !$0.value.isEmpty }))
    }
    return rows
  }

  private static func lines(_ bytes: [UInt8], _ names: [String]) throws(ReferenceFileError) -> [Row] {
    var rows: [Row] = []
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
      let node: JSONNode
      do throws(JSONDefect) { node = try JSONReader.read(Array(line)) } catch {
        throw ReferenceFileError(
          code: error.code, line: index + 1,
          sentence: "the line is not JSON: \(error.diagnosis(in: Array(line), isLine: true).text)")
      }
      rows.append(try row(node, names, line: index + 1))
    }
    return rows
  }

  private static func array(_ bytes: [UInt8], _ names: [String]) throws(ReferenceFileError) -> [Row] {
    let root: JSONNode
    do throws(JSONDefect) { root = try JSONReader.read(bytes) } catch {
      throw ReferenceFileError(
        code: error.code, line: error.position(in: bytes).line,
        sentence: "the file is not JSON: \(error.diagnosis(in: bytes).text)")
    }
    guard case .array(let elements) = root.value else { return [] }
    var rows: [Row] = []
    for (index, element) in elements.enumerated() { rows.append(try row(element, names, line: index + 1)) }
    return rows
  }

  private static func row(_ node: JSONNode, _ names: [String], line: Int) throws(ReferenceFileError) -> Row {
    var subject = "a row"
    do throws(JSONProblem) {
      let members = try JSONPlace(node).members()
      var texts: [String: String] = [:]
      for name in names {
        subject = quoted(name)
        let text = try members[name]?.cell()
        texts[name] = text?.isEmpty == true ? nil : text
      }
      return Row(line: line, texts: texts)
    } catch {
      throw ReferenceFileError(code: "wrong-type", line: line, sentence: "\(subject) \(error.predicate)")
    }
  }
}
