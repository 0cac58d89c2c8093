import CSVText
import JSONText
import Values
package import Tables

extension SimulationReport {
  /// The report in one of the formats; it ends with a line break.
  package func text(_ format: Format) -> String {
    switch format {
    case .table: table
    case .csv: csv
    case .json: json.text(pretty: true) + "\n"
    case .ndjson: studies.flatMap(\.lines).map { $0.text() + "\n" }.joined()
    }
  }

  private var csv: String {
    let titles = ["variant", "scope", "campaign", "currency"] + Measure.all.map(\.name)
    return CSV.line(titles.map { .string($0) }) + studies.map(\.csv).joined()
  }
}

extension VariantStudy {
  fileprivate var csv: String {
    func line(_ campaign: String?, _ figures: RunFigures) -> String {
      CSV.line(
        [
          .string(variant.name), .verbatim(campaign == nil ? "total" : "campaign"),
          campaign.map { .string($0) } ?? .none, .verbatim(currency.text),
        ] + Measure.all.map { $0.figure(figures).cell })
    }
    return rows.map { line($0.campaign, $0.figures) }.joined() + line(nil, total)
  }

  /// The rows of CSV as objects.
  fileprivate var lines: [JSONOutput] {
    func line(_ campaign: String?, _ figures: RunFigures) -> JSONOutput {
      .object(
        [
          .init("variant", .string(variant.name)), .init("scope", campaign == nil ? "total" : "campaign"),
          .init("campaign", .optional(campaign)), .init("currency", .string(currency.text)),
        ] + figures.members)
    }
    return rows.map { line($0.campaign, $0.figures) } + [line(nil, total)]
  }
}

extension RunFigures {
  /// Every measure as a member of a JSON object.
  var members: [JSONOutput.Member] { Measure.all.map { .init($0.name, $0.figure(self).json) } }
}
