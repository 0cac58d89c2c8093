import Foundation
import JSONText
import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

@Suite struct `Importing another system's mapping` {
  @Test(arguments: [
    ("meta.json", "fb_mobile_purchase", 4, 4), ("ga4.json", "purchase", 4, 3),
    ("airbridge.json", "airbridge.ecommerce.order.completed", 3, 2), ("airbridge-v4.json", "purchase", 3, 2),
    ("google-ads.json", "purchase", 2, 0), ("appsflyer-v2.json", "af_skad_revenue", 3, 3),
    ("appsflyer-adv.csv", "af_skad_revenue", 3, 3), ("branch.json", "PURCHASE", 3, 0),
    ("tenjin.csv", "purchase", 1, 0),
    ("google-arp.csv", "purchase", 1, 0), ("meta-aem.json", "fb_mobile_purchase", 1, 1),
  ]) func `Importing another system's mapping gives the ranges and values of the sample`(
    name: String, purchase: String, ranges: Int, probes: Int
  ) throws {
    let mapping = try imported(name).mapping
    let expected = try #require(
      JSONReader.read(vector("expect.json")).value.object?["formats"]?.value.object?[name]?.value.object)
    var found = 0
    for member in expected.members {
      guard let value = Int64(member.name).flatMap({ FineValue($0) }), let wanted = member.value.value.object
      else { continue }
      let rule = try #require(mapping.fine.first { $0.value == value })
      let revenue = try #require(rule.conditions.events.first?.revenue)
      let range = revenue.range
      let low = try wanted["min"]?.value.number.map { try Amount(decimal: $0.text) }
      let high = try wanted["max"]?.value.number.map { try Amount(decimal: $0.text) }
      #expect(range.lower.amount == low && revenue.high == high, "\(name) \(member.name)")
      if let low, let isIn = wanted["min_inclusive"]?.value.bool { #expect(range.contains(low) == isIn) }
      if let high, let isIn = wanted["max_inclusive"]?.value.bool { #expect(range.contains(high) == isIn) }
      found += 1
    }
    var probed = 0
    for probe in expected["probes"]?.value.object?.members ?? [] {
      let replay = mapping.replay([event(purchase, hour: 1, try usd(probe.name))])
      let value = replay.updates.last?.fine.map { Int64($0.number) }
      #expect(value == probe.value.value.number?.integer, "\(name) \(probe.name)")
      probed += 1
    }
    #expect(found == ranges && probed == probes)
  }

  @Test func `Importing another system's mapping lists what is lost or assumed`() throws {
    let meta = try imported("meta.json")
    #expect(meta.remarks.filter { $0.code == .lockIgnored }.count == 1)
    #expect(
      meta.remarks.contains { $0.code == .upperEndImplied } && meta.remarks.contains { $0.code == .noWorth })
    let six = try #require(meta.mapping.fine.first { $0.value.number == 6 })
    #expect(six.conditions.events.map(\.name) == ["fb_mobile_purchase", "fb_mobile_tutorial_completion"])
    let ga4 = try imported("ga4.json")
    let own = ga4.remarks.filter { $0.code == .memberIgnored }.map(\.sentence.english)
    #expect(
      own == [
        #""name" of the schema is not imported"#,
        #""applyConversionValues" of the schema is not imported"#,
      ])
    #expect(ga4.mapping.precedence == .listOrder && ga4.mapping.fine[1].lock)
    #expect(ga4.mapping.fine.map(\.coarse) == [.high, .high, .high, .medium, .medium, .low])
  }

  @Test(arguments: [
    (
      "meta.json",
      [.memberIgnored, .windowEdge, .currencyBooking, .upperEndImplied, .noWorth, .lockIgnored]
        as [ImportRemark.Code]
    ),
    ("meta-aem.json", [.memberIgnored, .largestEvent, .noWorth]),
    ("ga4.json", [.memberIgnored, .currencyAssumed, .endsAssumed, .noWorth, .windowInherited]),
    (
      "google-ads.json",
      [.memberIgnored, .precedenceAssumed, .hoursAssumed, .endsAssumed, .noWorth, .lockIgnored, .lockAssumed]
    ),
    (
      "appsflyer-v1.json",
      [
        .precedenceAssumed, .memberIgnored, .dateIgnored, .hoursAssumed, .partnerName, .countMiddle,
        .endsAssumed,
        .topMissing, .valuesRepeated,
      ]
    ),
    (
      "appsflyer-v2.json",
      [
        .precedenceAssumed, .memberIgnored, .dateIgnored, .hoursAssumed, .partnerName, .endsAssumed,
        .lockIgnored,
        .lockAssumed, .topMissing, .valuesRepeated,
      ]
    ),
    (
      "appsflyer-adv.csv",
      [
        .precedenceAssumed, .dateIgnored, .hoursAssumed, .endsAssumed, .currencyAssumed, .lockAssumed,
        .topOpened, .valuesRepeated,
      ]
    ),
    ("branch.json", [.dateIgnored, .installIsLaunch, .endsAssumed, .currencyAssumed, .alternatives]),
    ("airbridge.json", [.currencyAssumed, .partnerName, .noWorth]),
    ("airbridge-v4.json", [.dateIgnored, .noWorth]),
    ("tenjin.csv", [.precedenceAssumed, .endsAssumed, .topMissing]),
    ("google-arp.csv", [.precedenceAssumed, .endsAssumed, .currencyAssumed]),
  ]) func `Importing another system's mapping lists exactly these kinds of remark`(
    name: String, codes: [ImportRemark.Code]
  ) throws {
    var found: [ImportRemark.Code] = []
    for remark in try imported(name).remarks where !found.contains(remark.code) { found.append(remark.code) }
    #expect(found == codes)
  }

  @Test func `Importing another system's mapping gives mappings that our own format can express`() throws {
    #expect(importers.count >= 8)
    for (name, _) in importers {
      let mapping = try imported(name).mapping
      #expect(MappingDocument.read(mapping.json.bytes()).document?.mapping == mapping, "\(name)")
    }
  }
}
