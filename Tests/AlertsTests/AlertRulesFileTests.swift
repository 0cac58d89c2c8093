@testable import Alerts
import Foundation
import JSONText
import Testing

struct `The file of the rules of alerts` {
  @Test(arguments: [
    ("[]", "1:1: $ must be an object, found an array"),
    (#"{"rule":[]}"#, #"1:2: $.rule: unknown member; did you mean "rules"?"#),
    (#"{"rules":{}}"#, "1:10: $.rules must be an array, found an object"),
    (#"{"rules":[1]}"#, "$.rules[0] must be an object, found an integer"),
    (#"{"rules":[{}]}"#, #"$.rules[0] needs a "kind""#),
    (
      #"{"rules":[{"kind":"null-shares"}]}"#,
      "1:19: $.rules[0].kind must be one of null-share, "
    ),
    (#"{"rules":[{"kind":7}]}"#, "$.rules[0].kind must be a string, found an integer"),
    (#"{"rules":[{"kind":"clock","severity":"high"}]}"#, #"must be one of warning, critical, found "high""#),
    (#"{"rules":[{"kind":"clock","enabled":1}]}"#, "must be true or false, found an integer"),
    (
      #"{"rules":[{"kind":"clock","days":3}]}"#,
      "$.rules[0].days: unknown member; use one of kind, severity, enabled, seconds"
    ),
    (#"{"rules":[{"kind":"clock","seconds":0}]}"#, "must be a whole number from 1 to 86400, found 0"),
    (#"{"rules":[{"kind":"clock","seconds":86401}]}"#, "must be a whole number from 1 to 86400, found 86401"),
    (#"{"rules":[{"kind":"clock","seconds":1.5}]}"#, "must be a whole number from 1 to 86400, found 1.5"),
    (
      #"{"rules":[{"kind":"clock","seconds":"9"}]}"#, "must be a whole number from 1 to 86400, found a string"
    ),
    (#"{"rules":[{"kind":"null-share","highest":1.01}]}"#, "must be a number from 0 to 1, found 1.01"),
    (#"{"rules":[{"kind":"null-share","highest":1e999}]}"#, "must be a number from 0 to 1, found 1e999"),
    (#"{"rules":[{"kind":"null-share","apps":["x"]}]}"#, "$.rules[0].apps[0] must be a whole number"),
    (#"{"rules":[{"kind":"null-share","networks":[]}]}"#, "$.rules[0].networks is empty"),
    (#"{"rules":[{"kind":"network-silent","apps":[1]}]}"#, "$.rules[0].apps: unknown member"),
    (#"{"resolve-after-minutes":-1}"#, "must be a whole number from 0 to 10080"),
  ])
  func `is rejected with place, path, what was found and what is allowed`(text: String, expected: String)
    throws
  {
    let error = #expect(throws: JSONFileError.self) {
      try AlertRulesFile.read(Array(text.utf8), named: "alerts.json")
    }
    let mistake = try #require(error)
    #expect(mistake.exitCode == .data)
    #expect(mistake.message.hasPrefix("alerts.json:"))
    #expect(mistake.message.contains(expected), "\(mistake.message)")
  }

  @Test func `has a cure for a kind that is slightly wrong`() throws {
    let text = #"{"rules":[{"kind":"null-shares"}]}"#
    let error = #expect(throws: JSONFileError.self) { try AlertRulesFile.read(Array(text.utf8), named: "x") }
    #expect(error?.remedy == #"Did you mean "null-share"?"#)
  }

  @Test func `sets what it names and leaves the rest as it is`() throws {
    let text = #"""
      {"resolve-after-minutes": 30, "rules": [
        {"kind": "null-share", "severity": "critical", "campaigns": ["39"], "days": 5},
        {"kind": "disk-space", "enabled": false, "gigabytes": 0.5}]}
      """#
    let rules = try AlertRulesFile.read(Array(text.utf8), named: "x")
    #expect(rules.resolveAfter == 1_800_000)
    #expect(rules.rules.count == AlertKind.allCases.count)
    #expect(rules.rules[0].severity == .critical)
    let shares = try #require(rules.rules[0].criteria as? NullShareCriteria)
    #expect(shares.days == 5)
    #expect(shares.baselineDays == 28)
    #expect(rules.rules[1].isEnabled == false)
    #expect((rules.rules[1].criteria as? DiskSpaceCriteria)?.gigabytes == 0.5)
  }

  @Test func `has a schema with the same members, bounds and defaults`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let bytes = try [UInt8](Data(contentsOf: root.appending(path: "schemas/alerts.schema.json")))
    let properties = try #require(JSONReader.read(bytes).value.object?["properties"]?.value.object)
    #expect(Set(properties.members.map(\.name)) == Set(AlertRulesFile.members))
    let rules = try #require(
      properties["rules"]?.value.object?["items"]?.value.object?["oneOf"]?.value.array)
    #expect(rules.count == AlertKind.allCases.count)
    for (node, kind) in zip(rules, AlertKind.allCases) {
      let members = try #require(node.value.object?["properties"]?.value.object)
      #expect(members["kind"]?.value.object?["const"]?.value.string == kind.rawValue)
      let names =
        AlertRulesFile.ruleMembers + kind.scopes.map(\.rawValue) + kind.parameters.map(\.name)
      #expect(Set(members.members.map(\.name)) == Set(names))
      for parameter in kind.parameters {
        let schema = try #require(members[parameter.name]?.value.object)
        func number(_ name: String) -> Double? { schema[name]?.value.number.flatMap { Double($0.text) } }
        #expect(number("minimum") == parameter.range.lowerBound)
        #expect(number("maximum") == parameter.range.upperBound)
        #expect(number("default") == parameter.standard)
        #expect((schema["type"]?.value.string == "integer") == parameter.isWhole)
      }
    }
  }
}
