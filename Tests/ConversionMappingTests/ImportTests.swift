import ConversionMapping
import Foundation
import JSONText
import Platform
import Postbacks
import Testing

@Suite struct `Importing another system's mapping` {
  private func read(_ name: String) throws -> JSONNode {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/\(name)")
    return try JSONReader.read(Array(Data(contentsOf: file)))
  }

  private func imported(_ name: String) throws -> ImportedMapping {
    let app = try #require(AppID(1_000_000_001))
    let context = ImportContext(
      name: name, app: app, currency: try usd("0").currency,
      effectiveFrom: try #require(Instant("2026-11-01")))
    let node = try read(name)
    if name == "ga4.json" { return try GA4Schema.mapping(node, context) }
    if name.hasPrefix("airbridge") { return try AirbridgeFormat.mapping(node, context) }
    let configuration = try #require(MetaConfiguration(node))
    return try configuration.mapping(context)
  }

  @Test(arguments: [
    ("meta.json", "fb_mobile_purchase", 4, 4), ("ga4.json", "purchase", 4, 3),
    ("airbridge.json", "airbridge.ecommerce.order.completed", 3, 2), ("airbridge-v4.json", "purchase", 3, 2),
  ]) func `gives the ranges and values of the sample`(
    name: String, purchase: String, ranges: Int, probes: Int
  ) throws {
    let mapping = try imported(name).mapping
    let expected = try #require(
      read("expect.json").value.object?["formats"]?.value.object?[name]?.value.object)
    var found = 0
    for member in expected.members {
      guard let value = Int64(member.name).flatMap({ FineValue($0) }), let wanted = member.value.value.object
      else { continue }
      let rule = try #require(mapping.fine.first { $0.value == value })
      let range = try #require(rule.conditions.events.first?.revenue?.range)
      let low = try wanted["min"]?.value.number.map { try Amount(decimal: $0.text) }
      let high = try wanted["max"]?.value.number.map { try Amount(decimal: $0.text) }
      #expect(range.lower.amount == low && range.upper.amount == high, "\(name) \(member.name)")
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

  @Test func `lists what is lost or assumed`() throws {
    let meta = try imported("meta.json")
    #expect(meta.remarks.filter { $0.code == .lockIgnored }.count == 1)
    #expect(
      meta.remarks.contains { $0.code == .upperEndImplied } && meta.remarks.contains { $0.code == .noWorth })
    let six = try #require(meta.mapping.fine.first { $0.value.number == 6 })
    #expect(six.conditions.events.map(\.name) == ["fb_mobile_purchase", "fb_mobile_tutorial_completion"])
    #expect(try imported("airbridge.json").remarks.map(\.code) == [.currencyAssumed, .noWorth])
    #expect(try imported("airbridge-v4.json").remarks.map(\.code) == [.noWorth])
    let ga4 = try imported("ga4.json")
    #expect(ga4.remarks.map(\.code) == [.currencyAssumed, .endsAssumed, .windowInherited])
    #expect(ga4.mapping.precedence == .listOrder && ga4.mapping.fine[1].lock)
    #expect(ga4.mapping.fine.map(\.coarse) == [.high, .high, .high, .medium, .medium, .low])
  }

  @Test func `gives mappings that our own format can hold`() throws {
    for name in ["meta.json", "ga4.json", "airbridge.json", "airbridge-v4.json"] {
      let mapping = try imported(name).mapping
      #expect(MappingDocument.read(mapping.json.bytes()).document?.mapping == mapping)
    }
  }
}
