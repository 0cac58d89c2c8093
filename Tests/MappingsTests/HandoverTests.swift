import Mappings
import Postbacks
import Testing
import Values

struct `A mapping for app developers` {
  @Test func `Rules that differ in an amount only are one sentence, with every edge`() throws {
    let rules = try mapping(subscriptions).rulesInWords.map(\.english)
    let fine = rules.filter { $0.contains("subs_success") && $0.contains("gives values") }
    #expect(fine.count == 4)
    #expect(
      fine.first
        == "The newest event is 0 h or more and less than 12 h after the start; the revenue of “subs_success” in USD gives "
        + "values: 6 from 0 USD, 7 from 20 USD, 8 from 40 USD, 9 from 60 to below 80 USD.")
  }

  @Test func `Every range has a test at its lower edge and one inside`() throws {
    let cases = try mapping(subscriptions).handoverCases
    let amounts = Set(cases.flatMap { $0.events.compactMap { $0.revenue?.amount.description } })
    #expect(amounts.isSuperset(of: ["20", "40", "60", "10", "30", "50", "70"]))
    let values = Set(cases.flatMap { $0.updates.compactMap { $0.fine.map { Int($0.number) } } })
    #expect(values == Set(6...21))
    #expect(Set(cases.map(\.events)).count == cases.count)
  }

  @Test func `A test has the calls of the evaluator, also where another rule outranks the one it is for`()
    throws
  {
    let mapping = try mapping(
      skan: "skan4",
      #"""
      "fine": [{"value": 1, "events": ["a"]}, {"value": 2, "events": [{"name": "b", "count": {"min": 2}}]}],
      "coarse": [{"window": 2, "high": {"events": ["a"], "lock": true}}]
      """#)
    for test in mapping.handoverCases {
      #expect(test.updates == mapping.replay(test.events, type: test.type).updates)
    }
    #expect(mapping.handoverCases.contains { $0.events.count == 2 && $0.updates.last?.fine?.number == 2 })
    #expect(
      mapping.handoverCases.contains { $0.updates.last?.window == .second && $0.updates.last?.lock == true })
  }

  @Test func `What developers read has neither labels nor worths`() throws {
    let mapping = try mapping(
      skan: "skan4",
      #"""
      "fine": [{"value": 1, "label": "whales", "revenue": {"from": 1, "to": 9, "representative": 7.77}}]
      """#)
    let text = (mapping.rulesInWords + mapping.handoverCases.map(\.text)).map(\.english).joined()
    #expect(!text.contains("whales") && !text.contains("7.77"))
  }

  @Test(arguments: [
    #""revenue":{"from":"9223372036854.775805","to":"9223372036854.775806"}"#,
    #""revenue":{"from":"9223372036854.775806","includes-from":false,"representative":"9223372036854.775807"}"#,
    #""events":[{"name":"a","revenue":{"from":5000000000000}},{"name":"b","revenue":{"from":5000000000000}}]"#,
  ])
  func `Amounts at their limits have tests`(conditions: String) throws {
    let mapping = try mapping(skan: "skan4", #""fine": [{"value": 1, \#(conditions)}]"#)
    let cases = mapping.handoverCases
    #expect(cases.contains { $0.updates.last?.fine?.number == 1 })
  }

  @Test func `Every mapping has sentences and tests`() throws {
    var random = SplitMix64(seed: 24)
    for round in 0..<300 {
      let mapping = randomMapping(&random)
      #expect(mapping.rulesInWords.count >= 2, "round \(round)")
      let cases = mapping.handoverCases
      #expect(cases.first?.events.isEmpty == true, "round \(round)")
      for test in cases { #expect(!test.text.english.isEmpty) }
    }
  }
}
