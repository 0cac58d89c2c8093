import JSONText
import MappingDesign
import MappingFormats
import Mappings
import Simulation
import Tables
import Values

/// What people and programs read about a design.
struct DesignText {
  let report: DesignReport
  let request: DesignRequest

  var table: String {
    var lines = [
      "\(counted(report.users, "user")), \(grouped(report.payers)) of them \(payers); seed \(request.seed)",
      "threshold: \(request.crowd): \(request.crowd.sentence)", CrowdModel.caveat.english, "",
    ]
    lines.append("error and delay by window, on users that the design has not seen:")
    lines.append(windows)
    lines.append("error by method, cross-validated, with the nulls of the threshold:")
    lines.append(choices)
    let blocks = report.valuesByBlock.map { "\($0)" }.joined(separator: " + ")
    let split: String
    switch report.choice.split {
    case .none: split = ""
    case .days: split = " (by day of activity: \(blocks))"
    case .event(let event): split = " (without and with \(printable(event.name)): \(blocks))"
    }
    lines.append(
      "chosen: \(report.windowHours) hours, edges by \(printable("\(report.choice)")), "
        + "\(counted(report.values.count, "value"))\(split)"
    )
    lines.append(
      "SKAdNetwork \(request.device.hasWindows ? "4" : "3"); \(64 - report.values.count) of 64 values "
        + "are reserved"
    )
    for caution in report.cautions {
      lines.append("warning: \(printable(caution.text)) [\(caution.code)]")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What those users did whose worth the ranges are made of.
  private var payers: String {
    request.target.event.map { "did '\(printable($0))' within \(request.target.days) days" }
      ?? "\(report.payers == 1 ? "payer" : "payers") by \(request.target)"
  }

  var json: JSONOutput {
    .object([
      .init("users", .integer(Int64(report.users))), .init("payers", .integer(Int64(report.payers))),
      .init("target", .string("\(request.target)")), .init("threshold", .string("\(request.crowd)")),
      .init("seed", .integer(Int64(clamping: request.seed))),
      .init("window-hours", .integer(Int64(report.windowHours))),
      .init("cost", .string(report.choice.scheme.rawValue)),
      .init("by-day", .bool(report.choice.split == .days)),
      .init("by-event", event(of: report.choice)),
      values(report.valuesByBlock, by: report.choice.split),
      .init(
        "costs",
        .array(
          report.choices.map {
            .object([
              .init("cost", .string($0.choice.scheme.rawValue)),
              .init("by-day", .bool($0.choice.split == .days)),
              .init("by-event", event(of: $0.choice)),
              .init("rmse", .decimal($0.error)),
            ])
          })), .init("windows", .array(report.windows.map(json))),
      .init(
        "values",
        .array(
          report.values.map {
            .object([
              .init("value", .integer(Int64($0.value))), .init("users", .integer(Int64($0.users))),
              .init("mean", .decimal($0.mean)),
            ])
          })),
      .init(
        "warnings",
        .array(
          report.cautions.map {
            .object([.init("code", .string($0.code)), .init("sentence", .string($0.text))])
          })),
    ])
  }

  private func values(_ blocks: [Int], by split: DesignSplit) -> JSONOutput.Member {
    let counts = JSONOutput.array(blocks.map { .integer(Int64($0)) })
    if case .event = split { return .init("values-by-event", counts) }
    return .init("values-by-day", counts)
  }

  /// The name of the event that values are split by.
  private func event(of choice: DesignChoice) -> JSONOutput {
    choice.split.event.map { .string($0.name) } ?? .null
  }

  /// A measurement window with as many installs as a campaign may have.
  private struct WindowScore {
    let window: DesignReport.WindowRow
    let score: DesignScore
  }

  private var windows: String {
    let rows = report.windows.flatMap { row in row.scores.map { WindowScore(window: row, score: $0) } }
    return Table(Self.windowColumns, rows: rows).text(.table)
  }

  private static let windowColumns: [Column<WindowScore>] = [
    Column("window-hours", "window", "Measurement window.") { NumberCell("\($0.window.windowHours) h") },
    Column("values-by-day", "values", "Values by day since install, or without and with an event.") {
      $0.window.valuesByBlock.map { "\($0)" }.joined(separator: "+")
    },
    Column("installs", "installs", "Installs of a campaign.") { NumberCell("\($0.score.installs)") },
    Column("error", "error", "Mean error of a campaign's revenue.") { Share($0.score.error.meanShare) },
    Column("error-of-sums", "of sums", "Error weighted by revenue.") { Share($0.score.error.weightedShare) },
    Column("bias", "bias", "Bias of the revenue.") { Share($0.score.error.bias) },
    Column("error-when-shown", "if all shown", "Mean error if no value is withheld.") {
      Share($0.score.errorWhenShown.meanShare)
    },
    Column("null-share", "withheld", "Share of withheld values.") { Share($0.score.nullShare) },
    Column("delay-median", "half in", "Until half of the postbacks arrived.") {
      NumberCell("\($0.score.medianDelay) h")
    },
    Column("delay-95", "95 % in", "Until 95 % of the postbacks arrived.") {
      NumberCell("\($0.score.longDelay) h")
    },
    Column("values-shown", "values seen", "Different values shown.") {
      NumberCell("\($0.score.valuesShown)")
    },
    Column("chain-broken", "chain broken", "Users whose timer ran out.") { Share($0.window.brokenShare) },
  ]

  private var choices: String {
    let columns: [Column<DesignReport.ChoiceRow>] = [
      Column("method", "edges by", "How the edges are chosen.") { printable("\($0.choice)") },
      Column("error", "error", "Mean error of a campaign's revenue.") { Share($0.error) },
    ]
    return Table(columns, rows: report.choices).text(.table)
  }

  private func json(_ row: DesignReport.WindowRow) -> JSONOutput {
    .object([
      .init("window-hours", .integer(Int64(row.windowHours))),
      values(row.valuesByBlock, by: row.split),
      .init("chain-broken", .decimal(row.brokenShare)), .init("scores", .array(row.scores.map(json))),
    ])
  }

  private func json(_ score: DesignScore) -> JSONOutput {
    .object([
      .init("installs", .integer(Int64(score.installs))),
      .init("campaigns", .integer(Int64(score.campaigns))), .init("error", json(score.error)),
      .init("error-when-shown", json(score.errorWhenShown)), .init("null-share", .decimal(score.nullShare)),
      .init("delay-median-hours", .integer(Int64(score.medianDelay))),
      .init("delay-95-hours", .integer(Int64(score.longDelay))),
      .init("values-shown", .integer(Int64(score.valuesShown))),
    ])
  }

  private func json(_ error: CampaignError) -> JSONOutput {
    .object([
      .init("mape", .decimal(error.meanShare)), .init("wmape", .decimal(error.weightedShare)),
      .init("bias", .decimal(error.bias)),
    ])
  }
}
