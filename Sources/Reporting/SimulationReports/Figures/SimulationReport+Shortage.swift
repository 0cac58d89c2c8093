import Postbacks
import Simulation
package import Values

extension SimulationReport {
  /// What a reader has to know before the figures, a sentence each, such as too small campaigns for the model.
  package var notes: [Sentence] {
    studies.flatMap { study in study.cautions.map { about(study, $0) } }
  }

  /// A sentence with the variant's name where there are several.
  func about(_ study: VariantStudy, _ sentence: Sentence) -> Sentence {
    studies.count > 1 ? Sentence("\(name: study.name): \(sentence)") : sentence
  }
}

extension VariantStudy {
  /// What a reader has to know before this variant's figures.
  var cautions: [Sentence] { shortage.map { [$0] } ?? [] }

  /// The share of the first window's values that the privacy threshold model withholds; `nil` where no user has a value.
  static func withheldShare(_ total: RunFigures) -> Double? {
    let window = total.sum[.first]
    let held = window.trueFine.reduce(0, +)
    let shown = window.visibleFine.reduce(0, +) + window.visibleCoarse.reduce(0, +)
    return held == 0 ? nil : 1 - Double(min(held, shown)) / Double(held)
  }

  /// The share of withheld values from which on a reader has to know.
  static let muchWithheld = 0.5

  /// Why most values are withheld, where they are: the largest campaign beside what the model asks for.
  private var shortage: Sentence? {
    guard let share = Self.withheldShare(total), share > Self.muchWithheld,
      let demand = configuration.crowd.demand,
      let largest = mostDaily
    else { return nil }
    let shortage = Sentence(
      "\(number: percent(share)) of the conversion values are withheld. The largest campaign has "
        + "\(Int(nearest: largest), "install") a day; this model shows \(demand).")
    guard configuration.crowd.middle.map({ $0 > largest }) ?? true else { return shortage }
    let cure = Sentence(
      "Simulate more users, or compare with a lower threshold: `--threshold hard:\(max(1, Int(largest)))`.")
    return .joined([shortage, cure], by: " ")
  }
}

extension CrowdModel {
  /// The installs of a campaign and day at which values begin to be shown, or half of them are; `nil` without one.
  var middle: Double? {
    switch self {
    case .hard(let rule): Double(rule.installsPerDay)
    case .logistic(let rule): rule.median
    case .tiers(let rule): Double(rule.first)
    case .none, .value: nil
    }
  }

  /// What the model shows, and from how many installs of a campaign and day on; `nil` where it shows everything.
  fileprivate var demand: Sentence? {
    switch self {
    case .none: nil
    case .hard(let rule): Sentence("conversion values from \(rule.installsPerDay)")
    case .logistic(let rule):
      Sentence(
        "conversion values from about \(number: trimmed(rule.median, 1)) installs, where half of them are shown"
      )
    case .tiers(let rule):
      Sentence("coarse conversion values from \(rule.first) and fine ones from \(rule.second)")
    case .value(let rule):
      Sentence("a conversion value if \(rule.users) users of a campaign and week share it")
    }
  }
}
