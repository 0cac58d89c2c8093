import Alerts
import Arguments
import JSONText
import Ledger
import Reporting
import Tables
import Values

extension ReadResource {
  /// All that can be read: the reports of the command line under their names there, and single things.
  static let all: [ReadResource] =
    [
      campaigns, postbacks(events: false), postbacks(events: true), estimates,
      ReadResource(ReportKind(AlertListing.self)) { $0.alerts },
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

  private static let campaigns = ReadResource(
    path: "/v1/reports/campaigns", words: CampaignQuery.reportWordNames,
    paging: Paging(usual: 10_000)
  ) { question throws(ParameterError) in
    let query = try CampaignQuery(words: question.words)
    let currency = try CampaignQuery.currency(words: question.words)
    return {
      let report = try CampaignReport(query, into: currency, from: $0.reader)
      // A row may come between others later; so a page begins after a row and not after a number of rows.
      var start = 0
      if let cursor = try question.cursor(of: "campaigns") {
        guard let last = report.rows.indices.first(where: { key(report, $0) == cursor.text }) else {
          throw PageCursor.mistake
        }
        start = last + 1
      }
      let end = min(report.rows.count, start + question.limit)
      let next =
        end < report.rows.count ? PageCursor(resource: "campaigns", text: key(report, end - 1)) : nil
      return Answer(
        text: report.text(OutputFormat(question.format), rows: start..<end, next: next?.encoded),
        next: next?.encoded)
    }
  }

  private static func key(_ report: CampaignReport, _ row: Int) -> String {
    // No name has a letter in it that stands between names in files.
    report.key(of: row).joined(separator: "\u{1F}")
  }

  private static func postbacks(events: Bool) -> ReadResource {
    let name = events ? "events" : "postbacks"
    return ReadResource(
      path: "/v1/reports/\(name)", words: PostbackQuery.wordNames, paging: Paging(usual: 1000)
    ) { question throws(ParameterError) in
      let query = try PostbackQuery(words: question.words)
      let place = try question.place(of: name)
      return {
        let page = try PostbackPage(
          query, events: events, format: OutputFormat(question.format),
          page: PageRequest(after: place, limit: question.limit, isLate: $0.isLate), from: $0.reader)
        let next = page.next.map { PageCursor(resource: name, place: $0) }
        return Answer(text: page.text(next: next?.encoded), next: next?.encoded)
      }
    }
  }

  private static let estimates = ReadResource(
    path: "/v1/reports/estimates", words: EstimateQuery.wordNames
  ) { question throws(ParameterError) in
    let query = try EstimateQuery(words: question.words)
    return {
      do {
        let hour = EstimateQuery.hour(of: $0.now)
        return Answer(
          text: try EstimateReport(query, from: $0.reader, now: hour).text(OutputFormat(question.format)))
      } catch let error as UnknownEventError {
        throw ParameterError(
          "event",
          "no value of a loaded mapping tells of '\(error.event)'; known are: "
            + error.known.joined(separator: ", "))
      }
    }
  }
}
