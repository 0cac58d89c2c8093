package import Arguments
package import Campaigns
import Ledger
import MappingLibrary
import Postbacks
package import Tables
package import Values

/// The rows of the report of postbacks that were stored last, with filters for the figures that they are behind.
package struct NewestPostbacks: Query {
  /// A value to look for: a fine one, a coarse one, or none.
  package struct Wanted: ParameterValue, Equatable {
    package static let kind = ValueKind.form(Sentence("0 to 63, low, medium, high or none"))
    package static let placeholder = "VALUE"
    let value: ConversionValue
    package let parameterText: String

    package init?(parameter text: String) {
      parameterText = text
      if text == "none" {
        value = .absent
      } else if let coarse = CoarseValue(rawValue: text) {
        value = .coarse(coarse)
      } else if let fine = Int64(text).flatMap({ FineValue($0) }) {
        value = .fine(fine)
      } else {
        return nil
      }
    }
  }

  package struct Happened: ParameterValue, Equatable {
    package static let kind = ValueKind.form(
      Sentence(name: Outcome.allCases.map(\.rawValue).joined(separator: ", ")))
    package static let placeholder = "OUTCOME"
    let outcome: Outcome
    package var parameterText: String { outcome.rawValue }

    package init?(parameter text: String) {
      guard let outcome = Outcome(rawValue: text) else { return nil }
      self.outcome = outcome
    }
  }

  package var campaign: String?
  package var digits: Int?
  package var window: Int?
  package var value: Wanted?
  package var outcome: Happened?
  /// The row before which postbacks are shown; `nil` for those stored last.
  package var before: Int?

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("campaign", \.campaign, "Digits of the campaign.") { (query) throws(ParameterError) in
      guard let campaign = query.campaign, Int64(campaign) == nil else { return }
      throw ParameterError(
        "campaign", Sentence("found '\(name: campaign)'; use the digits of a campaign."))
    },
    .init("digits", \.digits, "Last digits of a source identifier that the campaign has.", in: 2...4),
    .init("window", \.window, "Conversion window.", in: 1...3),
    .init("value", \.value, "Conversion value."),
    .init("outcome", \.outcome, "What happened."),
    .init("before", \.before, "Row before which postbacks are shown.", in: 1...(.max)),
  ]

  package struct Answer: Sendable {
    package let rows: [PostbackReport.Row]
    /// The row before which the next page is; `nil` where this is the last.
    package let next: Int?

    package var table: Table { Table("postbacks", PostbackReport.columns, rows: rows) }
  }

  /// The postbacks, the one stored last first.
  package func answer(
    _ days: Range<Day>?, _ scope: Scope, atMost limit: Int, from source: ReportSource
  ) throws -> Answer {
    var query = PostbackQuery(Period<Instant>(), scope)
    query.from = days?.lowerBound.start
    query.to = days?.upperBound.start
    var search = PostbackSearch(query)
    search.campaign = campaign
    search.digits = digits
    search.window = window.flatMap { ConversionWindow(rawValue: $0 - 1) }
    search.value = value?.value
    search.outcome = outcome?.outcome
    let rows = try source.reader.newestPostbacks(
      search, before: before.map { Int64($0) }, atMost: limit + 1)
    var decoder = PostbackDecoder(try MappingCatalog(from: source.reader))
    let shown = rows.prefix(limit).map { PostbackReport.Row(decoder.decode($0)) }
    return Answer(
      rows: shown,
      next: rows.count > limit ? shown.last.map { Int($0.postback.row) } : nil)
  }

  /// The number of the last row of all; it grows with every conversion.
  package static func lastRow(of source: ReportSource) throws -> Int64 {
    try source.reader.lastPostbackRow()
  }
}
