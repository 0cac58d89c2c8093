import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

@Suite struct `An imported mapping` {
  private func value(_ number: Int64, _ name: String, ends: ImportContext.Ends? = nil) throws -> FineRule {
    let value = try #require(FineValue(number))
    return try #require(try imported(name, ends: ends).mapping.fine.first { $0.value == value })
  }

  private func amount(_ text: String) throws -> Amount { try Amount(decimal: text) }

  @Test(arguments: ["ga4.json", "google-ads.json", "branch.json", "tenjin.csv", "google-arp.csv"])
  func `An imported mapping has the stated bounds, without a remark`(name: String) throws {
    for (ends, low, high) in [
      (ImportContext.Ends.both, true, true), (.lower, true, false), (.upper, false, true),
    ] {
      let range = try #require(try value(3, name, ends: ends).conditions.events.first?.revenue?.range)
      #expect(try range.contains(amount("5")) == low && range.contains(amount("20")) == high)
      #expect(try !imported(name, ends: ends).remarks.contains { $0.code == .endsAssumed })
    }
    let range = try #require(try value(3, name).conditions.events.first?.revenue?.range)
    #expect(try range.contains(amount("5")) && range.contains(amount("20")))
  }

  @Test func `An imported mapping has the hours and counts of AppsFlyer`() throws {
    let early = try value(2, "appsflyer-v1.json").conditions
    #expect(
      early.activeHours == HourRange(from: 0, to: 12) && early.events[0].count == CountRange(min: 1, max: 3))
    #expect(try early.events[0].revenue?.representative == amount("2.5"))
    let mapping = try imported("appsflyer-v1.json").mapping
    #expect(mapping.measurementWindowHours == 24)
    let updates = mapping.replay([
      event("af_purchase", hour: 11.9, try usd("5")), event("af_purchase", hour: 12, try usd("0")),
    ]).updates
    #expect(updates.compactMap { $0.fine?.number } == [2, 3])
  }

  @Test func `An imported mapping has the windows and locks of AppsFlyer, from either file`() throws {
    for name in ["appsflyer-v2.json", "appsflyer-adv.csv"] {
      let second = try #require(try imported(name).mapping.coarse[.second])
      #expect(second.rules.map(\.value) == [.medium, .high] && second.rules.map(\.lock) == [false, true])
      #expect(second.rules[0].conditions.activeHours == HourRange(from: 48, to: 168))
    }
    let mapping = try imported("appsflyer-v2.json").mapping
    #expect(mapping.coarse[.first]?.rules.count == 3 && mapping.measurementWindowHours == 48)
    let top = try value(5, "appsflyer-adv.csv").conditions.events[0].revenue
    #expect(try top?.representative == amount("150") && top?.high == amount("200"))
    #expect(
      try value(5, "appsflyer-v2.json").conditions.events[0].revenue?.range.contains(amount("200.01"))
        == false)
  }

  @Test func `An imported mapping takes AppsFlyer's worth from the bounds and reports another stated worth`()
    throws
  {
    let near = try imported("appsflyer-v2.json", replacing: "60.001", by: "60.002")
    #expect(near.remarks.contains { $0.code == .worthRecomputed })
    let euro = try imported("appsflyer-v2.json", replacing: #""USD""#, by: #""EUR""#)
    #expect(euro.mapping.fine[2].conditions.events[0].revenue?.currency.text == "EUR")
    #expect(euro.remarks.contains { $0.code == .worthRecomputed })
  }

  @Test func `An imported mapping requires every event of rows that share a value`() throws {
    let part = "id1000000001,2,af_skad_revenue"
    let both = try imported(
      "appsflyer-adv.csv", replacing: part,
      by: "id1000000001,1,af_login,1,2,,,0,48,2026-11-01 08:00:00,0,,,\n" + part)
    #expect(both.mapping.fine[1].conditions.events.map(\.name) == ["af_complete_registration", "af_login"])
    #expect(both.remarks.contains { $0.code == .allEventsAssumed })
  }

  @Test func `An imported mapping has Branch's alternatives as rules of their own`() throws {
    let mapping = try imported("branch.json").mapping
    let four = mapping.fine.filter { $0.value.number == 4 }
    #expect(
      four.map { $0.conditions.events[0].name } == ["PURCHASE", "SUBSCRIBE"]
        && four.map(\.lock) == [false, true])
    #expect(
      mapping.isRaiseOnly && mapping.fine[0].conditions == Conditions() && mapping.coarse[.third] == nil)
    let updates = mapping.replay([event("SUBSCRIBE", hour: 1)]).updates
    #expect(updates.map { $0.fine?.number } == [0, 4] && updates.map(\.lock) == [false, true])
    let free = try imported(
      "branch.json", replacing: #""ascending-only": true"#, by: #""ascending-only": false"#)
    #expect(!free.mapping.isRaiseOnly)
  }

  @Test func `An imported mapping locks where Google Ads states it`() throws {
    let mapping = try imported("google-ads.json").mapping
    #expect(
      mapping.coarse[.second]?.rules.map(\.lock) == [false, true] && !mapping.fine.contains(where: \.lock))
    #expect(mapping.fine[1].conditions.events[0].count == CountRange(min: 1, max: 1))
    #expect(mapping.measurementWindowHours == 48)
    let fine = try imported(
      "google-ads.json", replacing: #""lockWindowEvent": "purchase""#,
      by: #""lockWindowFineConversionValue": 4"#)
    #expect(fine.mapping.fine.filter(\.lock).map(\.value.number) == [4])
    let cutoff = try imported(
      "google-ads.json", replacing: #""measurementWindowHours": 48"#, by: #""measurementWindowHours": 49"#)
    #expect(
      cutoff.mapping.measurementWindowHours == nil && cutoff.remarks.contains { $0.code == .cutoffDropped })
  }

  @Test func `An imported mapping follows the priority and date of Meta's aggregated measurement`() throws {
    let mapping = try imported("meta-aem.json").mapping
    #expect(mapping.precedence == .priority && mapping.fine.map(\.priority) == [20, 10])
    #expect(mapping.effectiveFrom.seconds == 1_793_520_000 && mapping.measurementWindowHours == 24)
    let turned = try imported("meta-aem.json", replacing: #""priority": 20"#, by: #""priority": 5"#).mapping
    let updates = turned.replay([
      event("fb_mobile_purchase", hour: 1, try usd("20")), event("fb_mobile_complete_registration", hour: 2),
    ]).updates
    #expect(updates.map { $0.fine?.number } == [2, 1])
  }

  @Test func `An imported mapping has the stated worth of the App Reporting Pack`() throws {
    let revenue = try value(2, "google-arp.csv").conditions.events[0].revenue
    #expect(
      try revenue?.low == amount("0.01") && revenue?.representative == amount("2.5")
        && revenue?.high == amount("5"))
    #expect(try value(1, "google-arp.csv").conditions.events[0].revenue == nil)
    let more = try imported("google-arp.csv", replacing: "sign_up,1,1", by: "sign_up,1,3")
    #expect(more.mapping.fine[0].conditions.events[0].count == CountRange(min: 3, max: nil))
    #expect(more.remarks.contains { $0.code == .countAssumed })
    let apps = try imported("google-arp.csv", replacing: "1000000001,purchase,3", by: "5,purchase,3")
    #expect(apps.mapping.fine.count == 3 && apps.remarks.contains { $0.code == .otherApp })
  }

  @Test func `An imported mapping reports a gap or a missing currency in Tenjin's ranges`() throws {
    let gap = try imported("tenjin.csv", replacing: "5.00,20.00", by: "6.00,20.00")
    #expect(
      gap.remarks.filter { $0.code == .gap }.map(\.sentence.english) == [
        #""purchase" has no value between 5 and 6"#
      ])
    let silent = try imported("tenjin.csv", replacing: "20.00,USD", by: "20.00,")
    #expect(silent.remarks.contains { $0.code == .currencyAssumed } && silent.mapping.fine.count == 4)
    let quoted = try imported("tenjin.csv", replacing: "3,purchase", by: "3,\"pur\"\"chase,\n\"")
    #expect(quoted.mapping.fine[2].conditions.events[0].name == "pur\"chase,\n")
  }

  @Test func `An imported mapping has Airbridge's coarse values of every window`() throws {
    let rules = #"{"conversion_value":"high","events":[{"event_name":"a","values":{"min_amount":1}}]}"#
    let text = #"""
      {"default_currency":"EUR","postbacks":[
        {"conversion_schema":{"fine":{"schema":[{"conversion_value":"0","events":[]}]},"coarse":{"schema":[\#(rules)]}}},
        {"conversion_schema":{"coarse":{"schema":[\#(rules)]}}},
        {"conversion_schema":{"coarse":{"schema":[{"conversion_value":"LOW","events":[{"event_name":"b"}]}, 3]}}}]}
      """#
    let result = try imported("airbridge.json", text)
    #expect(
      result.mapping.coarse.mapValues { $0.rules.map(\.value) } == [
        .first: [.high], .second: [.high], .third: [.low],
      ])
    #expect(result.mapping.fine.map(\.conditions) == [Conditions()])
    #expect(result.remarks.map(\.code) == [.noWorth, .ruleDropped])
  }

  @Test(arguments: [(#"2"#, 48, false), ("3", nil, true), ("0", nil, true), ("1", 24, false)])
  func `An imported mapping keeps Meta's cutoff inside the first window only`(
    days: String, hours: Int?, isDropped: Bool
  ) throws {
    let result = try imported("meta.json", replacing: #""cutoff_time": 2"#, by: #""cutoff_time": \#(days)"#)
    #expect(result.mapping.measurementWindowHours == hours)
    #expect(result.remarks.contains { $0.code == .cutoffDropped } == isDropped)
  }
}
