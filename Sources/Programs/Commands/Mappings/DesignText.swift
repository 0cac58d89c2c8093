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
    lines.append(Table(Self.windows, rows: scores).text(.table))
    lines.append("error by method, cross-validated, with the nulls of the threshold:")
    lines.append(Table(Self.methods, rows: report.choices).text(.table))
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
    func array<Row>(_ columns: [Column<Row>], _ rows: [Row]) -> JSONOutput {
      Sheet(columns, held: rows, for: .json).array(of: rows)
    }
    return [
      "users": report.users.json, "payers": report.payers.json, "target": .string("\(request.target)"),
      "threshold": .string("\(request.crowd)"), "seed": .integer(Int64(clamping: request.seed)),
      "window-hours": report.windowHours.json, "cost": .string(report.choice.scheme.rawValue),
      "by-day": .bool(report.choice.split == .days),
      "by-event": report.choice.split.event?.name.json ?? .null,
      "values-by-part": .array(report.valuesByBlock.map(\.json)),
      "methods": array(Self.methods, report.choices), "windows": array(Self.windows, scores),
      "values": array(Self.values, report.values), "warnings": array(Self.warnings, report.cautions),
    ]
  }

  /// A measurement window with as many installs as a campaign may have.
  private struct WindowScore {
    let window: DesignReport.WindowRow
    let score: DesignScore
  }

  private var scores: [WindowScore] {
    report.windows.flatMap { row in row.scores.map { WindowScore(window: row, score: $0) } }
  }

  private static let windows: [Column<WindowScore>] =
    [
      Column("window-hours", "window h", "Measurement window in hours.", \.window.windowHours),
      Column("values-by-part", "values", "Values by day of activity, or without and with an event.") {
        $0.window.valuesByBlock.map { "\($0)" }
      },
      Column("installs", "installs", "Installs of a campaign.", \.score.installs),
      Column("campaigns", "campaigns", "Campaigns of that size.", shown: .forPrograms, \.score.campaigns),
    ] + errors + [
      Column("null-share", "withheld", "Share of withheld values.") { Share($0.score.nullShare) },
      Column(
        "delay-median-hours", "half in h", "Hours until half of the postbacks arrived.", \.score.medianDelay),
      Column("delay-95-hours", "95 % in h", "Hours until 95 % of the postbacks arrived.", \.score.longDelay),
      Column("values-shown", "values seen", "Different values shown.", \.score.valuesShown),
      Column("chain-broken", "chain broken", "Users whose timer ran out.") { Share($0.window.brokenShare) },
    ]

  private static let errors: [Column<WindowScore>] = [
    Column("error", "error", "Mean error of a campaign's revenue.") { Share($0.score.error.meanShare) },
    Column("error-of-sums", "of sums", "Error weighted by revenue.") { Share($0.score.error.weightedShare) },
    Column("bias", "bias", "Bias of the revenue.") { Change($0.score.error.bias) },
    Column("error-when-shown", "if all shown", "Mean error if no value is withheld.") {
      Share($0.score.errorWhenShown.meanShare)
    },
    Column(
      "error-of-sums-when-shown", "of sums if all shown",
      "Error weighted by revenue if no value is withheld.",
      shown: .forPrograms
    ) { Share($0.score.errorWhenShown.weightedShare) },
    Column("bias-when-shown", "bias if all shown", "Bias if no value is withheld.", shown: .forPrograms) {
      Change($0.score.errorWhenShown.bias)
    },
  ]

  private static let methods: [Column<DesignReport.ChoiceRow>] = [
    Column("method", "edges by", "How the edges are chosen.") { "\($0.choice)" },
    Column("cost", "cost", "What the edges minimize.", shown: .forPrograms, \.choice.scheme.rawValue),
    Column("by-day", "by day", "Whether they depend on the day.", shown: .forPrograms) {
      $0.choice.split == .days
    },
    Column("by-event", "by event", "Event that they depend on.", shown: .forPrograms) {
      $0.choice.split.event?.name
    },
    Column("error", "error", "Mean error of a campaign's revenue.") { Share($0.error) },
  ]

  private static let values: [Column<DesignReport.ValueRow>] = [
    Column("value", "value", "Conversion value.", \.value),
    Column("users", "users", "Users who end with it.", \.users),
    Column("mean", "mean", "Their mean revenue, or times of the event.") { Ratio($0.mean) },
  ]

  private static let warnings: [Column<DesignWarning>] = [
    Column("code", "code", "Code of the warning.", \.code),
    Column("sentence", "sentence", "What is unsure, and what helps.", \.text),
  ]
}
