import JSONText
import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

/// The formats besides ours, with the sample of each.
private let foreign: [(format: MappingFormat, sample: String)] = [
  (.meta, "meta.json"), (.metaAggregated, "meta-aem.json"), (.ga4, "ga4.json"),
  (.googleAds, "google-ads.json"), (.appsFlyer, "appsflyer-v2.json"), (.appsFlyerFirst, "appsflyer-v1.json"),
  (.appsFlyerTable, "appsflyer-adv.csv"), (.branch, "branch.json"), (.airbridge, "airbridge.json"),
  (.airbridgeBits, "airbridge-v4.json"), (.tenjin, "tenjin.csv"), (.appReportingPack, "google-arp.csv"),
]

/// Reads a file again, with the options that describe the mapping.
private func again(_ file: ExportedMapping, _ format: MappingFormat, _ mapping: Mapping) throws -> Mapping {
  try ForeignMapping(file.bytes, format).mapping(
    ImportContext(
      name: mapping.name, app: mapping.app, currency: mapping.currency,
      effectiveFrom: mapping.effectiveFrom, device: mapping.device)
  ).mapping
}

/// Checks that reading what was written gives what the exporter states, and that this is the whole mapping exactly
/// where no remark states otherwise.
private func checkLaw(_ mapping: Mapping, _ format: MappingFormat, _ place: Comment) throws -> Bool {
  let cap = Amount(micros: 1 << 40)
  let file: ExportedMapping
  do throws(ExportDefect) {
    file = try format.export(mapping, ExportContext(cap: cap))
  } catch {
    #expect(error.code != .openTop, place)
    return false
  }
  let read = try again(file, format, mapping)
  #expect(read == file.mapping, place)
  let isChanged = file.remarks.contains { $0.code.changesMapping }
  #expect((file.mapping == mapping) != isChanged, "\(place): \(file.remarks)")
  // What is left can be expressed without further loss.
  let second = try format.export(file.mapping, ExportContext(cap: cap))
  #expect(second.mapping == file.mapping && second.bytes == file.bytes, place)
  return true
}

@Suite struct `Exporting a mapping` {
  @Test(arguments: foreign.map(\.format))
  func `Exporting a mapping loses exactly what it lists, whatever the mapping`(
    format: MappingFormat
  ) throws {
    var random = SplitMix64(seed: 31)
    var written = 0
    for round in 0..<150 {
      let mapping = randomMapping(&random)
      if try checkLaw(mapping, format, "\(format.rawValue), round \(round)") { written += 1 }
    }
    #expect(written > 25, "\(format.rawValue) holds \(written) of 150")
  }

  @Test(arguments: foreign.map(\.sample))
  func `Exporting a mapping loses exactly what it lists of each sample in each format`(
    sample: String
  ) throws {
    let mapping = try imported(sample).mapping
    for (format, _) in foreign {
      #expect(try checkLaw(mapping, format, "\(sample) as \(format.rawValue)"))
    }
    let ours = try MappingFormat.skan.export(mapping)
    #expect(ours.remarks.isEmpty && MappingDocument.read(ours.bytes).document?.mapping == mapping)
  }

  @Test(arguments: foreign) func `Exporting a mapping to its own format gives the sample back`(
    format: MappingFormat, sample: String
  )
    throws
  {
    let mapping = try imported(sample).mapping
    let file = try format.export(mapping)
    #expect(file.mapping == mapping, "\(file.remarks)")
    #expect(try again(file, format, mapping) == mapping)
  }

  @Test(arguments: foreign.map(\.format)) func `Exporting a mapping keeps names with special characters`(
    format: MappingFormat
  ) throws {
    let names = [
      "=1+1", "-5", "a,b", "say \"x\"", "two\nlines", "cr\r\nlf", " spaces ", "é", "e\u{301}", "\u{FEFF}mark",
      "日本",
      "null", "\u{1}", "\\", "MOBILE_APP_INSTALL", String(repeating: "n", count: 40),
      String(repeating: "n", count: 41), "id7", "0",
    ]
    for name in names {
      let rule = FineRule(
        value: try #require(FineValue(7)),
        conditions: Conditions(events: [EventCondition(name: name)]), label: name)
      let mapping = Mapping(
        name: name, app: try #require(AppID(0)), currency: try usd("0").currency,
        effectiveFrom: try #require(Instant("2026-11-01")), device: .skan4, fine: [rule])
      let isWritten = try checkLaw(mapping, format, "\(name.debugDescription) in \(format.rawValue)")
      #expect(isWritten || format == .ga4 && name.count > 40)
    }
  }

  @Test(arguments: foreign.map(\.format))
  func `Exporting a mapping keeps the law at the bounds of amounts and numbers`(
    format: MappingFormat
  ) throws {
    let amounts = [Int64.min, .min + 1, -10_000, -1000, -1, 0, 1, 1000, 5_001_000, 10_000, .max - 1, .max]
      .map { Amount(micros: $0) }
    var written = 0
    for (index, low) in amounts.enumerated() {
      for high in amounts[index...] {
        for (lower, upper) in [
          (AmountRange.Bound.closed(low), AmountRange.Bound.closed(high)), (.open(low), .open(high)),
          (.closed(low), .unbounded), (.unbounded, .open(high)),
        ] {
          guard let range = AmountRange(lower: lower, upper: upper),
            let revenue = RevenueCondition(range, try usd("0").currency),
            let count = CountRange(min: index, max: index == 3 ? nil : 1_000_000_000)
          else { continue }
          let event = EventCondition(name: "a", count: count, revenue: revenue)
          let rule = FineRule(value: try #require(FineValue(63)), conditions: Conditions(events: [event]))
          let mapping = Mapping(
            name: "ends", app: try #require(AppID(.max)), currency: revenue.currency,
            effectiveFrom: Instant(milliseconds: .max), device: .skan3, measurementWindowHours: 1536,
            fine: [rule])
          if try checkLaw(mapping, format, "\(range) in \(format.rawValue)") { written += 1 }
        }
      }
    }
    #expect(written > 50)
  }

  @Test(arguments: foreign.map(\.format)) func `Exporting a mapping reports what its reader needs to know`(
    format: MappingFormat
  )
    throws
  {
    let mapping = try imported("tenjin.csv").mapping
    let file = try format.export(mapping, ExportContext(cap: Amount(micros: 1_000_000_000)))
    let other = ImportContext(
      name: "other", app: format.hasApp ? mapping.app : try #require(AppID(7)),
      currency: try #require(CurrencyCode("EUR")), effectiveFrom: try #require(Instant("2030-01-01")),
      device: .aak)
    let read = try ForeignMapping(file.bytes, format).mapping(other).mapping
    func has(_ code: ExportRemark.Code) -> Bool { file.remarks.contains { $0.code == code } }
    #expect(has(.name) && has(.device) && read.name == "other" && read.device == .aak)
    #expect(has(.app) == !format.hasApp)
    #expect(has(.currency) == (read.currency != mapping.currency))
    #expect(has(.date) == (read.effectiveFrom != mapping.effectiveFrom))
  }
}

extension MappingFormat {
  /// Whether files name the app.
  fileprivate var hasApp: Bool {
    [.googleAds, .appsFlyer, .appsFlyerFirst, .appsFlyerTable, .branch, .appReportingPack].contains(self)
  }
}
