import Arguments
import JSONText
package import Tables
import Values

extension AssistantTool {
  /// Rows of an answer where the call names no other number, and at most.
  static let usualRows = 50
  static let mostRows = 1000

  private static let limit = Option.value(
    "--limit", "N", .integer(1...mostRows), "Rows of a table at most.", default: "\(usualRows)")
  private static let cursor = Option.value(
    "--cursor", "CURSOR", .text,
    "Start of the rows: what the answer before has as next, with the same arguments.")

  /// What a call means that leaves arguments out, by the arguments that it has.
  package typealias Usual =
    @Sendable (AssistantSource, _ given: [String: [String]]) throws -> [String: [String]]

  /// Makes the tool of a report; `source` is what it is gathered from.
  ///
  /// - Parameter usual: The arguments in the place of those that a call leaves out.
  package init<Source>(
    _ kind: ReportKind<Source>, usual: Usual? = nil,
    source: @escaping @Sendable (AssistantSource) throws -> Source
  ) {
    let name = Self.name(ofCommand: kind.commandName)
    let more = [Self.limit] + (kind.pageSize == nil ? [] : [Self.cursor])
    self.init(
      name: name, title: String(kind.summary.drop { $0 == " " }.prefix { $0 != "." }),
      description: ([kind.summary] + kind.discussion).joined(separator: "\n\n"),
      argumentNames: (kind.questions + more).map { String($0.name.dropFirst(2)) },
      input: kind.questionSchema(adding: more), output: Self.schema(of: kind), guide: kind.markdown
    ) { (texts) throws(ParameterError) in
      var texts = texts
      let limit = try Self.rows(texts.removeValue(forKey: "limit"))
      let cursor = texts.removeValue(forKey: "cursor")
      if let cursor, cursor.count != 1 {
        throw ParameterError(
          "cursor", Sentence("found \(cursor.count) values; use what the answer before has as next."))
      }
      let ask = try kind.inquiry(texts)
      let given = texts
      return { tools in
        let asked =
          try usual.map {
            try kind.inquiry(given.merging($0(tools, given)) { own, _ in own })
          } ?? ask
        let answer = try asked(source(tools), limit, cursor?.first)
        return try Self.answer(answer, limit: limit, guide: Self.guideAddress(name))
      }
    }
  }

  private static func rows(_ texts: [String]?) throws(ParameterError) -> Int {
    guard let texts else { return usualRows }
    let text = texts.count == 1 ? texts[0] : texts.joined(separator: ",")
    guard limit.kind.allows(text), let number = Int(text) else {
      throw .unfit("limit", found: text, limit.kind)
    }
    return number
  }

  /// The report's document, with what its columns mean and how to get the rows that are not there.
  private static func answer(_ answer: ReportDocument, limit: Int, guide: String) throws -> Answer {
    let document = try JSONReader.read(Array(answer.text(.json, mostOfDetails: limit).utf8))
    let members =
      document.value.object?.members.map { JSONOutput.Member($0.name, JSONOutput($0.value.value)) } ?? []
    let details = answer.details.filter { !$0.rows.isEmpty }
    let columns =
      ColumnGuide.all(of: answer.rows.headers, in: "rows", at: guide)
      + details.flatMap { ColumnGuide.all(of: $0.headers, in: $0.name, at: guide) }
    let left = leftOut(of: answer, limit: limit)
    let structured = members + [.init("columns", .array(columns.map(\.json)))]
    let lines =
      ColumnGuide.all(of: answer.rows.headersForPeople, in: "rows", at: guide).map(\.line)
    let text =
      [answer.text(.table, mostOfDetails: limit), left.map { $0 + "\n" }]
      .compactMap(\.self) + [
        "Columns:\n" + lines.joined(), "Every parameter and column is explained at \(guide)\n",
      ]
    return Answer(
      structured: .object(
        structured + (left.map { [.init("left-out", .string($0))] } ?? []) + [.init("link", .string(guide))]),
      text: text.joined(separator: "\n"))
  }

  /// What is not in an answer, and how to ask for it; `nil` for a whole answer.
  private static func leftOut(of answer: ReportDocument, limit: Int) -> String? {
    let shown = answer.rows.rows.count
    var sentences: [String] = []
    if let next = answer.next {
      let of = answer.count.map { " of \(grouped($0))" } ?? ""
      sentences.append(
        "Only \(grouped(shown)) rows\(of) are here. More come with the same arguments and cursor \(next), or with a limit "
          + "of up to \(grouped(mostRows)).")
    } else if answer.isCut, let count = answer.count {
      sentences.append(
        "Only \(grouped(shown)) of \(grouped(count)) rows are here. More come with a limit of up to \(grouped(mostRows)); "
          + "other arguments select fewer, and sort decides which come first.")
    }
    for detail in answer.details where detail.rows.count > limit {
      sentences.append(
        "The table '\(detail.name)' has \(grouped(detail.rows.count)) rows, of which \(grouped(limit)) are here; "
          + "a higher limit has more.")
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  private static func schema<Source>(of kind: ReportKind<Source>) -> JSONOutput {
    kind.schema(
      describing: false,
      adding: [
        .init("columns", ["type": "array", "items": ColumnGuide.schema]),
        .init("left-out", ["type": "string"]), .init("link", ["type": "string"]),
      ])
  }
}
