import Alerts
import HTTPServer
import JSONText
import Ledger
import Reporting
import Verification

/// What people and tools read: reports and single postbacks, with a read token.
struct ReadRoute: Sendable {
  let database: String
  let keyring: Keyring
  let access: Access
  let alerts: AlertBoard

  func campaigns(_ request: borrowing Request) -> Response {
    if let problem = access.refusalToRead(request) { return problem.response }
    var words: [String: String] = [:]
    for name in request.queryNames
    where !CampaignQuery.reportWordNames.contains(name) && name != "format" {
      let names = (CampaignQuery.reportWordNames + ["format"]).joined(separator: ", ")
      return Problem.badParameter(name, "'\(name)' is none of \(names)").response
    }
    let names = request.queryNames
    if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      let detail = "'\(names[twice])' is there twice; give several values as a,b"
      return Problem.badParameter(names[twice], detail).response
    }
    words["from"] = request.query("from")
    words["to"] = request.query("to")
    words["by"] = request.query("by")
    words["app"] = request.query("app")
    words["network"] = request.query("network")
    words["environment"] = request.query("environment")
    words["digits"] = request.query("digits")
    words["currency"] = request.query("currency")
    let format = request.query("format") ?? "json"
    do throws(QueryError) {
      let query = try CampaignQuery(words: words)
      let currency = try CampaignQuery.currency(words: words)
      return reading { reader throws(LedgerError) in
        let report = try CampaignReport(query, into: currency, from: reader)
        return switch format {
        case "json": Self.text(report.text(.json), "application/json")
        case "ndjson": Self.text(report.text(.ndjson), "application/x-ndjson")
        case "csv": Self.text(report.text(.csv), "text/csv; charset=utf-8")
        default: Problem.badParameter("format", "'\(format)' is none of json, ndjson, csv").response
        }
      }
    } catch {
      return Problem.badParameter(error.name, error.detail).response
    }
  }

  func postback(_ identifier: String, _ request: borrowing Request) -> Response {
    if let problem = access.refusalToRead(request) { return problem.response }
    return reading { reader throws(LedgerError) in
      let explanation = try Explanation(of: identifier, from: reader, keyring: keyring)
      guard !explanation.isEmpty else { return Problem.notFound("No postback has this identifier.").response }
      return Self.text(explanation.json.text(pretty: true) + "\n", "application/json")
    }
  }

  func mappings(_ request: borrowing Request) -> Response {
    if let problem = access.refusalToRead(request) { return problem.response }
    return reading { reader throws(LedgerError) in
      Self.text(try MappingCatalog(from: reader).json.text(pretty: true) + "\n", "application/json")
    }
  }

  /// The alerts that fire, then those that ended within the last days.
  func alerts(_ request: borrowing Request) -> Response {
    if let problem = access.refusalToRead(request) { return problem.response }
    let document: JSONOutput = ["alerts": .array(alerts.records.map(\.json))]
    return Self.text(document.text(pretty: true) + "\n", "application/json")
  }

  private func reading(_ answer: (LedgerReader) throws(LedgerError) -> Response) -> Response {
    do throws(LedgerError) {
      return try answer(LedgerReader(path: database))
    } catch {
      return Problem(
        status: 503, code: "not-readable", title: "The database can't be read now", detail: "\(error)",
        headers: [.init("Retry-After", "5")]
      ).response
    }
  }

  private static func text(_ text: String, _ type: String) -> Response {
    Response(status: 200, contentType: type, text: text)
  }
}
