import Mappings
import Testing
import Values

@Suite struct `Checking a mapping` {
  /// One planted mistake: the head's protocol and the lines below the head, of which one is marked with `◀`.
  struct Trap: Sendable, CustomTestStringConvertible {
    let code: String
    let device: String
    let lines: String
    var testDescription: String { code }

    init(_ code: String, _ device: String, _ lines: String) {
      self.code = code
      self.device = device
      self.lines = lines
    }
  }

  private func text(_ device: String, _ lines: String) -> String {
    #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"\#(device)","#
      + "\n" + lines + "}"
  }

  /// Rules on users that a mapping misses, which have a suite of their own; the traps here are about a rule or two.
  private static let forgetful: Set<RuleCode> = [
    .nothingAboveTop, .nothingForInstalls, .nothingForSmallCrowds,
  ]

  private func findings(_ text: String) -> [String] {
    MappingDocument.check(Array(text.utf8)).findings.filter { finding in
      !Self.forgetful.contains { finding.code == .rule($0) }
    }.map { "\($0.position.line) \($0.code.text)" }
  }

  @Test(arguments: [
    subscriptions, subscriptions.replacing("skan4", with: "skan3"),
    subscriptions.replacing(#"80]"#, with: #"null], "worth": [10, 30, 50, 90]"#),
  ]) func `Checking a mapping finds nothing wrong with a correct one`(text: String) throws {
    #expect(findings(text).isEmpty)
    let shown = try mapping(text).json.text(pretty: true)
    #expect(findings(shown).isEmpty, "what is shown has to pass as well")
  }

  @Test(arguments: [
    Trap(
      "unreachable-value", "skan4",
      #"""
      "fine":[{"value":2,"events":["a"]},
      {"value":1,"events":["a"],"active-hours":{"from":0,"to":12}} ◀]
      """#),
    Trap(
      "unreachable-value", "skan4",
      #"""
      "precedence":"list-order","fine":[{"value":1,"revenue":{"from":0}},
      {"value":2,"revenue":{"from":20,"to":30,"representative":25}} ◀]
      """#),
    Trap(
      "unreachable-value", "skan4",
      #"""
      "fine":[{"value":1,"events":[{"name":"a","count":{"min":3,"max":4}}],"revenue":{"from":0,"to":9}} ◀,
      {"value":5,"events":[{"name":"a","count":{"min":2}}]}]
      """#),
    Trap(
      "early-event-blocks-money", "skan3",
      #"""
      "fine":[
      {"value":63,"events":["signup"]}, ◀
      {"value":10,"events":[{"name":"purchase","revenue":{"from":0,"includes-from":false,"to":20}}]},
      {"value":20,"events":[{"name":"purchase","revenue":{"from":20,"to":40}}]}]
      """#),
    // The same with one range alone, which begins at nothing.
    Trap(
      "early-event-blocks-money", "skan3",
      #"""
      "fine":[
      {"value":63,"events":["signup"]}, ◀
      {"value":10,"events":[{"name":"purchase","revenue":{"from":0,"to":10}}]}]
      """#),
    Trap(
      "early-event-blocks-money", "aak",
      #"""
      "raise-only":true,"fine":[
      {"value":5,"revenue":{"from":0,"to":20}}, ◀
      {"value":4,"revenue":{"from":20,"to":40}}]
      """#),
    Trap(
      "impossible-in-window", "skan4",
      #"""
      "fine":[{"value":1,"events":["a"],"active-hours":{"from":0,"to":48}},
      {"value":2,"events":["a"],"active-hours":{"from":48,"to":72}} ◀]
      """#),
    Trap(
      "impossible-in-window", "skan4",
      #"""
      "coarse":[{"window":2,
      "low":{"active-hours":{"from":0,"to":48}} ◀}]
      """#),
    Trap(
      "impossible-in-window", "skan4",
      #"""
      "declared-events":["signup",{"name":"third_day","earliest-hours":48}],
      "fine":[{"value":1,"events":["signup"]},
      {"value":2,"events":["third_day"]} ◀]
      """#),
    Trap(
      "coarse-not-rising", "skan4",
      #"""
      "fine":[{"value":1,"events":["a"],"coarse":"medium"},
      {"value":2,"events":["b"],"coarse":"low"} ◀]
      """#),
    Trap(
      "coarse-not-rising", "skan4",
      #"""
      "coarse":[{"window":1,"high":{"events":["a"]},"low":{"events":["b"]}}],
      "fine":[{"value":1,"events":["a"]},
      {"value":2,"events":["b"]} ◀]
      """#),
    Trap(
      "lock-loses-money", "skan4",
      #"""
      "fine":[{"value":1,"revenue":{"from":0,"to":20}},
      {"value":2,"revenue":{"from":20,"to":40},"lock":true}, ◀
      {"value":3,"revenue":{"from":40,"to":60}}]
      """#),
    Trap(
      "lock-loses-money", "skan4",
      #"""
      "coarse":[{"window":3,
      "low":{"events":["a"],"lock":true}, ◀
      "high":{"revenue":{"from":40,"to":60}}}]
      """#),
    Trap(
      "overlapping-ranges", "skan4",
      #"""
      "fine":[{"value":1,"revenue":{"from":0,"to":20,"includes-to":true}},
      {"value":2,"revenue":{"from":20,"to":40}} ◀]
      """#),
    Trap(
      "gap-between-ranges", "skan4",
      #"""
      "fine":[{"value":1,"revenue":{"from":0,"to":20}},
      {"value":2,"revenue":{"from":20,"includes-from":false,"to":40}} ◀]
      """#),
    Trap(
      "gap-between-ranges", "skan4",
      #"""
      "coarse":[{"window":2,"low":{"revenue":{"from":0,"to":20}},
      "high":{"revenue":{"from":21,"to":40}} ◀}]
      """#),
    Trap(
      "no-room-for-new-values", "skan4",
      #"""
      "grids": ◀ [{"first-value":0,"active-hours":[0,12,24,36,48],
      "revenue":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}]
      """#),
    Trap(
      "few-revenue-ranges-for-meta", "skan4",
      #"""
      "partners": ◀ ["meta"],
      "grids":[{"first-value":1,"revenue":[0,1,2,3]}]
      """#),
    Trap(
      "currency-not-listed", "skan4",
      #"""
      "fine":[{"value":1,"revenue":{"from":0,"to":2,
      "currency":"USX"}} ◀]
      """#),
    Trap(
      "open-top-for-appsflyer", "skan4",
      #"""
      "partners":["appsflyer"],
      "grids":[
      {"first-value":1,"revenue":[0,1,2,3,null]} ◀]
      """#),
    Trap(
      "open-top-without-representative", "skan4",
      #"""
      "fine":[{"value":1,"revenue":{"from":0,"to":2}},
      {"value":2,"revenue":{"from":2}} ◀]
      """#),
    Trap(
      "count-ends-revenue", "skan4",
      #"""
      "fine":[{"value":1, ◀
      "events":[{"name":"purchase","count":{"min":0,"max":1},"revenue":{"from":0,"to":2}}]}]
      """#),
    Trap(
      "range-without-end", "skan4",
      #"""
      "fine":[{"value":1,"events":[
      {"name":"purchase","revenue": ◀ {"low":3,"high":4}}]}]
      """#),
    Trap(
      "range-without-end", "skan4",
      #"""
      "fine":[{"value":1,"events":[
      {"name":"purchase","revenue": ◀ {"from":3,"high":4}}]}]
      """#),
    Trap(
      "range-without-end", "skan4",
      #"""
      "fine":[{"value":1,"events":[
      {"name":"purchase","revenue": ◀ {"low":3,"to":4}}]}]
      """#),
    Trap(
      "impossible-in-window", "skan4",
      #"""
      "fine":[{"value":1,"events":["purchase"],"active-hours":{"from":24,"to":72}} ◀]
      """#),
    Trap(
      "impossible-in-window", "aak",
      #"""
      "coarse":[{"window":2,
      "low":{"events":["purchase"],"active-hours":{"from":24,"to":168}} ◀}]
      """#),
    Trap(
      "without-effect", "skan4",
      #"""
      "fine":[{"value":1,"events":["purchase"],"priority":5} ◀]
      """#),
    Trap(
      "undeclared-event", "skan4",
      #"""
      "declared-events":["purchase"],
      "fine":[{"value":1,"events":["purchsae"]} ◀]
      """#),
    Trap(
      "without-effect", "skan3",
      #"""
      "fine":[{"value":1,"events":["purchase"]}],
      "coarse":[{"window":1}] ◀
      """#),
  ]) func `Checking a mapping gives exactly one finding for one trap, at its line`(trap: Trap) throws {
    let lines = trap.lines.split(separator: "\n")
    let line = try #require(lines.firstIndex { $0.contains("◀") })
    let mapping = text(trap.device, trap.lines.replacing("◀", with: ""))
    #expect(findings(mapping) == ["\(line + 2) \(trap.code)"])
  }

  @Test func `Checking a mapping ends soon on a mapping that is made to take long`() {
    let rules = (0..<512).map { index in
      let events = (0..<16).map { event in
        #"{"name":"e\#(event)","count":{"min":\#(index % 7)},"revenue":{"from":\#(index),"to":\#(index + 600)}}"#
      }
      return #"{"value":\#(index % 60 + 1),"events":[\#(events.joined(separator: ","))]}"#
    }
    let bytes = Array(text("skan3", #""fine":[\#(rules.joined(separator: ","))]"#).utf8)
    let start = ContinuousClock.now
    #expect(MappingDocument.check(bytes).document != nil)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `Checking a mapping covers every rule by name once`() {
    #expect(Set(RuleCode.allCases.map(\.rawValue)).count == RuleCode.allCases.count)
  }

  @Test func `Checking a mapping ends on any mapping, and never reports a value that a user got`() throws {
    var random = SplitMix64(seed: 21)
    for round in 0..<150 {
      let mapping = randomMapping(&random)
      let reading = MappingDocument.check(mapping.json.bytes(pretty: true))
      let document = try #require(reading.document, "round \(round)")
      let unreachable = Set(
        reading.findings.filter { $0.code == .rule(.unreachableValue) }.map(\.path.description))
      for _ in 0..<20 {
        for update in document.mapping.replay(randomStream(&random, count: 12)).updates {
          guard case .fine(let index) = update.cause else { continue }
          #expect(!unreachable.contains("$.fine[\(index)]"), "round \(round): \(mapping.json.text())")
        }
      }
    }
  }
}
