import Foundation
import JSONText
import MappingFormats
import Postbacks
import Testing
import Values

typealias Importer = @Sendable ([UInt8], ImportContext) throws -> ImportedMapping

/// The sample of each format with its importer.
let importers: [(name: String, importer: Importer)] = [
  ("meta.json", { try MetaConfiguration.mapping(JSONReader.read($0), $1) }),
  ("meta-aem.json", { try MetaAggregatedConfiguration.mapping(JSONReader.read($0), $1) }),
  ("ga4.json", { try GA4Schema.mapping(JSONReader.read($0), $1) }),
  ("google-ads.json", { try GoogleAdsSchema.mapping(JSONReader.read($0), $1) }),
  ("appsflyer-v1.json", { try AppsFlyerSchema.mapping(JSONReader.read($0), $1) }),
  ("appsflyer-v2.json", { try AppsFlyerSchema.mapping(JSONReader.read($0), $1) }),
  ("appsflyer-adv.csv", { try AppsFlyerTable.mapping($0, $1) }),
  ("branch.json", { try BranchFormat.mapping(JSONReader.read($0), $1) }),
  ("airbridge.json", { try AirbridgeFormat.mapping(JSONReader.read($0), $1) }),
  ("airbridge-v4.json", { try AirbridgeFormat.mapping(JSONReader.read($0), $1) }),
  ("tenjin.csv", { try TenjinTable.mapping($0, $1) }),
  ("google-arp.csv", { try AppReportingPackTable.mapping($0, $1) }),
]

/// The bytes of a file beside the tests.
func vector(_ name: String) throws -> [UInt8] {
  let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/\(name)")
  return Array(try Data(contentsOf: file))
}

/// What the samples leave open.
func context(ends: ImportContext.Ends? = nil, app: Int64 = 1_000_000_001) throws -> ImportContext {
  ImportContext(
    name: "sample", app: try #require(AppID(app)), currency: try usd("0").currency,
    effectiveFrom: try #require(Instant("2026-11-01")), ends: ends)
}

/// Imports a sample, or a text in its place.
func imported(
  _ name: String, _ text: String? = nil, ends: ImportContext.Ends? = nil, app: Int64 = 1_000_000_001
) throws -> ImportedMapping {
  let importer = try #require(importers.first { $0.name == name }).importer
  return try importer(text.map { Array($0.utf8) } ?? vector(name), context(ends: ends, app: app))
}

/// Imports a sample with one part of it replaced, which has to be there.
func imported(_ name: String, replacing part: String, by other: String) throws -> ImportedMapping {
  let text = try #require(String(validating: try vector(name), as: UTF8.self))
  #expect(text.contains(part), "\(name) has no \(part)")
  return try imported(name, text.replacingOccurrences(of: part, with: other))
}
