import CSVText
package import JSONText
package import Ledger
import Postbacks
package import Reporting
import Values

/// What fires, or what every rule found, as rows.
package struct AlertReport: Sendable {
  private let evaluation: AlertEvaluation
  private let showsAll: Bool
  /// The ids of what fires.
  private let firing: Set<String>

  /// Reports an evaluation; all measures, or only the alerts.
  package init(_ evaluation: AlertEvaluation, showsAll: Bool) {
    self.evaluation = evaluation
    self.showsAll = showsAll
    firing = Set(evaluation.firing.map(\.id))
  }

  /// The report in one of the formats; it ends with a line break.
  package func text(_ format: OutputFormat) -> String {
    switch format {
    case .table: table
    case .csv: CSV.line(Self.columns.map { .string($0) }) + rows.map { CSV.line($0) }.joined()
    case .json:
      JSONOutput.object([.init("alerts", .array(rows.map(Self.object)))]).text(pretty: true) + "\n"
    case .ndjson: rows.map { Self.object($0).text() + "\n" }.joined()
    }
  }

  private static let columns = [
    "id", "kind", "severity", "state", "app", "network", "campaign", "origin", "since", "value", "bound",
    "sentence", "remedy", "command",
  ]

  private static func object(_ row: [CSV.Cell]) -> JSONOutput {
    .object(zip(columns, row).map { .init($0, $1.json) })
  }

  private var rows: [[CSV.Cell]] {
    guard showsAll else {
      return evaluation.firing.map { alert in
        [
          .string(alert.id), .string(alert.kind), .string(alert.severity), .string("firing"),
          alert.app.map { .integer($0.number) } ?? .none, text(alert.network), text(alert.campaign),
          text(alert.origin), .string("\(alert.since)"), number(alert.value), number(alert.bound),
          .string(alert.sentence), .string(alert.remedy), .string(alert.command),
        ]
      }
    }
    let since = Dictionary(
      evaluation.firing.map { ($0.id, $0.since) }, uniquingKeysWith: { first, _ in first })
    return evaluation.measures.map { measure in
      [
        .string(measure.id), .string(measure.kind.rawValue), .string(measure.severity.rawValue),
        .string(state(measure)), measure.scope.app.map { .integer($0.number) } ?? .none,
        text(measure.scope.network), text(measure.scope.campaign), text(measure.scope.origin),
        since[measure.id].map { .string("\($0)") } ?? .none, number(measure.value), number(measure.bound),
        .string(measure.sentence), .string(measure.remedy), .string(measure.command),
      ]
    }
  }

  private func state(_ measure: AlertMeasure) -> String {
    if firing.contains(measure.id) { return "firing" }
    return measure.standing == .unknown ? "too-few" : "quiet"
  }

  private func text(_ text: String?) -> CSV.Cell { text.map { .string($0) } ?? .none }

  private func number(_ value: Double) -> CSV.Cell { .number(trimmed(value, 6)) }

  private var table: String {
    guard showsAll else {
      guard !evaluation.firing.isEmpty else { return "no alerts\n" }
      return evaluation.firing.map { alert in
        """
        \(alert.severity)  \(alert.kind)  since \(alert.since)
          \(printable(alert.sentence))
          \(alert.remedy)
          \(printable(alert.command))

        """
      }.joined(separator: "\n")
    }
    var table = TextTable([
      .init("alert"), .init("state"), .init("value", isNumeric: true), .init("bound", isNumeric: true),
      .init("what they are"),
    ])
    for measure in evaluation.measures {
      table.add([
        printable(measure.id), state(measure), trimmed(measure.value, 4), trimmed(measure.bound, 4),
        measure.unit,
      ])
    }
    return table.text
  }
}

extension AlertRecord {
  /// Whether it fires, as a word.
  package var state: String { resolvedAt == nil ? "firing" : "resolved" }

  /// The alert as webhooks and `/v1/alerts` have it.
  package var json: JSONOutput {
    [
      "id": .string(id), "kind": .string(kind), "severity": .string(severity), "state": .string(state),
      "app": app.map { .integer($0.number) } ?? .null, "network": .optional(network),
      "campaign": .optional(campaign), "origin": .optional(origin), "since": .string("\(since)"),
      "resolved": resolvedAt.map { .string("\($0)") } ?? .null, "value": Self.number(value),
      "bound": Self.number(bound), "sentence": .string(sentence), "remedy": .string(remedy),
      "command": .string(command),
    ]
  }

  private static func number(_ value: Double) -> JSONOutput {
    JSONNumber(trimmed(value, 6)).map { .number($0) } ?? .null
  }
}

extension CSV.Cell {
  fileprivate var json: JSONOutput {
    switch self {
    case .none: .null
    case .integer(let number): .integer(number)
    case .number(let digits): JSONNumber(digits).map { .number($0) } ?? .null
    case .string(let text), .verbatim(let text): .string(text)
    }
  }
}
