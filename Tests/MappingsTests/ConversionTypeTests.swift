import JSONText
@testable import Mappings
import Postbacks
import System
import Testing
import Values

@Suite struct `Rules for a conversion type` {
  /// Value 5 is a purchase of an installed user and a visit of a re-engaged one; value 9 is for both.
  private let both = #"""
    "fine":[
    {"value":0},
    {"value":5,"label":"bought","events":["buy"],"revenue":{"from":10,"to":20},"conversion-types":["install"]},
    {"value":5,"label":"looked","events":["view"],"conversion-types":["re-engagement"]},
    {"value":9,"label":"paid","events":["pay"]}]
    """#

  private func codes(_ device: String, _ rest: String) -> [String] {
    let text =
      #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"\#(device)",\#(rest)}"#
    return MappingDocument.check(Array(text.utf8)).findings.map {
      "\($0.path) \($0.code.text): \($0.sentence)"
    }
  }

  // MARK: Reading

  @Test func `Rules for a conversion type are read, written and read again`() throws {
    let mapping = try mapping(skan: "aak", both)
    #expect(mapping.fine.map(\.conditions.conversionTypes.list.count) == [2, 1, 1, 2])
    #expect(mapping.isByConversionType)
    #expect(try MappingsTests.mapping(mapping.json.text()) == mapping)
    #expect(mapping.json.text().contains(#""conversion-types":["re-engagement"]"#))
  }

  @Test func `Rules for every conversion type equal rules without a type`() throws {
    let plain = try mapping(skan: "aak", #""fine":[{"value":1,"events":["a"]}]"#)
    let stated = try mapping(
      skan: "aak",
      #""fine":[{"value":1,"events":["a"],"conversion-types":["re-engagement","install"]}]"#)
    #expect(plain == stated)
    #expect(!stated.isByConversionType)
  }

  @Test(arguments: [
    (#"[]"#, #"$.fine[0]["conversion-types"]"#, "out-of-range"),
    (#"["install","install"]"#, #"$.fine[0]["conversion-types"]"#, "repeated-name"),
    (#"["install","reengagement"]"#, #"$.fine[0]["conversion-types"][1]"#, "unknown-word"),
    (#""install""#, #"$.fine[0]["conversion-types"]"#, "wrong-type"),
    (#"[1]"#, #"$.fine[0]["conversion-types"][0]"#, "wrong-type"),
  ]) func `Rules for a conversion type name the place of an error`(value: String, path: String, code: String)
  {
    let found = codes("aak", #""fine":[{"value":1,"conversion-types":\#(value)}]"#)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("\(path) \(code): ") == true, "\(found)")
  }

  @Test func `Rules for a conversion type are suggested for Apple's words of a postback`() {
    let text = #"""
      {"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"aak",
      "fine":[{"value":1,"conversion-types":["reengagement"]},{"value":2,"conversion-types":["redownload"]}]}
      """#
    let hints = MappingDocument.read(Array(text.utf8)).findings.map(\.hint?.english)
    #expect(hints == [#"Did you mean "re-engagement"?"#, #"Did you mean "install"?"#])
  }

  @Test func `Rules for a conversion type allow two grids to share values if their types differ`() throws {
    func grids(_ second: String) -> String {
      #"""
      "fine":[{"value":0,"coarse":"low"}],"grids":[
      {"first-value":1,"events":["buy"],"revenue":[0,10,null],"worth":[5,20],"conversion-types":["install"]},
      {"first-value":1,"events":["buy"],"revenue":[0,50,null],"worth":[25,80],"conversion-types":[\#(second)]}]
      """#
    }
    let mapping = try mapping(skan: "aak", grids(#""re-engagement""#))
    #expect(mapping.fine.count == 5)
    let taken = codes("aak", grids(#""re-engagement","install""#))
    #expect(taken.contains { $0.contains("value-taken") }, "\(taken)")
  }

  // MARK: Checking

  @Test func `Rules for a conversion type overlap only within a type`() {
    func rules(_ first: String, _ second: String) -> String {
      #"""
      "fine":[{"value":0,"coarse":"low"},
      {"value":1,"coarse":"low","revenue":{"from":0,"to":20,"representative":5}\#(first)},
      {"value":2,"coarse":"low","revenue":{"from":10,"representative":15}\#(second)}]
      """#
    }
    let (install, back) = (#","conversion-types":["install"]"#, #","conversion-types":["re-engagement"]"#)
    func overlaps(_ rules: String) -> [String] {
      codes("aak", rules).filter { $0.contains("overlapping-ranges") }
    }
    #expect(overlaps(rules("", "")).count == 1)
    #expect(overlaps(rules(install, install)).count == 1)
    #expect(overlaps(rules("", back)).count == 1)
    #expect(overlaps(rules("", back)).first?.contains(": for re-engagements: ") == true)
    #expect(overlaps(rules(install, back)).isEmpty)
  }

  @Test func `Rules for a conversion type may give a value two meanings, one for each type`() {
    let found = codes("aak", both)
    #expect(!found.contains { $0.contains("value-with-several-meanings") }, "\(found)")
    let same = codes("aak", both.replacing(#"["re-engagement"]"#, with: #"["install"]"#))
    #expect(same.contains { $0.contains("value-with-several-meanings") }, "\(same)")
  }

  @Test func `Rules for a conversion type that shadow each other are found within a type`() {
    let rest = #"""
      "precedence":"list-order","fine":[
      {"value":1,"coarse":"low","conversion-types":["install"]},
      {"value":2,"coarse":"low","events":["a"]}]
      """#
    // Value 1 shadows value 2 for installs, but not for re-engagements.
    #expect(!codes("aak", rest).contains { $0.contains("unreachable-value") })
    #expect(codes("skan4", rest).contains { $0.hasPrefix("$.fine[1] unreachable-value: no user") })
    let typed = rest.replacing(#""events":["a"]"#, with: #""events":["a"],"conversion-types":["install"]"#)
    #expect(codes("aak", typed).contains { $0.hasPrefix("$.fine[1] unreachable-value: ") })
  }

  @Test(arguments: ["skan3", "skan4"])
  func `Rules for a conversion type have no effect without re-engagements`(
    device: String
  ) {
    let rest = #""fine":[{"value":0},{"value":1,"events":["a"],"conversion-types":["re-engagement"]}]"#
    let found = codes(device, rest).filter { $0.contains("without-effect") }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("$.fine[1] ") == true)
  }

  @Test func `Rules for re-engaged users are reported if they have no value for users who do nothing more`() {
    let rest = #"""
      "fine":[{"value":0,"coarse":"low","conversion-types":["install"]},
      {"value":1,"coarse":"low","events":["a"],"conversion-types":["re-engagement"]}]
      """#
    let found = codes("aak", rest).filter { $0.contains("no-value-for-plain-installs") }
    #expect(found.count == 1)
    #expect(
      found.first?.contains("for re-engagements: a user who only comes back to the app") == true, "\(found)")
  }

  @Test func `Rules for a conversion type set coarse values with fine rules or by themselves, type by type`()
    throws
  {
    func rest(_ type: String) -> String {
      #"""
      "fine":[{"value":0,"coarse":"low","conversion-types":["install"]}],
      "coarse":[{"window":1,"low":{"conversion-types":["\#(type)"]}}]
      """#
    }
    let mapping = try mapping(skan: "aak", rest("re-engagement"))
    #expect(codes("aak", rest("install")).contains { $0.contains("two-coarse-sources") })
    func rules(_ type: ConversionType?) -> [RuleReference] {
      guard case .rules(let meanings) = mapping.decode(.low, window: .first, type: type) else { return [] }
      return meanings.map(\.rule)
    }
    #expect(rules(.install) == [.fine(0)])
    #expect(rules(.reengagement) == [.coarse(.first, 0)])
    #expect(rules(nil) == [.coarse(.first, 0), .fine(0)])
  }

  // MARK: Playing and decoding

  @Test func `Rules for a conversion type set values for their type alone`() throws {
    let mapping = try mapping(skan: "aak", both)
    let events = [event("view", hour: 1), event("buy", hour: 2, try usd("15"))]
    func last(_ type: ConversionType) -> RuleReference? {
      mapping.replay(events, type: type).updates.last?.cause
    }
    #expect(last(.install) == .fine(1))
    #expect(last(.reengagement) == .fine(2))
    #expect(mapping.replay(events).updates == mapping.replay(events, type: .install).updates)
  }

  @Test func `Rules for a conversion type decode by type, and as both if the type is not known`() throws {
    let mapping = try mapping(skan: "aak", both)
    let five = try #require(FineValue(5))
    func labels(_ type: ConversionType?) -> [String?] {
      guard case .rules(let meanings) = mapping.decode(five, type: type) else { return [] }
      return meanings.map(\.label)
    }
    #expect(labels(.install) == ["bought"])
    #expect(labels(.reengagement) == ["looked"])
    #expect(labels(nil) == ["bought", "looked"])
  }

  @Test
  func `Rules for a conversion type give sums by type, with the range of both if the type is not known`()
    throws
  {
    let history = MappingHistory([try mapping(skan: "aak", both)])
    let arrival = Instant(seconds: 1_800_000_000)
    func expectation(_ type: ConversionType?, _ version: ProtocolVersion = .adAttributionKit) throws
      -> Mappings.Expectation
    {
      history.expectation(
        of: .fine(try #require(FineValue(5))), version: version, window: .first, timers: .full,
        arrival: arrival..<arrival + 1, type: type)
    }
    let amounts = { (amount: Amount?) in amount.map { $0.micros / 1_000_000 } }
    let bought = try #require(try expectation(.install).revenue.first)
    #expect(amounts(bought.low) == 10 && amounts(bought.representative) == 15 && amounts(bought.high) == 20)
    #expect(try expectation(.reengagement).revenue.isEmpty)
    #expect(try expectation(.reengagement).events.map(\.name) == ["view"])
    let any = try #require(try expectation(nil).revenue.first)
    #expect(amounts(any.low) == 0 && any.representative.micros == 7_500_000 && amounts(any.high) == 20)
    #expect(try expectation(nil, .v4_0) == expectation(.install, .v4_0), "SKAdNetwork has installs alone")
  }

  @Test func `Rules for a conversion type leave a value unmapped for the other type`() throws {
    let mapping = try mapping(
      skan: "aak", #""fine":[{"value":7,"events":["a"],"conversion-types":["re-engagement"]}]"#)
    let history = MappingHistory([mapping])
    let arrival = Instant(seconds: 1_800_000_000)
    func status(_ type: ConversionType?) throws -> Mappings.Expectation.Status {
      history.expectation(
        of: .fine(try #require(FineValue(7))), version: .adAttributionKit, window: .first, timers: .full,
        arrival: arrival..<arrival + 1, type: type
      ).status
    }
    #expect(try status(.install) == .unmapped)
    #expect(try status(.reengagement) == .decoded)
    #expect(try status(nil) == .decoded)
  }

  @Test func `Rules for a conversion type appear in a comparison only if the types differ`() throws {
    let old = try mapping(skan: "aak", both)
    let new = try mapping(skan: "aak", both.replacing(#""view""#, with: #""search""#))
    let changes = new.changes(from: old)
    #expect(changes.map(\.kind) == [.kept, .kept, .changed, .kept])
    #expect(changes.map(\.type) == [nil, .install, .reengagement, nil])
    let split = try mapping(
      skan: "aak",
      #"""
      "fine":[{"value":1,"events":["a"],"conversion-types":["install"]},
      {"value":1,"events":["a"],"conversion-types":["re-engagement"]}]
      """#)
    let joined = try mapping(skan: "aak", #""fine":[{"value":1,"events":["a"]}]"#)
    #expect(split.changes(from: joined).map(\.kind) == [.kept], "two rules that say the same change nothing")
  }

  // MARK: Laws

  @Test func `Rules for a conversion type act as the mapping that has only the rules of the type`() {
    var random = SplitMix64(seed: 61)
    var (updates, decoded) = (0, 0)
    for round in 0..<300 {
      let mapping = randomMapping(&random)
      let events = randomStream(&random, count: 12, hours: 900)
      for type in ConversionType.allCases {
        let alone = mapping.only(type)
        let (expected, found) = (alone.replay(events), mapping.replay(events, type: type))
        #expect(found.postbacks == expected.postbacks, "round \(round)")
        #expect(found.updates.map(\.fine) == expected.updates.map(\.fine), "round \(round)")
        #expect(found.updates.map(\.coarse) == expected.updates.map(\.coarse), "round \(round)")
        updates += found.updates.count
        for slot in WindowValue.all {
          let (a, b) = (mapping.meaning(of: slot, type: type), alone.meaning(of: slot))
          #expect(a.parts == b.parts, "round \(round): \(slot)")
          decoded += a.parts.count
        }
      }
    }
    #expect(updates > 250 && decoded > 1000, "\(updates), \(decoded)")
  }
}

extension Mapping {
  /// The mapping with the rules of one type alone, made without the code that is tested.
  fileprivate func only(_ type: ConversionType) -> Mapping {
    func plain(_ conditions: Conditions) -> Conditions {
      Conditions(
        events: conditions.events, revenue: conditions.revenue, activeHours: conditions.activeHours)
    }
    return Mapping(
      name: name, app: app, currency: currency, effectiveFrom: effectiveFrom, device: device,
      isRaiseOnly: isRaiseOnly, measurementWindowHours: measurementWindowHours, precedence: precedence,
      fine: fine.filter { $0.conditions.conversionTypes.list.contains(type) }.map {
        FineRule(
          value: $0.value, conditions: plain($0.conditions), label: $0.label, coarse: $0.coarse,
          lock: $0.lock, priority: $0.priority)
      },
      coarse: coarse.compactMapValues { rules in
        let left = rules.rules.filter { $0.conditions.conversionTypes.list.contains(type) }.map {
          CoarseRule(value: $0.value, conditions: plain($0.conditions), label: $0.label, lock: $0.lock)
        }
        return left.isEmpty ? nil : CoarseRules(totals: rules.totals, rules: left)
      })
  }
}

extension Meaning {
  /// What the rules contain, without their places in the mapping.
  fileprivate var parts: [String] {
    guard case .rules(let meanings) = self else { return self == .zero ? ["zero"] : [] }
    return meanings.map { "\($0.label ?? "") \($0.events) \($0.revenue)" }
  }
}
