import JSONText
import MappingDesign
import MappingFormats
import Mappings
import Reporting
import Simulation
import Values

/// What people and machines are told of a design.
struct DesignText {
  let report: DesignReport
  let request: DesignRequest

  /// For people.
  var table: String {
    var lines = [
      "\(counted(report.users, "user")), \(grouped(report.payers)) of them \(payers); seed \(request.seed)",
      "threshold: \(request.crowd): \(request.crowd.sentence)", CrowdModel.caveat, "",
    ]
    lines.append("error and delay by window, on users that the design has not seen:")
    lines.append(windows.text)
    lines.append("error by method, cross-validated with every value shown:")
    lines.append(choices.text)
    let days = report.valuesByDay.map { "\($0)" }.joined(separator: " + ")
    lines.append(
      "chosen: \(report.windowHours) hours, edges by \(report.choice), "
        + "\(counted(report.values.count, "value"))\(report.choice.usesDays ? " (by day of activity: \(days))" : "")"
    )
    lines.append(
      "SKAdNetwork \(request.device.hasWindows ? "4" : "3"); \(64 - report.values.count) of 64 values "
        + "are reserved"
    )
    for caution in report.cautions { lines.append("warning: \(caution.sentence) [\(caution.code)]") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What those users did whose worth the ranges are made of.
  private var payers: String {
    request.target.event.map { "did '\(printable($0))' within \(request.target.days) days" }
      ?? "\(report.payers == 1 ? "payer" : "payers") by \(request.target)"
  }

  /// For machines.
  var json: JSONOutput {
    .object([
      .init("users", .integer(Int64(report.users))), .init("payers", .integer(Int64(report.payers))),
      .init("target", .string("\(request.target)")), .init("threshold", .string("\(request.crowd)")),
      .init("seed", .integer(Int64(clamping: request.seed))),
      .init("window-hours", .integer(Int64(report.windowHours))),
      .init("cost", .string(report.choice.scheme.rawValue)), .init("by-day", .bool(report.choice.usesDays)),
      .init("values-by-day", .array(report.valuesByDay.map { .integer(Int64($0)) })),
      .init(
        "costs",
        .array(
          report.choices.map {
            .object([
              .init("cost", .string($0.choice.scheme.rawValue)), .init("by-day", .bool($0.choice.usesDays)),
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
            .object([.init("code", .string($0.code)), .init("sentence", .string($0.sentence))])
          })),
    ])
  }

  private var windows: TextTable {
    var table = TextTable([
      .init("window", isNumeric: true), .init("values"), .init("installs", isNumeric: true),
      .init("error", isNumeric: true), .init("of sums", isNumeric: true), .init("bias", isNumeric: true),
      .init("if all shown", isNumeric: true), .init("nulls", isNumeric: true),
      .init("half in", isNumeric: true), .init("95 % in", isNumeric: true),
      .init("values seen", isNumeric: true), .init("chain broken", isNumeric: true),
    ])
    for row in report.windows {
      for score in row.scores {
        table.add([
          "\(row.windowHours) h", row.valuesByDay.map { "\($0)" }.joined(separator: "+"),
          "\(score.installs)", percent(score.error.meanShare), percent(score.error.weightedShare),
          percent(score.error.bias), percent(score.errorWhenShown.meanShare), percent(score.nullShare),
          "\(score.medianDelay) h", "\(score.longDelay) h", "\(score.valuesShown)", percent(row.brokenShare),
        ])
      }
    }
    return table
  }

  private var choices: TextTable {
    var table = TextTable([.init("edges by"), .init("error", isNumeric: true)])
    for row in report.choices { table.add(["\(row.choice)", percent(row.error)]) }
    return table
  }

  private func json(_ row: DesignReport.WindowRow) -> JSONOutput {
    .object([
      .init("window-hours", .integer(Int64(row.windowHours))),
      .init("values-by-day", .array(row.valuesByDay.map { .integer(Int64($0)) })),
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
