import JSONText
import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

// Systems that pack numbers into a value, or read it by ranges, written as mappings of ours where that can be.
extension `The evaluators of other systems` {
  @Test
  func `The evaluators of other systems give the value of an event's rank and revenue tier as our grids do`()
    throws
  {
    // The ranks of each template, as the vendor's tests have them.
    let ranks: [String: [String: Int]] = [
      "ecommerce": ["purchase": 7, "subscribe": 6, "begin_checkout": 4, "signup": 2, "view_item": 1],
      "gaming": ["achievement_unlocked": 5, "tutorial_complete": 4, "level_complete": 3],
      "subscription": ["subscribe": 7, "payment_method_added": 3, "cancel": 1],
    ]
    let count = try run("datalyr") { given, expected, id in
      let template = try #require(ranks[given["template"]?.value.string ?? ""])
      let grids = template.map { name, rank in
        #"{"first-value":\#(rank * 8),"events":["\#(name)"],"revenue":[0,1,5,10,25,50,100,250,null]}"#
      }
      let packed = try mapping(skan: "skan3", #""grids":[\#(grids.joined(separator: ","))]"#)
      let amount = given["revenue"]?.value.number?.text
      let name = given["event"]?.value.string ?? ""
      let replay = packed.replay([event(name, hour: 1, try amount.map { try usd($0) })])
      #expect(replay.postbacks.first?.fine.map { Int64($0.number) } == integer(expected, "fine"), id)
      #expect(replay.updates.last?.lock ?? false == truth(expected, "lock") ?? false, id)
      guard let value = replay.updates.last?.fine, case .rules(let meanings) = packed.decode(value) else {
        return
      }
      #expect(meanings.map { $0.events.map(\.name) } == [[name]], id)
    }
    #expect(count == 23)
  }

  @Test func `The evaluators of other systems write a number into some bits of a value`() throws {
    let count = try run("bit-pack") { given, expected, id in
      let width = Int(try number(given, "bits"))
      let field = given["side"]?.value.string == "left" ? BitField.leftmost(width) : .rightmost(width)
      let stored = try #require(FineValue(try number(given, "stored")))
      let written = try #require(field).writing(Int(try number(given, "value")), into: stored)
      #expect(Int64(written.number) == integer(expected, "result"), id)
    }
    #expect(count == 14)
    let packs = try run("deferlink-pack") { given, expected, id in
      var value = try #require(FineValue(0))
      for (name, lowest, width) in [("revenue_bucket", 3, 3), ("engagement", 1, 2), ("flag", 0, 1)] {
        let field = try #require(BitField(lowest: lowest, width: width))
        let part = Int(try number(given, name))
        value = field.writing(part, into: value)
        #expect(field.number(in: value) == part, id)
      }
      #expect(Int64(value.number) == integer(expected, "fine"), id)
    }
    #expect(packs == 2)
  }

  @Test(arguments: [
    (0, 1), (6, 1), (0, 7), (-1, 1), (5, 2), (0, 0), (0, -1), (Int.max, 1), (0, Int.max), (5, 1), (0, 6),
  ])
  func `The evaluators of other systems have only fields of the six bits`(lowest: Int, width: Int) {
    let isInside = (0...5).contains(lowest) && width > 0 && width <= 6 && lowest + width <= 6
    #expect((BitField(lowest: lowest, width: width) != nil) == isInside)
    #expect((BitField.leftmost(width) != nil) == (1...6).contains(width))
  }

  /// The floors of the revenue buckets, and what a bucket counts; the top counts twice its floor.
  private static let floors = ["0", "0.01", "1", "5", "20", "50", "100", "300"]
  private static let top = "600"

  @Test func `The evaluators of other systems count the middle of a range of a grid as ours does`() throws {
    let edges = (Self.floors + ["null"]).joined(separator: ",")
    let amounts = try (0..<8).map { index -> String in
      guard index < 7 else { return Self.top }
      let (low, high) = (try Amount(decimal: Self.floors[index]), try Amount(decimal: Self.floors[index + 1]))
      return try #require(AmountRange(lower: .closed(low), upper: .open(high))?.middle).description
    }
    let worth = amounts.joined(separator: ",")
    let grid = try mapping(
      skan: "skan4", #""grids":[{"first-value":0,"revenue":[\#(edges)],"worth":[\#(worth)]}]"#)
    let count = try run("deferlink-midpoint") { given, expected, id in
      let value = try #require(FineValue(try number(given, "bucket")))
      guard case .rules(let meanings) = grid.decode(value) else {
        Issue.record(id)
        return
      }
      let wanted = try Amount(decimal: expected["usd"]?.value.number?.text ?? "")
      #expect(meanings.first?.revenue.first?.representative == wanted, id)
    }
    #expect(count == 2)
  }

  @Test func `The evaluators of other systems read ranges of values as our rules for each do`() throws {
    let count = try run("deferlink-decode") { given, expected, id in
      let rules = (given["rules"]?.value.array ?? []).compactMap(\.value.object)
      let fine = try (Int64(0)...63).compactMap { value in
        try rules.first { try (number($0, "cv_min")...number($0, "cv_max")).contains(value) }.map { rule in
          let bucket = Int(value >> 3)
          let worth = try times(
            try number(rule, "multiplier"), bucket < 7 ? Self.floors[bucket + 1] : Self.top)
          let revenue = #"{"from":\#(Self.floors[bucket]),"representative":\#(worth)}"#
          return
            #"{"value":\#(value),"events":[{"name":"\#(rule["event"]?.value.string ?? "")","revenue":\#(revenue)}]}"#
        }
      }
      // The vendor reads a coarse value as fine 0, 31 or 63, money and all; ours means the event alone.
      let coarse = zip(["low", "medium", "high"], [Int64(0), 31, 63]).map { word, value in
        let rule = rules.first {
          (try? (number($0, "cv_min")...number($0, "cv_max")).contains(value)) ?? false
        }
        return #""\#(word)":{"events":["\#(rule?["event"]?.value.string ?? "")"]}"#
      }.joined(separator: ",")
      let read = try mapping(
        skan: "skan4",
        #""fine":[\#(fine.joined(separator: ","))],"coarse":[{"window":1,\#(coarse)},{"window":2,\#(coarse)}]"#
      )
      let postback = try #require(given["postback"]?.value.object)
      let wanted = try #require(expected["instruction"]?.value.object)
      let word = postback["coarse"]?.value.string.flatMap { CoarseValue(rawValue: $0) }
      let meaning: Meaning
      if let word {
        let window = try #require(ConversionWindow(rawValue: Int(try number(postback, "window")) - 1))
        meaning = read.decode(word, window: window)
      } else {
        meaning = read.decode(try #require(FineValue(try number(postback, "fine"))))
      }
      guard case .rules(let meanings) = meaning else {
        Issue.record(id)
        return
      }
      #expect(meanings.map { $0.events.map(\.name) } == [[wanted["event"]?.value.string ?? ""]], id)
      if word != nil {
        #expect(meanings[0].revenue.isEmpty, id)
      } else if let amount = wanted["value"]?.value.number?.text {
        #expect(meanings[0].revenue.first?.representative == (try Amount(decimal: amount)), id)
      }
    }
    #expect(count == 4)
  }

  private func times(_ factor: Int64, _ text: String) throws -> Amount {
    Amount(micros: factor * (try Amount(decimal: text).micros))
  }

  @Test
  func `The evaluators of other systems count the middle of a range, and of a number of times, as ours`()
    throws
  {
    var asserted = 0
    let all = try run("report") { given, expected, id in
      func amount(_ node: JSONNode?) throws -> Amount? {
        try (node?.value.number?.text).map { try Amount(decimal: $0) }
      }
      if let low = try amount(given["event_revenue_min"] ?? given["min_event_revenue"]),
        let high = try amount(given["event_revenue_max"] ?? given["max_event_revenue"])
      {
        let range = try #require(AmountRange(lower: .open(low), upper: .closed(high)))
        let revenue = try #require(RevenueCondition(range, try usd("0").currency))
        let wanted = try #require(try amount(expected["estimated"] ?? expected["event_revenue_usd"]))
        // AppsFlyer rounds to cents.
        #expect(abs((revenue.representative?.micros ?? 0) - wanted.micros) <= 5000, id)
        #expect(try amount(expected["min"]) ?? low == revenue.low, id)
        #expect(try amount(expected["max"]) ?? high == revenue.high, id)
        asserted += 1
      } else if let least = integer(given, "min_event_counter"),
        let most = integer(given, "max_event_counter")
      {
        let counted = try mapping(
          skan: "skan4",
          #""fine":[{"value":1,"events":[{"name":"a","count":{"min":\#(least),"max":\#(most)}}]}]"#)
        let file = try MappingFormat.appsFlyer.export(counted).bytes
        let middle = try #require(integer(expected, "event_counter"))
        #expect(String(decoding: file, as: UTF8.self).contains(#""event_counter": \#(middle),"#), id)
        asserted += 1
      }
    }
    // Two are about what a mapping does not contain: a campaign's withheld values, and the day of an install.
    #expect(all == 5 && asserted == 3)
  }

  @Test(
    arguments: [
      // A user who fits several entries gets the first, whatever its value.
      (["purchase:150"], 5, true), (["purchase:100"], 5, true), (["purchase:99.99"], 4, false),
      (["purchase:20"], 4, false), (["purchase:19.99"], 3, false), (["purchase:5"], 3, false),
      (["purchase:0.01"], 2, false), (["sign_up:0"], 1, false), (["sign_up:0", "purchase:3"], 2, false),
      (["purchase:3", "sign_up:0"], 2, false), (["purchase:20", "tutorial_complete:0"], 6, false),
      (["tutorial_complete:0", "purchase:19"], 3, false), (["tutorial_complete:0"], nil, nil),
    ] as [([String], Int64?, Bool?)])
  func `The evaluators of other systems try Google Analytics' entries in the order of the list`(
    events: [String], value: Int64?, lock: Bool?
  ) throws {
    let stream = try events.enumerated().map { index, text in
      let parts = text.split(separator: ":").map(String.init)
      return event(parts[0], hour: Double(index + 1), try usd(parts[1]))
    }
    let last = try imported("ga4.json").mapping.replay(stream).updates.last
    #expect(last?.fine.map { Int64($0.number) } == value && last?.lock == lock)
  }

  @Test func `The evaluators of other systems rank an entry of Google Analytics by place, not by value`()
    throws
  {
    let rules = ["a:9", "b:40", "a:63"].map { text in
      let parts = text.split(separator: ":")
      return #"{"fineValue":\#(parts[1]),"eventMappings":[{"eventName":"\#(parts[0])","minEventCount":"1"}]}"#
    }
    let text = #"{"postbackWindowOne":{"conversionValues":[\#(rules.joined(separator: ","))]}}"#
    let mapping = try imported("ga4.json", text).mapping
    let updates = mapping.replay([event("b", hour: 1), event("a", hour: 2)]).updates
    #expect(updates.map { $0.fine?.number } == [40, 9])
    // The order survives being written, which the highest value would not.
    let file = try MappingFormat.ga4.export(mapping)
    #expect(file.mapping.fine.map(\.value) == mapping.fine.map(\.value))
    #expect(try MappingFormat.airbridge.export(mapping).remarks.contains { $0.code == .precedence })
  }
}
