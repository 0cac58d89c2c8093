import Alerts
import Estimates
import JSONText
import Ledger
import MappingLibrary
import Reporting
import Values

extension ReadResource {
  /// All that can be read: the reports of the command line under their names there, and single things.
  static let all: [ReadResource] = [
    campaigns, postbacks(events: false), postbacks(events: true), conflicts, estimates, nulls, crosscheck,
    totals,
    ReadResource(path: "/v1/mappings", words: [], formats: [.json]) { _ throws(QueryError) in
      { Answer(text: try MappingCatalog(from: $0.reader).json.text(pretty: true) + "\n") }
    },
    // What fires, then what ended within the last days.
    ReadResource(path: "/v1/alerts", words: [], formats: [.json]) { _ throws(QueryError) in
      {
        let document: JSONOutput = ["alerts": .array($0.alerts.records.map(\.json))]
        return Answer(text: document.text(pretty: true) + "\n")
      }
    },
    ReadResource(path: "/v1/postbacks/{id}", words: [], formats: [.json]) { question throws(QueryError) in
      {
        let found = try Explanation(of: question.identifier, from: $0.reader, keyring: $0.keyring)
        return found.isEmpty ? nil : Answer(text: found.json.text(pretty: true) + "\n")
      }
    },
  ]

  private static let campaigns = ReadResource(
    path: "/v1/reports/campaigns", words: CampaignQuery.reportWordNames,
    paging: Paging(usual: Paging.most)
  ) { question throws(QueryError) in
    let query = try CampaignQuery(words: question.words)
    let currency = try CampaignQuery.currency(words: question.words)
    return {
      let report = try CampaignReport(query, into: currency, from: $0.reader)
      // A row may come between others later; so a page begins after a row and not after a number of rows.
      var start = 0
      if let cursor = question.cursor {
        guard let last = report.rows.indices.first(where: { key(report, $0) == cursor.text }) else {
          throw PageCursor.mistake
        }
        start = last + 1
      }
      let end = min(report.rows.count, start + question.limit)
      let next =
        end < report.rows.count ? PageCursor(resource: "campaigns", text: key(report, end - 1)) : nil
      return Answer(
        text: report.text(question.format, rows: start..<end, next: next?.encoded), next: next)
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
    ) { question throws(QueryError) in
      let query = try PostbackQuery(words: question.words)
      let place = try question.place()
      return {
        let page = try PostbackPage(
          query, events: events, format: question.format,
          page: PageRequest(after: place, limit: question.limit, isLate: $0.isLate), from: $0.reader)
        let next = page.next.map { PageCursor(resource: name, place: $0) }
        return Answer(text: page.text(next: next?.encoded), next: next)
      }
    }
  }

  private static let conflicts = ReadResource(
    path: "/v1/reports/conflicts", words: PostbackQuery.wordNames, paging: Paging(usual: 1000)
  ) { question throws(QueryError) in
    let query = try PostbackQuery(words: question.words)
    let place = try question.place()
    return {
      let report = try ConflictReport(
        query, page: PageRequest(after: place, limit: question.limit), from: $0.reader)
      let next = report.next.map { PageCursor(resource: "conflicts", place: $0) }
      return Answer(text: report.text(question.format, next: next?.encoded), next: next)
    }
  }

  private static let estimates = ReadResource(
    path: "/v1/reports/estimates", words: EstimateQuery.wordNames
  ) { question throws(QueryError) in
    let query = try EstimateQuery(words: question.words)
    return {
      do {
        let hour = EstimateQuery.hour(of: $0.now)
        return Answer(text: try EstimateReport(query, from: $0.reader, now: hour).text(question.format))
      } catch let error as UnknownEventError {
        throw QueryError(
          name: "event",
          detail: "no value of a loaded mapping tells of '\(error.event)'; known are: "
            + error.known.joined(separator: ", "))
      }
    }
  }

  private static let nulls = ReadResource(
    path: "/v1/reports/nulls",
    words: EstimateQuery.wordNames.filter { !EstimateQuery.estimateWordNames.contains($0) }
  ) { question throws(QueryError) in
    let query = try EstimateQuery(words: question.words)
    return { Answer(text: try NullReport(query, from: $0.reader).text(question.format)) }
  }

  private static let crosscheck = ReadResource(
    path: "/v1/reports/crosscheck", words: PostbackQuery.wordNames
  ) { question throws(QueryError) in
    let query = try PostbackQuery(words: question.words)
    return {
      Answer(text: try CrosscheckReport(query, from: $0.reader, now: $0.now).text(question.format))
    }
  }

  private static let totals = ReadResource(
    path: "/v1/reports/totals", words: TotalsQuery.wordNames
  ) { question throws(QueryError) in
    let query = try TotalsQuery(words: question.words)
    return {
      Answer(text: try TotalsReport(query, from: $0.reader, today: $0.now.day).text(question.format))
    }
  }
}
