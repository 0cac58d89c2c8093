import Foundation
import JSONText
import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

@Suite struct `The evaluators of other systems` {
  let cases: [JSONObject]
  let configurations: JSONObject

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Vectors/peer-mapping-cases.json")
    let root = try #require(try JSONReader.read(Array(Data(contentsOf: file))).value.object)
    cases = (root["cases"]?.value.array ?? []).compactMap(\.value.object)
    configurations = try #require(root["configs"]?.value.object)
    #expect(cases.count == 136)
  }

  /// Runs every case of an evaluator and returns how many there were.
  func run(_ evaluator: String, _ body: (JSONObject, JSONObject, Comment) throws -> Void) throws
    -> Int
  {
    let chosen = cases.filter { $0["evaluator"]?.value.string == evaluator }
    for one in chosen {
      let given = try #require(one["given"]?.value.object)
      let expected = try #require(one["expect"]?.value.object)
      try body(given, expected, Comment(rawValue: one["id"]?.value.string ?? "?"))
    }
    return chosen.count
  }

  func record(_ node: JSONNode?, _ amounts: String) throws -> MetaRecord {
    let object = try #require(node?.value.object)
    var record = MetaRecord(events: Set(object["events"]?.value.array?.compactMap(\.value.string) ?? []))
    for event in object[amounts]?.value.object?.members ?? [] {
      for sum in event.value.value.object?.members ?? [] {
        record.amounts[event.name, default: [:]][sum.name] = try Amount(
          decimal: sum.value.value.number?.text ?? "")
      }
    }
    return record
  }

  /// A member that every case of its evaluator has.
  func node(_ object: JSONObject, _ name: String) throws -> JSONNode {
    let node = object[name]
    return try #require(node, "\(name)")
  }

  /// A whole number that every case of its evaluator has.
  func number(_ object: JSONObject, _ name: String) throws -> Int64 {
    let number = try node(object, name).value.number?.integer
    return try #require(number, "\(name)")
  }

  func truth(_ object: JSONObject, _ name: String) -> Bool? { object[name]?.value.bool }

  func integer(_ object: JSONObject, _ name: String) -> Int64? { object[name]?.value.number?.integer }

  func events(_ given: JSONObject) throws -> [MetaReporter.Event] {
    try (given["events"]?.value.array ?? []).compactMap(\.value.object).map { event in
      MetaReporter.Event(
        time: try number(event, "t"), name: event["event"]?.value.string ?? "",
        currency: event["currency"]?.value.string,
        amount: try event["value"]?.value.number.map { try Amount(decimal: $0.text) })
    }
  }

  func updates(_ node: JSONNode?) throws -> [MetaReporter.Update] {
    try (node?.value.array ?? []).compactMap(\.value.object).map { update in
      let time = try number(update, "t")
      guard let word = update["coarse"]?.value.string else {
        return .fine(Int(try number(update, "fine")), time: time)
      }
      let fine = Int(try number(update, "with_fine"))
      return .coarse(try #require(CoarseValue(rawValue: word)), fine: fine, time: time)
    }
  }

  @Test func `The evaluators of other systems follow Meta's rules`() throws {
    let count = try run("meta-rule") { given, expected, id in
      let node = try node(given, "rule")
      let record = try record(given["recorded"], "sums")
      let holds =
        MetaRule<Int>(node)?.holds(for: record) ?? MetaRule<CoarseValue>(node)?.holds(for: record)
      #expect(holds == truth(expected, "matched"), id)
    }
    #expect(count == 9)
  }

  @Test func `The evaluators of other systems read Meta's configuration`() throws {
    let count = try run("meta-parse") { given, expected, id in
      let node = try node(given, "json")
      var isValid: Bool?
      switch given["kind"]?.value.string {
      case "config":
        let configuration = MetaConfiguration(node)
        isValid = configuration != nil
        if let currency = expected["default_currency"]?.value.string {
          #expect(configuration?.defaultCurrency == currency, id)
          #expect(configuration?.cutoffDays == integer(expected, "cutoff_days"), id)
        }
      case "rule": isValid = MetaRule<Int>(node) != nil
      case "coarse-rule": isValid = MetaRule<CoarseValue>(node) != nil
      case "coarse-config": isValid = MetaCoarseConfiguration(node) != nil
      case "lock-rule": isValid = MetaLockRule(node) != nil
      case "event":
        isValid = MetaEvent(node) != nil
        if let values = expected["values"]?.value.object {
          #expect(MetaEvent(node)?.amounts?.count == values.members.count, id)
        }
      default: break
      }
      #expect(isValid == truth(expected, "valid"), id)
    }
    #expect(count == 20)
  }

  @Test func `The evaluators of other systems sort and collect Meta's rules`() throws {
    let orders = try run("meta-order") { given, expected, id in
      let order = MetaRule<Int>.list(given["rules"]?.value.array ?? []).map { Int64($0.value) }
      let wanted = expected["conversion_values_in_order"]?.value.array?.compactMap {
        $0.value.number?.integer
      }
      #expect(order == wanted, id)
    }
    let sets = try run("meta-sets") { given, expected, id in
      let config = try node(given, "config")
      let configuration = try #require(MetaConfiguration(config))
      let names = expected["coarse_events"]?.value.array?.compactMap(\.value.string)
      #expect(configuration.coarseEvents.sorted() == names, id)
    }
    #expect(orders == 2 && sets == 1)
  }

  @Test(arguments: [("meta-pipeline-v1", 1), ("meta-pipeline-v2", 21)])
  func `The evaluators of other systems report what Meta's SDK reports`(evaluator: String, number: Int) throws
  {
    let count = try run(evaluator) { given, expected, id in
      let reference = given["config_ref"]?.value.string.flatMap { configurations[$0] }
      let config = try given["config"] ?? #require(reference)
      let configuration = try #require(MetaConfiguration(config))
      var reporter = MetaReporter(configuration, hasWindows: evaluator == "meta-pipeline-v2")
      let updates = try events(given).flatMap { reporter.log($0) }
      let wanted = try self.updates(expected["updates"])
      #expect(updates == wanted, id)
      if let names = expected["recorded_events"]?.value.array?.compactMap(\.value.string) {
        #expect(reporter.record.events.sorted() == names, id)
        let sums = try record(JSONNode(value: .object(expected), range: 0..<0), "sums").amounts
        #expect(reporter.record.amounts == sums, id)
      }
      if expected["final_fine"] != nil {
        #expect(reporter.fine.map { Int64($0) } == integer(expected, "final_fine"), id)
        #expect(reporter.coarse?.rawValue == expected["final_coarse"]?.value.string, id)
      }
    }
    #expect(count == number)
  }

  @Test func `The evaluators of other systems assign moments to windows`() throws {
    let meta = try run("meta-window") { given, expected, id in
      let seconds = try number(given, "seconds_since_install")
      #expect(
        Int64(MetaConfiguration.window(secondsSinceInstall: seconds)) == integer(expected, "window"), id)
    }
    let cutoff = try run("meta-cutoff") { given, expected, id in
      let isCutOff = MetaConfiguration.isCutOff(
        secondsSinceInstall: try number(given, "seconds_since_install"),
        cutoffDays: integer(given, "cutoff_days"))
      #expect(isCutOff == truth(expected, "cut_off"), id)
    }
    let branch = try run("branch-window") { given, expected, id in
      let seconds = try number(given, "seconds_since_install")
      #expect(Int64(BranchGate.window(secondsSinceInstall: seconds)) == integer(expected, "window"), id)
    }
    #expect(meta == 4 && cutoff == 2 && branch == 2)
    #expect(MetaConfiguration.window(secondsSinceInstall: -1) == -1)
    #expect(MetaConfiguration.window(secondsSinceInstall: 3_024_001) == -1)
    #expect(BranchGate.window(secondsSinceInstall: -1) == 0)
    #expect(BranchGate.window(secondsSinceInstall: 3_024_001) == 0)
    #expect(MetaConfiguration.isCutOff(secondsSinceInstall: 0, cutoffDays: nil))
    #expect(MetaConfiguration.isCutOff(secondsSinceInstall: 0, cutoffDays: 0))
    #expect(!MetaConfiguration.isCutOff(secondsSinceInstall: 86_400, cutoffDays: 1))
    #expect(MetaConfiguration.isCutOff(secondsSinceInstall: 86_401, cutoffDays: 1))
  }

  @Test func `The evaluators of other systems rank Meta's aggregated rules`() throws {
    let rules = try run("meta-aem-rule") { given, expected, id in
      let ruleNode = try node(given, "rule")
      let rule = try #require(MetaAggregatedRule(ruleNode))
      let holds = rule.holds(for: try record(given["recorded"], "max_values"))
      #expect(holds == truth(expected, "matched"), id)
    }
    let next = try run("meta-aem") { given, expected, id in
      let config = try node(given, "config")
      let configuration = try #require(MetaAggregatedConfiguration(config))
      let boost = given["boost"]?.value.object.map {
        MetaAggregatedConfiguration.Boost(
          event: $0["event"]?.value.string ?? "", campaign: integer($0, "campaign") ?? 0)
      }
      let state = try node(given, "state").value.object
      let priority = state.flatMap { integer($0, "priority") }.map { Int($0) } ?? 0
      let found = configuration.next(
        after: priority, record: try record(given["recorded"], "max_values"), boost: boost)
      #expect((found != nil) == truth(expected, "updated"), id)
      #expect(Int64(found?.rule.value ?? -1) == integer(expected, "conversion_value"), id)
      #expect(Int64(found?.priority ?? priority) == integer(expected, "priority"), id)
    }
    #expect(rules == 7 && next == 5)
  }

  @Test func `The evaluators of other systems pass on what Branch's SDK passes on`() throws {
    let count = try run("branch-gate") { given, expected, id in
      var gate = BranchGate()
      let called = try (given["responses"]?.value.array ?? []).compactMap(\.value.object).map { response in
        gate.passes(
          BranchGate.Response(
            value: try number(response, "conversion_value"),
            isAscendingOnly: response["ascending_only"]?.value.bool ?? true),
          secondsSinceInstall: try number(response, "t"))
      }
      #expect(called == expected["called"]?.value.array?.compactMap(\.value.bool), id)
    }
    #expect(count == 2)
    // Source: ios-branch-deep-linking-attribution, `shouldCallPostbackForDataResponse:`.
    var gate = BranchGate()
    func passes(_ value: Int64, at seconds: Int64, ascending: Bool = true) -> Bool {
      gate.passes(
        BranchGate.Response(value: value, isAscendingOnly: ascending), secondsSinceInstall: seconds)
    }
    #expect(!passes(9, at: -1) && !passes(9, at: -1, ascending: false))
    #expect(passes(5, at: 172_800) && !passes(5, at: 172_800))
    // The first answer of a later window passes, also one of zero.
    #expect(passes(0, at: 172_801) && passes(0, at: 172_802) && passes(3, at: 604_800))
    #expect(!passes(3, at: 604_800) && passes(2, at: 604_800, ascending: false))
    #expect(passes(1, at: 3_024_000))
    #expect(!passes(63, at: 3_024_001) && !passes(63, at: 3_024_001, ascending: false))
    let bare = try JSONReader.read(Array(#"{"update_conversion_value":3}"#.utf8))
    #expect(BranchGate.Response(bare) == BranchGate.Response(value: 3, coarse: .low, isAscendingOnly: true))
  }
}

// Systems whose configuration is not imported, but whose rules our own format can hold.
extension `The evaluators of other systems` {
  @Test
  func `The evaluators of other systems set the values of a ladder of single events as our mapping does`()
    throws
  {
    let count = try run("ladder") { given, expected, id in
      let rungs = (given["ladder"]?.value.array ?? []).compactMap(\.value.object).map { rung in
        let name = rung["event"]?.value.string ?? ""
        return
          #"{"value":\#(integer(rung, "fine") ?? 0),"events":["\#(name)"],"lock":\#(truth(rung, "lock") ?? false)}"#
      }
      let ladder = try mapping(skan: "skan4", #""raise-only":true,"fine":[\#(rungs.joined(separator: ","))]"#)
      let stream = try events(given).map { UserEvent(secondsSinceInstall: $0.time, name: $0.name) }
      let updates = ladder.replay(stream).updates
      let wanted = (expected["updates"]?.value.array ?? []).compactMap(\.value.object)
      #expect(updates.map(\.time) == wanted.compactMap { integer($0, "t") }, id)
      #expect(updates.map { $0.fine.map { Int64($0.number) } } == wanted.map { integer($0, "fine") }, id)
      #expect(updates.map(\.lock) == wanted.compactMap { truth($0, "lock") }, id)
    }
    #expect(count == 2)
  }

  @Test func `The evaluators of other systems give an amount the same value as our grid`() throws {
    let buckets = try run("deferlink-bucket") { given, expected, id in
      let floors = (given["floors"]?.value.array ?? []).compactMap { $0.value.number?.text }
      let edges = (floors + ["null"]).joined(separator: ",")
      let grid = try mapping(skan: "skan4", #""grids":[{"first-value":0,"revenue":[\#(edges)]}]"#)
      let amount = try node(given, "usd").value.number?.text ?? ""
      let replay = grid.replay([event("buy", hour: 1, try usd(amount))])
      #expect(replay.updates.last?.fine.map { Int64($0.number) } == integer(expected, "bucket"), id)
    }
    #expect(buckets == 8)
  }
}
