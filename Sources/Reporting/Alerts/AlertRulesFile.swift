package import JSONText
import Postbacks
import Values

/// Reads the file that defines when alerts fire; its form is `schemas/alerts.schema.json`.
package enum AlertRulesFile {
  /// The members of the file.
  package static let members = ["$schema", "resolve-after-minutes", "rules"]
  /// The members that every rule may have; those of its kind come to them.
  package static let ruleMembers = ["kind", "severity", "enabled"]
  /// How long a value may have to be quiet before an alert ends.
  package static let minutes: ClosedRange<Int64> = 0...10_080

  /// Reads the bytes of a file; the name is for messages.
  package static func read(_ bytes: [UInt8], named name: String) throws(JSONFileError) -> AlertRules {
    let file = JSONFile(bytes, name: name, schema: "schemas/alerts.schema.json")
    let root = try file.object(file.read(), .root, allowing: members)
    if let node = root["$schema"] { _ = try file.text(node, JSONPath.root.member("$schema")) }
    var rules: [AlertRule] = []
    if let node = root["rules"] {
      let path = JSONPath.root.member("rules")
      for (index, entry) in try file.array(node, path).enumerated() {
        rules.append(try file.rule(entry, path.element(index)))
      }
    }
    guard let node = root["resolve-after-minutes"] else { return AlertRules(rules) }
    let minutes = try file.integer(node, JSONPath.root.member("resolve-after-minutes"), in: minutes)
    return AlertRules(rules, resolveAfter: minutes * 60_000)
  }
}

extension JSONFile {
  fileprivate func rule(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> AlertRule {
    guard let found = node.value.object else { throw wrongType(node, path, "an object") }
    guard let kindNode = found["kind"] else { throw mistake(node, path, "needs a \"kind\"") }
    let kind = try word(kindNode, path.member("kind"), AlertKind.allCases)
    var rule = AlertRule(kind)
    let allowed =
      AlertRulesFile.ruleMembers + kind.scopes.map(\.rawValue) + kind.parameters.map(\.name)
    for member in try object(node, path, allowing: allowed).members {
      let place = path.member(member.name)
      if member.name == "kind" { continue }
      if member.name == "severity" {
        rule.severity = try word(member.value, place, AlertSeverity.allCases)
      } else if member.name == "enabled" {
        guard let isEnabled = member.value.value.bool else {
          throw wrongType(member.value, place, "true or false")
        }
        rule.isEnabled = isEnabled
      } else if let part = AlertScope.Part(rawValue: member.name) {
        rule.parts[part] = try names(of: part, member.value, place)
      } else if let parameter = kind.parameters.first(where: { $0.name == member.name }) {
        rule.set(parameter, to: try number(member.value, place, parameter))
      }
    }
    return rule
  }

  private func word<Word: RawRepresentable<String>>(
    _ node: JSONNode, _ path: JSONPath, _ words: [Word]
  ) throws(JSONFileError) -> Word {
    let text = try text(node, path)
    if let word = Word(rawValue: text) { return word }
    let known = words.map(\.rawValue)
    let hint =
      nearest(to: text, among: known).map { "; did you mean \(quoted($0))?" }
      ?? "; use one of \(known.joined(separator: ", "))"
    throw mistake(node, path, "is \(quoted(text)), an unknown name\(hint)")
  }

  private func names(
    of part: AlertScope.Part, _ node: JSONNode, _ path: JSONPath
  ) throws(JSONFileError) -> Set<String> {
    var names: Set<String> = []
    for (index, entry) in try array(node, path).enumerated() {
      let place = path.element(index)
      switch part {
      case .apps: names.insert("\(try integer(entry, place, in: 1...Int64.max))")
      case .networks: names.insert(try text(entry, place).lowercased())
      case .campaigns, .origins: names.insert(try text(entry, place))
      }
    }
    guard !names.isEmpty else {
      throw mistake(node, path, "is empty; omit the member to include all")
    }
    return names
  }

  private func number(
    _ node: JSONNode, _ path: JSONPath, _ parameter: AlertParameter
  ) throws(JSONFileError) -> Double {
    let range = parameter.range
    let allowed =
      "\(parameter.isWhole ? "a whole number" : "a number") from \(trimmed(range.lowerBound, 6)) to "
      + trimmed(range.upperBound, 6)
    guard let number = node.value.number else { throw wrongType(node, path, allowed) }
    guard let value = Double(number.text), range.contains(value),
      !parameter.isWhole || value == value.rounded()
    else { throw mistake(node, path, "must be \(allowed), found \(number.text.prefix(40))") }
    return value
  }
}
