import Ledger
import Tables
import Values

// Columns on request: shares of the total, and the figures of other days.

extension CampaignReport {
  private typealias Line = CampaignTable.Line

  /// A part of the total; `nil` where the total is nothing or the part is no part of it, such as a loss.
  private static func share(_ part: Int64?, of whole: Int64?) -> Share? {
    guard let part, let whole, whole > 0, (0...whole).contains(part) else { return nil }
    return Share(part, of: whole)
  }

  static let shares: [Column<CampaignTable.Line>] = [
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
    },
    .each(
      "share-of-spend-{}", "spend {} %", "Part of the total's spend, that of no row included.",
      shown: .onRequestWithTotal, keys: { $0.table.spending.currencies.map(\.text) }
    ) { line, currency in
      share(
        line.figures.efficiency(currency)?.spend.micros,
        of: line.table.totalFigures.efficiency(currency)?.spend.micros)
    },
  ]

  static let comparison: [Column<CampaignTable.Line>] =
    CampaignMeasure.all.filter {
      ["postbacks", "installs", "redownloads", "re-engagements"].contains($0.name)
    }
    .flatMap { measure in
      compared(measure.name, measure.title) { measure.value($0.counts) }
    }
    + compared("revenue-mid-{}", "{}", keys: { $0.currencies }) {
      $0.revenue($1)?.representative
    }
    + compared("spend-{}", "spend {}", keys: spendCurrencies) { $0.efficiency($1)?.spend }
    + compared("ecpi-{}", "eCPI {}", keys: spendCurrencies) { $0.efficiency($1)?.costPerInstall }
    + compared("roas-mid-{}", "ROAS {}", keys: spendCurrencies) { $0.efficiency($1)?.representative }

  private static let spendCurrencies: @Sendable (CampaignTable) -> [String] = {
    $0.spending.currencies.map(\.text)
  }

  private static let help: (earlier: Sentence.Words, change: Sentence.Words, relative: Sentence.Words) = (
    earlier: "The same in the days compared with; none where they have no such row.",
    change: "How much more it is; none where one of both has no such row.",
    relative: "The same as part of the figure of the days compared with; none where that is nothing."
  )

  private static func compared(
    _ name: String, _ title: Sentence.Words, _ value: @escaping @Sendable (CampaignFigures) -> Int64?
  ) -> [Column<Line>] {
    let pair = { @Sendable (line: Line) in Pair(line, value) }
    return [
      Column("previous-\(name)", "previous \(Sentence(title))", help.earlier, shown: .onRequestWithTotal) {
        $0.earlier.flatMap(value)
      },
      Column("change-\(name)", "change", help.change, shown: .onRequestWithTotal) { pair($0)?.difference },
      Column("relative-change-\(name)", "change %", help.relative, shown: .onRequestWithTotal) {
        pair($0)?.relative
      },
    ]
  }

  private static func compared(
    _ name: String, _ title: Sentence.Words, keys: @escaping @Sendable (CampaignTable) -> [String],
    _ value: @escaping @Sendable (CampaignFigures, String) -> Amount?
  ) -> [Column<Line>] {
    let allKeys = { @Sendable (line: Line) in keys(line.table) + (line.earlierTable.map(keys) ?? []) }
    let pair = { @Sendable (line: Line, key: String) in Pair(line) { value($0, key)?.micros } }
    return [
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
  }

  /// A figure of a row in the report's days and in those compared with.
  private struct Pair {
    private let now: Int64
    private let before: Int64

    /// - Returns: `nil` where either does not have it.
    init?(_ line: Line, _ value: (CampaignFigures) -> Int64?) {
      guard line.isCurrent, let earlier = line.earlier, let now = value(line.figures),
        let before = value(earlier)
      else { return nil }
      (self.now, self.before) = (now, before)
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
