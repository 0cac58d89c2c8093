package import Arguments

/// In which form a report is printed, and which part of it; all reports share these parameters.
package struct Delivery: Query {
  package var format: Format?
  package var table: String?
  package var limit: Int?
  package var cursor: String?

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("format", \.format, "Output format."),
    .init(
      "table", \.table, "Table to print, for formats that hold one table.", as: .init(placeholder: "NAME")),
    .init("limit", \.limit, "Rows of a page.", in: 1...10_000),
    .init("cursor", \.cursor, "Start of the page: `next` of the page before."),
  ]
}

extension Format: ParameterValue {
  package static var placeholder: String { "FORMAT" }
}

/// A report without its types: what a list can hold and every surface is made from.
package struct ReportKind<Source>: Sendable, CustomStringConvertible {
  /// Takes a piece of the answer and returns whether more is wanted.
  package typealias Write = (String) -> Bool
  /// Answers a question that was read.
  package typealias Job = (Source, Delivery, _ isLate: () -> Bool, Write) throws -> Outcome

  /// What is known when all is written.
  package struct Outcome: Hashable, Sendable {
    /// Where the next page begins.
    package var cursor: String?
    package var isCheckFailed = false
  }

  package var description: String { name }
  package let name: String
  package let summary: String
  package let discussion: [String]
  package let examples: [Command.Example]
  /// The report's own parameters as options of a command, then those of its delivery that it has a use for.
  package let options: [Option]
  package let headers: [Header]
  package let details: [DetailHeader]
  package let pageSize: Int?
  package let isCheck: Bool
  /// Properties of the question, counted by reflection; a law compares them with the parameters.
  package let propertyCount: Int
  private let make: @Sendable ([String: [String]]) throws(ParameterError) -> Job

  package init<R: Report>(_ report: R.Type) where R.Source == Source {
    name = R.name
    summary = R.summary
    discussion = R.discussion
    examples = R.examples
    headers = R.columns.map(\.header)
    details = R.details
    pageSize = R.pageSize
    isCheck = R.isCheck
    propertyCount = Self.properties(of: R())
    let unused = (R.details.isEmpty ? ["--table"] : []) + (R.pageSize == nil ? ["--limit", "--cursor"] : [])
    options = R.options + Delivery.options.filter { !unused.contains($0.name) }
    make = { (texts) throws(ParameterError) in
      let question = try R(texts)
      return { source, delivery, isLate, write in
        try question.deliver(delivery, from: source, isLate: isLate, to: write)
      }
    }
  }

  private static func properties(of query: any Query) -> Int {
    Mirror(reflecting: query).children.reduce(0) {
      $0 + (($1.value as? any Query).map(Self.properties(of:)) ?? 1)
    }
  }

  /// Reads a question from the texts of each parameter, by name.
  ///
  /// - Throws: ``ParameterError`` for the first parameter that cannot be used.
  package func job(_ texts: [String: [String]]) throws(ParameterError) -> Job { try make(texts) }

  /// The names that a URL's query can have.
  package var parameterNames: [String] { options.map { String($0.name.dropFirst(2)) } }
}

extension Report {
  fileprivate func deliver(
    _ delivery: Delivery, from source: Source, isLate: () -> Bool, to write: (String) -> Bool
  ) throws -> ReportKind<Source>.Outcome {
    let format = delivery.format ?? .json
    let rows = try rows(from: source)
    var outcome = ReportKind<Source>.Outcome(isCheckFailed: rows.isCheckFailed)
    if let name = delivery.table, name != "rows" {
      guard let detail = rows.details.first(where: { $0.name == name }) else {
        throw ParameterError.unfit("table", found: name, .choice(["rows"] + Self.details.map(\.name)))
      }
      _ = write(detail.text(format))
      return outcome
    }
    let sheet = Sheet(shownColumns, held: rows.held, for: format)
    var renderer = format.renderer(for: sheet.headers, isFirst: delivery.cursor == nil)
    var (count, last): (Int, Row?) = (0, nil)
    var isWanted = write(renderer.begin())
    try rows.each(delivery.cursor) { row in
      if count == delivery.limit || (count > 0 && isLate()) { outcome.cursor = last.map(rows.place) }
      guard isWanted, outcome.cursor == nil else { return false }
      (count, last) = (count + 1, row)
      isWanted = write(renderer.row(sheet.cells(of: row)))
      return isWanted
    }
    var ending = Ending()
    ending.total = rows.total.map(sheet.cells)
    (ending.notes, ending.details, ending.next) = (rows.notes, rows.details, outcome.cursor)
    _ = write(renderer.end(ending))
    return outcome
  }
}
