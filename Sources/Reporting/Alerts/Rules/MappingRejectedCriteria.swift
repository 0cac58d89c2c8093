import Ledger
import Values

/// A mapping file is rejected, and what is in force is not what its author believes.
struct MappingRejectedCriteria: AlertCriteria {
  static let kind = AlertKind.mappingRejected

  var minutes = 5

  static let parameters: [AlertParameter] = [
    .init(
      "minutes", \Self.minutes, 0...10_080,
      "Minutes that a mapping file may stay rejected.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self) else { return [] }
    let first = facts.rejectedMappings.min { ($0.since, $0.source) < ($1.since, $1.source) }
    let minutes = first.map { Double(now.milliseconds - $0.since.milliseconds) / 60_000 } ?? 0
    let bound = Double(criteria.minutes)
    // A file that was mended and another one that is rejected now are one alert.
    let standing: AlertMeasure.AlertStatus = first == nil ? .clear : minutes >= bound ? .beyond : .near
    let others = facts.rejectedMappings.count - 1
    let more =
      others > 0 ? " \(grouped(others)) other file\(others == 1 ? " is" : "s are") rejected too." : ""
    let measure = AlertMeasure(
      rule, AlertScope(), standing, value: minutes, bound: bound, unit: "minutes rejected",
      first.map { file in
        "The mapping file '\(printable(file.source))' is rejected since \(file.since): \(printable(file.reason))."
          + (file.keepsOld ? " Its earlier state stays in force." : "") + more
      } ?? "No mapping file is rejected.",
      remedy:
        "Mend the file (`skan mapping check` shows all that is wrong), or remove one of two files that clash.",
      command: facts.command("mapping list"))
    return [measure]
  }
}
