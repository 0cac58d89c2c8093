package import Arguments
package import Campaigns
import Ledger
import Mappings
import Postbacks
package import Tables
package import Values

/// The events that conversion values stand for, one by one.
package struct EventReport: Report {
  package var period = Period<Instant>()
  package var scope = Scope()

  package init() {}

  package static let name = "events"
  package static let summary = "Print the events that conversion values stand for, one row each."
  package static let discussion = [
    "One row for each event of each decoded conversion, in order of arrival. The money of a conversion is in its first "
      + "event's row, so that a sum counts it once.",
    "Rows come out while the database is read. Ctrl-C ends it after a whole row.",
  ]
  package static let examples: [Command.Example] = [
    .init("Print for a spreadsheet", "skan report events -d skan.db --format csv > events.csv")
  ]
  package static let pageSize: Int? = 1000
  package static let isStreamed = true
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope)

  /// An event of a conversion, or its money alone.
  package struct Row: Sendable {
    let conversion: PostbackReport.Row
    /// How many rows of the conversion there are up to this one.
    let number: Int
    let event: Expectation.EventEstimate?
    let money: RevenueEstimate?

    /// The rows of a conversion; its money is in the first.
    ///
    /// A value with money and without an event has a row without an event, so that no money is missing. What a later
    /// window repeats of an earlier one has none, so that no money is there twice.
    static func rows(of decoded: DecodedPostback) -> [Row] {
      let conversion = PostbackReport.Row(decoded)
      guard let worth = conversion.worth, decoded.addsUp else { return [] }
      let events: [Expectation.EventEstimate?] = worth.events
      return (events.isEmpty && !worth.revenue.isEmpty ? [nil] : events).enumerated().map { index, event in
        Row(
          conversion: conversion, number: index + 1, event: event, money: index == 0 ? conversion.money : nil)
      }
    }
  }

  package static let columns: [Column<Row>] =
    conversion("received-at", "environment", "app", "network", "campaign", "window") + [
      Column("event", "event", "Name of the event; none in a row of money alone.") { $0.event?.name },
      Column("probability", "probability", "How likely the user did it.") {
        $0.event.map { Share($0.probability) }
      },
      Column("min", "min", "Least number of times.") { $0.event?.min },
      Column("max", "max", "Most times; none for no limit.") { $0.event?.max },
      Column("currency", "currency", "Currency of the revenue, where there is one.") {
        $0.money?.currency.text
      },
      Column("revenue-low", "revenue low", "Least revenue; none for no limit.", shown: .forPrograms) {
        $0.money?.low
      },
      Column("revenue-mid", "revenue", "Revenue that stands for the value.") { $0.money?.representative },
      Column("revenue-high", "revenue high", "Most revenue; none for no limit.", shown: .forPrograms) {
        $0.money?.high
      },
    ] + conversion("certainty", "rule", "launch-earliest", "launch-latest", "id")

  /// Columns of the report on postbacks.
  private static func conversion(_ names: String...) -> [Column<Row>] {
    PostbackReport.columns.filter { names.contains($0.header.name) }.map { $0.of(\.conversion) }
  }

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let query = PostbackQuery(period, scope)
    var rows = Rows<Row>.stream {
      RowPlace(row: $0.conversion.postback.row, part: Int64($0.number))
    } _: { place, body in
      // The conversion of the place may have further events.
      try source.reader.forEachDecoded(query, after: max(0, (place?.row ?? 0) - 1)) { decoded in
        let printed = decoded.postback.row == place?.row ? Int(clamping: place?.part ?? 0) : 0
        return Row.rows(of: decoded).dropFirst(printed).allSatisfy(body)
      }
    }
    rows.notes = scope.environment.notes
    rows.noteIfEmpty = Sentence("no decoded events")
    return rows
  }
}
