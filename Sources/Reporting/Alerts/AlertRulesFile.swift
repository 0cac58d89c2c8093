package import JSONText
import Postbacks
import Values

/// Reads the file that defines when alerts fire; its form is `schemas/alerts.schema.json`.
package enum AlertRulesFile {
  package static let members = ["$schema", "resolve-after-minutes", "rules"]
  /// The members that every rule may have; those of its kind come to them.
  package static let ruleMembers = ["kind", "severity", "enabled"]
  /// How long a value may have to be quiet before an alert ends.
  package static let minutes: ClosedRange<Int64> = 0...10_080

  /// Reads the bytes of a file; the name is for messages.
  package static func read(_ bytes: [UInt8], named name: String) throws(JSONFileError) -> AlertRules {
    let file = JSONFile(bytes, name: name, schema: "schemas/alerts.schema.json")
    return try file.read { (root) throws(JSONProblem) in try root.alertRules() }
  }
}

extension JSONPlace {
  fileprivate func alertRules() throws(JSONProblem) -> AlertRules {
    let root = try members(JSONForm("a file of alerts", optional: AlertRulesFile.members))
    _ = try root["$schema"]?.text()
    var rules: [AlertRule] = []
    for entry in try root["rules"]?.list() ?? [] { rules.append(try entry.alertRule()) }
    guard let minutes = try root["resolve-after-minutes"]?.integer(in: AlertRulesFile.minutes) else {
      return AlertRules(rules)
    }
    return AlertRules(rules, resolveAfter: minutes * 60_000)
  }

  private func alertRule() throws(JSONProblem) -> AlertRule {
    let kind: AlertKind = try members().required("kind").word()
    var rule = AlertRule(kind)
    let allowed =
      AlertRulesFile.ruleMembers + kind.scopes.map(\.rawValue) + kind.parameters.map(\.name)
    for (name, place) in try members(JSONForm("a rule of \(kind.rawValue)", optional: allowed)) {
      if name == "kind" { continue }
      if name == "severity" {
        rule.severity = try place.word()
      } else if name == "enabled" {
        rule.isEnabled = try place.truth()
      } else if let part = AlertScope.Part(rawValue: name) {
        rule.parts[part] = try place.names(of: part)
      } else if let parameter = kind.parameters.first(where: { $0.name == name }) {
        rule.set(parameter, to: try place.number(parameter))
      }
    }
    return rule
  }

  private func names(of part: AlertScope.Part) throws(JSONProblem) -> Set<String> {
    var names: Set<String> = []
    for entry in try list() {
      switch part {
      case .apps: names.insert("\(try entry.integer(in: 1...Int64.max))")
      case .networks: names.insert(try entry.text().lowercased())
      case .campaigns, .origins: names.insert(try entry.text())
      }
    }
    guard !names.isEmpty else { throw mistake("is empty; omit the member to include all") }
    return names
  }

  private func number(_ parameter: AlertParameter) throws(JSONProblem) -> Double {
    let range = parameter.range
    let allowed =
      "\(parameter.isWhole ? "a whole number" : "a number") from \(trimmed(range.lowerBound, 6)) to "
      + trimmed(range.upperBound, 6)
    guard let number = node.value.number else { throw wrongType(Sentence("\(code: allowed)")) }
    guard let value = Double(number.text), range.contains(value),
      !parameter.isWhole || value == value.rounded()
    else { throw mistake("must be \(allowed), found \(number.text.prefix(40))") }
    return value
  }
}
