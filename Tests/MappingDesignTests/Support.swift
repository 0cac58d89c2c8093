import EventFiles
import Foundation
import Gzip
import MappingDesign
import Mappings
import Postbacks
import Simulation
import System
import Testing
import Values

/// Returns a file of `Vectors`, unpacked where it is packed.
func vector(_ name: String) throws -> [UInt8] {
  let folder = URL(filePath: #filePath).deletingLastPathComponent()
  let bytes = try [UInt8](Data(contentsOf: folder.appending(path: "Vectors/\(name)")))
  return name.hasSuffix(".gz") ? try gunzip(bytes, limit: 64 << 20) : bytes
}

/// A member of `golden.json`.
func golden(_ name: String) throws -> Any {
  let root = try JSONSerialization.jsonObject(with: Data(vector("golden.json"))) as? [String: Any]
  return try #require(root?[name])
}

let usd = CurrencyCode("USD") ?? CurrencyCode.all[0]

/// The cohorts of the sample of 3000 users.
private func readSample() throws -> [Cohort] {
  var rest: [UInt8]? = try vector("f2p-3000.csv.gz")
  let population = try PopulationReader(currency: usd).read { rest.take() }
  return try (0..<population.cohortCount).map { try population.cohort(at: $0) }
}

/// They are read once.
private let sample = Result { try readSample() }

/// The sample of 3000 users for a target.
func sampleUsers(_ target: DesignTarget) throws -> DesignUsers {
  var users = DesignUsers(target: target, currency: usd)
  let cohorts = try sample.get()
  let end = try #require(cohorts.compactMap { DesignUsers.end(of: $0) }.max())
  for cohort in cohorts { users.add(cohort, until: end) }
  return users
}

/// A request for a mapping.
func request(
  _ device: Mapping.Device, _ target: DesignTarget, window: Int? = nil, scheme: EdgeScheme? = nil,
  values: Int = 60
) throws -> DesignRequest {
  let app = try #require(AppID(1))
  return try #require(
    DesignRequest(
      name: "test", app: app, currency: usd, effectiveFrom: Instant(seconds: 1_767_225_600),
      device: device, windowHours: window, target: target, scheme: scheme, values: values))
}

/// Whether two numbers agree to a share of the larger one.
func isClose(_ a: Double, _ b: Double, within share: Double = 1e-9, or least: Double = 1e-9) -> Bool {
  abs(a - b) <= max(share * max(abs(a), abs(b)), least)
}
