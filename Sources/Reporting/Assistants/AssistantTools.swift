import Alerts
import Campaigns
import Reports
import Tables

/// All tools, in the order of the help: the reports and listings of the command line, and single postbacks.
package let assistantTools: [AssistantTool] =
  [
    AssistantTool(ReportKind(AlertReport.self)) { source in
      AlertReport.Source(
        reader: try source.open(), database: source.database, rules: try source.rules(), now: source.clock())
    }
  ]
  + (reports + listings + commandReports).map { kind in
    AssistantTool(kind) { source in
      ReportSource(reader: try source.open(), now: source.clock(), keeper: source.keeper)
    }
  } + [.explain]
