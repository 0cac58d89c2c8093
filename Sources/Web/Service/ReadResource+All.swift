import Alerts
import Arguments
import Estimates
import JSONText
import Ledger
import MappingLibrary
import Reporting
import Tables
import Values

extension ReadResource {
  /// All that can be read: the reports of the command line under their names there, and single things.
  static let all: [ReadResource] =
    [
      nulls, crosscheck,
      ReadResource(path: "/v1/mappings", words: [], formats: [.json]) { _ throws(ParameterError) in
        { Answer(text: try MappingCatalog(from: $0.reader).json.text(pretty: true) + "\n") }
      },
      // What fires, then what ended within the last days.
      ReadResource(path: "/v1/alerts", words: [], formats: [.json]) { _ throws(ParameterError) in
        {
          let document: JSONOutput = ["alerts": .array($0.alerts.records.map(\.json))]
          return Answer(text: document.text(pretty: true) + "\n")
        }
      },
      ReadResource(path: "/v1/postbacks/{id}", words: [], formats: [.json]) {
        question throws(ParameterError) in
        {
          let found = try Explanation(of: question.identifier, from: $0.reader, keyring: $0.keyring)
          return found.isEmpty ? nil : Answer(text: found.json.text(pretty: true) + "\n")
        }
      },
    ]
    + reports.map { kind in
      ReadResource(kind) { ReportSource(reader: $0.reader, now: $0.now) }
    }

  /// Makes the resource of a report; `source` is what it is gathered from.
  init<Source>(
    _ kind: ReportKind<Source>, source: @escaping @Sendable (ReadContext) throws -> Source
  ) {
    self.init(
      path: kind.path, words: kind.parameterNames, paging: kind.pageSize.map { Paging(usual: $0) }
    ) { question throws(ParameterError) in
      let job = try kind.job(question.words.mapValues { [$0] })
      let delivery = Delivery(
        question.format, limit: kind.pageSize == nil ? nil : question.limit, cursor: question.cursor)
      return { context in
        var text = ""
        let outcome = try job(source(context), delivery, context.isLate) {
          text += $0
          return true
        }
        return Answer(text: text, next: outcome.next)
      }
    }
  }

  private static let nulls = ReadResource(
    path: "/v1/reports/nulls",
    words: EstimateQuery.wordNames
  ) { question throws(ParameterError) in
    let query = try EstimateQuery(words: question.words)
    return { Answer(text: try NullReport(query, from: $0.reader).text(OutputFormat(question.format))) }
  }

  private static let crosscheck = ReadResource(
    path: "/v1/reports/crosscheck", words: PostbackQuery.wordNames
  ) { question throws(ParameterError) in
    let query = try PostbackQuery(words: question.words)
    return {
      Answer(
        text: try CrosscheckReport(query, from: $0.reader, now: $0.now).text(OutputFormat(question.format)))
    }
  }
}

extension OutputFormat {
  fileprivate init(_ format: Format) {
    self =
      switch format {
      case .table: .table
      case .json: .json
      case .ndjson: .ndjson
      case .csv: .csv
      }
  }
}
