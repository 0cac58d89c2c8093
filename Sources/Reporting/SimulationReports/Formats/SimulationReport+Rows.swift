import CSVText
import JSONText
package import Tables
import Values

/// Bytes of text that are written at once.
let writePiece = 1 << 20

extension SimulationReport {
  /// Writes the report in one of the formats, piece by piece, so that none has to be held whole; it ends with a line
  /// break.
  ///
  /// - Throws: What `write` throws, or `FileError` where the figures of campaigns cannot be read.
  package func write(_ format: Format, _ write: (String) throws -> Void) throws {
    switch format {
    case .table: try writeTable(write)
    case .csv:
      let titles = ["variant", "scope", "campaign", "currency"] + RunFigures.measures.map(\.name)
      try write(CSV.line(titles.map { .string($0) }))
      for study in studies { try study.writeLines(study.csvLine, write) }
    case .json: try writeJSON(write)
    case .ndjson: for study in studies { try study.writeLines(study.jsonLine, write) }
    }
  }

  /// The report in one of the formats; it ends with a line break.
  ///
  /// - Throws: `FileError` where the figures of campaigns cannot be read.
  package func text(_ format: Format) throws -> String {
    var text = ""
    try write(format) { text += $0 }
    return text
  }
}

extension VariantStudy {
  fileprivate func writeLines(
    _ line: (_ campaign: String?, _ figures: RunFigures) -> String, _ write: (String) throws -> Void
  ) throws {
    var text = ""
    try forEachRow { row in
      text += line(row.campaign, row.figures)
      guard text.utf8.count > writePiece else { return }
      try write(text)
      text = ""
    }
    try write(text + line(nil, total))
  }

  fileprivate func csvLine(_ campaign: String?, _ figures: RunFigures) -> String {
    CSV.line(
      [
        .string(variant.name), .verbatim(campaign == nil ? "total" : "campaign"),
        campaign.map { .string($0) } ?? .none, .verbatim(currency.text),
      ] + RunFigures.measures.map { $0.figure(figures).cell })
  }

  fileprivate func jsonLine(_ campaign: String?, _ figures: RunFigures) -> String {
    JSONOutput.object(
      [
        .init("variant", .string(variant.name)), .init("scope", campaign == nil ? "total" : "campaign"),
        .init("campaign", .optional(campaign)), .init("currency", .string(currency.text)),
      ] + figureMembers(RunFigures.measures, of: figures)
    ).text() + "\n"
  }
}
