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
    let measure = AlertMeasure(
      rule, AlertScope(), standing, value: minutes, bound: bound, unit: Sentence("minutes rejected"),
      first.map { sentence($0, others: others) } ?? Sentence("No mapping file is rejected."),
      remedy: Sentence(
        "Mend the file (`skan mapping check` shows all that is wrong), or remove one of two files that clash."
      ),
      command: facts.command("mapping list"))
    return [measure]
  }

  private static func sentence(_ file: RejectedMapping, others: Int) -> Sentence {
    var sentences = [
      Sentence("The mapping file '\(name: file.source)' is rejected since \(file.since): \(file.reason).")
    ]
    if file.keepsOld { sentences.append(Sentence("Its earlier state stays in force.")) }
    if others > 0 {
      sentences.append(
        Sentence(
          "\(others, one: "# other file is rejected too.", other: "# other files are rejected too.")"))
    }
    return .joined(sentences, by: " ")
  }
}
