import Alerts
import Arguments
import Explanations
import JSONText
import Ledger
import Reporting
import Tables
import Values

extension ReadResource {
  /// All that can be read: the reports of the command line under their names there, and single things.
  static let all: [ReadResource] =
    [
      ReadResource(ReportKind(AlertListing.self)) { $0.alerts.records },
      ReadResource(path: "/v1/postbacks/{id}", words: [], formats: [.json]) {
        question throws(ParameterError) in
        {
          let found = try Explanation(of: question.identifier, from: $0.reader, keyring: $0.keyring)
          return found.isEmpty ? nil : Answer(text: found.json.text(pretty: true) + "\n")
        }
      },
    ]
    + (reports + listings).map { kind in
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
}
