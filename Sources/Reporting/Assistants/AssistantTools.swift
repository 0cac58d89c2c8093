import Alerts
import Campaigns
import EstimateReports
import Ledger
import Postbacks
import Reports
import Tables
import Values

/// All tools, in the order of the help: the reports and listings of the command line, and single postbacks.
package let assistantTools: [AssistantTool] =
  [
    AssistantTool(ReportKind(AlertReport.self)) { source in
      AlertReport.Source(
        reader: try source.open(), database: source.database, rules: try source.rules(), now: source.clock())
    }
  ]
  + (reports + listings + commandReports).map { kind in
    AssistantTool(
      kind,
      usual: [EstimateReport.name, CausesReport.name, PlanReport.name].contains(kind.name)
        ? moneyOfService : nil
    ) { source in
      ReportSource(reader: try source.open(), now: source.clock(), keeper: source.keeper)
    }
  } + [.explain]

/// The currency and the days after install that pages have, where a call names no others.
private let moneyOfService: AssistantTool.Usual = { source, given in
  let apps = (given["app"] ?? []).flatMap { $0.split(separator: ",") }.compactMap { text in
    Int64(text).flatMap { AppID($0) }
  }
  let money = try ReportingMoney(ofService: source.open(), for: apps, now: source.clock())
  var usual: [String: [String]] = [:]
  if let currency = money.currency { usual["currency"] = [currency.text] }
  // The users of an event are of the hours that values count.
  if let days = money.days, given["event"] == nil { usual["horizon"] = ["\(days)"] }
  return usual
}
