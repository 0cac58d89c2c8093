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
    case .json: try writeJSON(write)
    case .csv, .ndjson:
      for (index, study) in studies.enumerated() {
        try study.writeRows(study.columns, format, isFirst: index == 0, write)
      }
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
  /// The columns of rows without a heading above them.
  fileprivate var columns: [Column<Row>] {
    let (name, currency) = (variant.name, currency.text)
    return [
      Column("variant", "variant", "What was simulated.") { _ in Identifier(name) },
      Column("scope", "scope", "`campaign`, or `total` for all campaigns.") {
        $0.isTotal ? "total" : "campaign"
      },
      Self.campaign,
      Column("currency", "currency", "Currency of all amounts.") { _ in currency },
    ] + RunFigures.columns.map { $0.of(\.figures) }
  }

  static let campaign = Column<Row>("campaign", "campaign", "Campaign.") {
    $0.isTotal ? nil : Identifier($0.campaign)
  }

  /// Prints the campaigns and all together as they are read, some hundred at a time.
  ///
  /// - Throws: What `write` throws, or `FileError` where the figures cannot be read.
  func writeRows(
    _ columns: [Column<Row>], _ format: Format, isFirst: Bool = true, _ write: (String) throws -> Void
  ) throws {
    let sheet = Sheet(columns, held: [Row](), for: format)
    var renderer = format.renderer(for: sheet.headers, isFirst: isFirst)
    var rows: [Row] = []
    func pass() throws {
      let text = renderer.rows(sheet.vectors(of: rows), count: rows.count)
      rows.removeAll(keepingCapacity: true)
      if !text.isEmpty { try write(text) }
    }
    try write(renderer.begin())
    try forEachRow { row in
      rows.append(row)
      if rows.count == 256 { try pass() }
    }
    let total = Row(campaign: "", figures: total, isTotal: true)
    var ending = Ending()
    if format == .table { ending.total = sheet.cells(of: total) } else { rows.append(total) }
    try pass()
    try write(renderer.end(ending))
  }
}
