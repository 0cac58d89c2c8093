import CSVText
import Estimates
package import JSONText
import Ledger
import Postbacks
import Values
import Verification

extension CrosscheckReport {
  /// The report in one of the formats; it ends with a line break.
  package func text(_ format: OutputFormat) -> String {
    switch format {
    case .table: table
    case .csv:
      CSV.line(Self.columns.map { .string($0) }) + rows.map { CSV.line(cells($0)) }.joined()
    case .json: json.text(pretty: true) + "\n"
    case .ndjson: rows.map { object($0).text() + "\n" }.joined()
    }
  }

  private static let columns =
    [
      "network", "app", "window", "both", "agreeing", "only-devices", "only-network", "fine-differs",
      "coarse-differs", "country-differs", "median-delay-minutes", "p95-delay-minutes",
    ] + DifferenceReason.allCases.map(\.rawValue)

  private func cells(_ row: Row) -> [CSV.Cell] {
    let counts: [CSV.Cell] = [
      row.both, row.agreeing, row.onlyDevices, row.onlyNetwork, row.fineDiffers, row.coarseDiffers,
      row.countryDiffers,
    ].map { .integer($0) }
    let delays: [CSV.Cell] = [row.medianDelay, row.longDelay].map { $0.map { .integer($0) } ?? .none }
    return [.string(row.network), .integer(row.app), .integer(Int64(row.window.rawValue))] + counts + delays
      + DifferenceReason.allCases.map { .integer(row.reasons[$0] ?? 0) }
  }

  private func object(_ row: Row) -> JSONOutput {
    .object(zip(Self.columns, cells(row)).map { .init($0, $1.json) })
  }

  /// The report as one JSON document.
  package var json: JSONOutput {
    let findings: [JSONOutput] = self.findings.map {
      [
        "network": .string($0.network), "app": .integer($0.app), "reason": .string($0.reason.rawValue),
        "conversions": .integer($0.count), "sentence": .string($0.sentence),
      ]
    }
    let rejected: [JSONOutput] = rejectedForwards.map {
      [
        "name": .string($0.name), "state": .string($0.state.rawValue), "reason": .string($0.reason),
        "seen": .integer($0.seen),
      ]
    }
    return [
      "environment": .string(query.environment.rawValue), "rows": .array(rows.map(object)),
      "findings": .array(findings), "values": .array(mixes.map(object)),
      "rejected-forwards": .array(rejected), "from-files-only": .integer(fromFilesOnly),
    ]
  }

  private func object(_ mix: Mix) -> JSONOutput {
    func values(_ counts: [Int64]) -> JSONOutput {
      .object(
        counts.indices.filter { counts[$0] > 0 }.map { .init(ValueSlot.name($0), .integer(counts[$0])) })
    }
    return [
      "network": .string(mix.network), "devices": values(mix.device), "forwarded": values(mix.forwarded),
      "chi-square": number(mix.test?.statistic),
      "degrees-of-freedom": mix.test.map { .integer(Int64($0.freedom)) } ?? .null,
      "probability": number(mix.test?.probability), "probability-holm": number(mix.corrected),
      "raised": mix.direction.map { .integer($0.raised) } ?? .null,
      "lowered": mix.direction.map { .integer($0.lowered) } ?? .null,
      "direction-probability": number(mix.direction?.probability),
      "outstanding-values": .array(mix.outstanding.map { .string(ValueSlot.name($0)) }),
    ]
  }

  private func number(_ number: Double?) -> JSONOutput {
    guard let number, number.isFinite, number.magnitude < 9e11 else { return .null }
    return JSONNumber("\(Amount(micros: Int64((number * 1e6).rounded())))").map { .number($0) } ?? .null
  }

  private var table: String {
    let heading =
      query.environment == .production
      ? "" : "\(query.environment.rawValue) postbacks, not part of any real figure\n"
    guard !rows.isEmpty else { return heading + "no conversions that devices or networks told\n" + notes }
    var table = TextTable(
      [.init("network")]
        + [
          "app", "window", "both", "agree", "only devices", "only network", "value", "coarse", "country",
          "delay", "95 %",
        ].map { TextTable.Column($0, isNumeric: true) })
    for row in rows {
      let counts = [
        row.both, row.agreeing, row.onlyDevices, row.onlyNetwork, row.fineDiffers, row.coarseDiffers,
        row.countryDiffers,
      ]
      table.add(
        [printable(row.network), "\(row.app)", "\(row.window.rawValue)"] + counts.map(grouped)
          + [delay(row.medianDelay), delay(row.longDelay)])
    }
    return heading + table.text + findingTable + mixes.map(line).joined() + notes
  }

  private var findingTable: String {
    guard !findings.isEmpty else { return "no differences\n" }
    var table = TextTable([
      .init("network"), .init("app", isNumeric: true), .init("conversions", isNumeric: true), .init("reason"),
      .init("that is"),
    ])
    for finding in findings {
      table.add([
        printable(finding.network), "\(finding.app)", grouped(finding.count), finding.reason.rawValue,
        finding.sentence,
      ])
    }
    return "\n" + table.text
  }

  /// What the values of a network tell, in a sentence or two.
  private func line(_ mix: Mix) -> String {
    var line = "\(printable(mix.network)): "
    guard let test = mix.test, let corrected = mix.corrected else {
      return line + "too little to compare values by\n" + directionLine(mix)
    }
    line +=
      corrected < 0.05
      ? "one side leaves out conversions by their value"
      : "no sign that a side leaves out conversions by their value"
    line += " (chi-square \(decimal(test.statistic, 1)), \(test.freedom) degrees of freedom, "
    line += "p \(chance(test.probability)), after Holm \(chance(corrected)))"
    let shares = mix.outstanding.map { slot in
      "\(ValueSlot.name(slot)) in \(percent(mix.device[slot], of: mix.device.reduce(0, +))) % of devices' copies and "
        + "\(percent(mix.forwarded[slot], of: mix.forwarded.reduce(0, +))) % of the network's"
    }
    return line + (shares.isEmpty ? "" : ": " + shares.joined(separator: "; ")) + "\n" + directionLine(mix)
  }

  private func directionLine(_ mix: Mix) -> String {
    guard let direction = mix.direction else { return "" }
    return
      "\(printable(mix.network)): of the changed values the network's is higher in \(grouped(direction.raised)) and "
      + "lower in \(grouped(direction.lowered)) (sign test p \(chance(direction.probability)))\n"
  }

  private var notes: String {
    var notes = rejectedForwards.map {
      "not believed of what \(printable($0.name)) forwarded: \(grouped($0.seen)) \($0.state.rawValue), \($0.reason)\n"
    }
    if fromFilesOnly > 0 {
      notes.append("\(grouped(fromFilesOnly)) conversions came from files only and stand on no side\n")
    }
    return notes.joined()
  }

  private func decimal(_ number: Double, _ places: Int) -> String {
    guard number.magnitude < 9e11 else { return "" }
    return money(Amount(micros: Int64((number * 1e6).rounded())), decimals: places)
  }

  /// A probability with four decimals, which never says zero.
  private func chance(_ probability: Double) -> String {
    probability < 0.0001 ? "below 0.0001" : decimal(probability, 4)
  }

  /// Minutes as people say them.
  private func delay(_ minutes: Int64?) -> String {
    guard let minutes else { return "" }
    switch minutes.magnitude {
    case ..<120: return "\(minutes) min"
    case ..<(48 * 60): return "\(minutes / 60) h"
    default: return "\(minutes / 1440) d"
    }
  }
}
