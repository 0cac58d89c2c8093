import Ledger
package import Tables
import Values

// Columns on request: shares of the total, and the figures of other days.

extension CampaignReport {
  /// A part of the total; `nil` where the total is nothing or the part is no part of it, such as a loss.
  private static func share(_ part: Int64?, of whole: Int64?) -> Share? {
    guard let part, let whole, whole > 0, (0...whole).contains(part) else { return nil }
    return Share(part, of: whole)
  }

  static let shares: [Column<Row>] = [
    Column(
      "share-of-postbacks", "postbacks %", "Part of the total's postbacks.", shown: .onRequestWithTotal
    ) {
      share($0.counts.postbacks, of: $0.table.total.postbacks)
    },
    Column("share-of-installs", "installs %", "Part of the total's installs.", shown: .onRequestWithTotal) {
      share($0.counts.installs, of: $0.table.total.installs)
    },
    .each(
      "share-of-revenue-{}", "{} %", "Part of the total's revenue (mid).", shown: .onRequestWithTotal,
      keys: \.table.currencies
    ) { line, currency in
      share(
        line.figures.revenue(currency)?.representative.micros,
        of: line.table.totalFigures.revenue(currency)?.representative.micros)
    }.needing(.meanings),
    .each(
      "share-of-spend-{}", "spend {} %", "Part of the total's spend, that of no row included.",
      shown: .onRequestWithTotal, keys: \.table.spending.currencies
    ) { line, currency in
      share(
        line.figures.efficiency(currency)?.spend.micros,
        of: line.table.totalFigures.efficiency(currency)?.spend.micros)
    }.needing(.spend),
  ]

  static let comparison: [Column<Row>] =
    [previousPostbacks, change(of: .postbacks), relativeChangeOfPostbacks]
    + [CampaignMeasure.installs, .redownloads, .reengagements].flatMap {
      [previous($0), change(of: $0), relativeChange(of: $0)]
    }
    + compared("revenue-mid-{}", "{}", .meanings, keys: \.currencies) { $0.revenue($1)?.representative }
    + compared("spend-{}", "spend {}", .spend, keys: \.spending.currencies) { $0.efficiency($1)?.spend }
    + compared("ecpi-{}", "eCPI {}", .spend, keys: \.spending.currencies) {
      $0.efficiency($1)?.costPerInstall
    }
    + compared("roas-mid-{}", "ROAS {}", [.spend, .meanings], keys: \.spending.currencies) {
      $0.efficiency($1)?.representative
    }
  package static let previousPostbacks = previous(.postbacks)
  package static let relativeChangeOfPostbacks = relativeChange(of: .postbacks)

  private static let help: (earlier: Sentence.Words, change: Sentence.Words, relative: Sentence.Words) = (
    earlier: "The same in the days compared with; none where they have no such row.",
    change: "How much more it is; none where one of both has no such row.",
    relative: "The same as part of the figure of the days compared with; none where that is nothing."
  )

  private static func previous(_ measure: CampaignMeasure) -> Column<Row> {
    Column(
      "previous-\(measure.name)", "previous \(Sentence(measure.title))", help.earlier,
      shown: .onRequestWithTotal
    ) { $0.earlier.map { measure.value($0.counts) } }
  }

  private static func change(of measure: CampaignMeasure) -> Column<Row> {
    Column("change-\(measure.name)", "change", help.change, shown: .onRequestWithTotal) {
      Pair($0, measure)?.difference
    }
  }

  private static func relativeChange(of measure: CampaignMeasure) -> Column<Row> {
    Column("relative-change-\(measure.name)", "change %", help.relative, shown: .onRequestWithTotal) {
      Pair($0, measure)?.relative
    }
  }

  private static func compared(
    _ name: String, _ title: Sentence.Words, _ parts: AnswerParts,
    keys: @escaping @Sendable (CampaignTable) -> [CurrencyCode],
    _ value: @escaping @Sendable (CampaignFigures, CurrencyCode) -> Amount?
  ) -> [Column<Row>] {
    let allKeys = { @Sendable (line: Row) in keys(line.table) + (line.earlierTable.map(keys) ?? []) }
    let pair = { @Sendable (line: Row, key: CurrencyCode) in Pair(line) { value($0, key)?.micros } }
    let columns: [Column<Row>] = [
      .each(
        "previous-\(name)", "previous \(Sentence(title))", help.earlier, shown: .onRequestWithTotal,
        keys: allKeys
      ) {
        line, key in line.earlier.flatMap { value($0, key) }
      },
      .each(
        "change-\(name)", "change \(Sentence(title))", help.change, shown: .onRequestWithTotal, keys: allKeys
      ) {
        pair($0, $1)?.difference.map { Amount(micros: $0) }
      },
      .each(
        "relative-change-\(name)", "change % \(Sentence(title))", help.relative, shown: .onRequestWithTotal,
        keys: allKeys
      ) { pair($0, $1)?.relative },
    ]
    return columns.map { $0.needing(parts) }
  }

  /// A figure of a row in the report's days and in those compared with.
  fileprivate struct Pair {
    private let now: Int64
    private let before: Int64

    /// - Returns: `nil` where either does not have it.
    init?(_ line: Row, _ value: (CampaignFigures) -> Int64?) {
      guard line.isCurrent, let earlier = line.earlier, let now = value(line.figures),
        let before = value(earlier)
      else { return nil }
      (self.now, self.before) = (now, before)
    }

    init?(_ line: Row, _ measure: CampaignMeasure) {
      self.init(line) { measure.value($0.counts) }
    }

    /// `nil` where it does not fit.
    var difference: Int64? {
      let (difference, overflow) = now.subtractingReportingOverflow(before)
      return overflow ? nil : difference
    }

    var relative: Change? {
      before == 0 ? nil : difference.map { Change(Double($0) / Double(before.magnitude)) }
    }
  }
}

extension CampaignTable.Line {
  /// How much more postbacks there are than in the days compared with; `nil` where one of both has no such row.
  package var relativeChangeOfPostbacks: Change? { CampaignReport.Pair(self, .postbacks)?.relative }
}
