import EstimateReports
import Estimates
import Markup
import Pages
import Tables
import Values

/// What the estimates of an answer rest on.
enum EstimateBasis {
  /// The moment of the estimates, where newer conversions are not in them yet.
  static func asOf(_ answer: ReportAnswer<EstimateReport>, _ texts: Texts) -> HTML {
    answer.rows(of: EstimateReport.basis).first?.isWithoutNewerThan.map { asOf($0, texts) } ?? ""
  }

  static func asOf(_ moment: Instant, _ texts: Texts) -> HTML {
    Panel.banner(texts.estimatesAsOf(time: Marks.moment(moment)), .note)
  }

  static func markup(_ answer: ReportAnswer<EstimateReport>, _ texts: Texts) -> HTML {
    typealias Basis = EstimateReport.Basis
    guard let basis = answer.rows(of: EstimateReport.basis).first else { return "" }
    func entry(_ column: Column<Basis>, _ value: HTML? = nil) -> (HTML, HTML) {
      let shown = value ?? Marks.cell(column.cell(of: basis), column.header.kind, texts)
      return (texts.say(phrase: column.header.title), shown)
    }
    return Panel.section(
      "basis", texts.estimatesBasis,
      Panel.list([
        entry(Basis.horizons, texts.list(basis.horizons.map { HeadlineCards.word($0, texts) })),
        entry(Basis.ownUsers), entry(Basis.withoutMapping),
      ]))
  }
}
