import CSVText
import Values

/// What can be imported of the names that networks sent, as a file of names, and what needs a person first.
package struct ProposedNames {
  /// The only names of their campaigns.
  package let rows: [SentNameReport.Row]
  /// Names of campaigns that have several.
  package let several: [SentNameReport.Row]
  /// Names of digits that are the last ones of a longer campaign.
  package let shortForms: Int

  package init(_ rows: [SentNameReport.Row]) {
    self.rows = rows.filter { $0.state == .proposed }
    several = rows.filter { $0.state == .severalNames }
    shortForms = rows.count { $0.state == .shortForm }
  }

  /// Days from an install to the last postback of it: 35 of three windows, and up to six until it is sent.
  ///
  /// Source: Apple, "Receiving postbacks in multiple conversion windows".
  package static let leadDays: Int32 = 42

  /// CSV for the import of names; the import passes over the columns of the evidence.
  package var file: String {
    let header = [
      "network", "campaign", "app", "from", "name", "ad-set", "creative", "number", "postbacks",
      "since", "until", "senders",
    ]
    return CSV.line(header.map { .verbatim($0) }) + rows.map(Self.line).joined()
  }

  private static func line(_ row: SentNameReport.Row) -> String {
    let from = Day(number: row.first.day.number - leadDays)
    func cell(_ text: String?) -> CSV.Cell { text.map { .string($0) } ?? .none }
    let named: [CSV.Cell] = [
      .string(row.network), .verbatim(row.campaign), .integer(row.app), .verbatim("\(from)"),
      .string(row.name),
      cell(row.adSet), cell(row.creative), cell(row.campaignIDs.count == 1 ? row.campaignIDs[0] : nil),
    ]
    let evidence: [CSV.Cell] = [
      .integer(row.postbacks), .verbatim("\(row.first)"), .verbatim("\(row.last)"),
      .string(row.senders.joined(separator: "; ")),
    ]
    return CSV.line(named + evidence)
  }
}
