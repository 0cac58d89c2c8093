import EventFiles
import Gzip
import MappingDesign
import Mappings
import Postbacks
import System
import Values

/// Measures how well the kinds of edges divide the revenue of an events file, and how long a whole design takes.
struct DesignBench {
  let path: String
  private static let values = [8, 16, 32, 64]

  func run() throws {
    guard let usd = CurrencyCode("USD"), let app = AppID(1) else { throw BenchError.usage }
    var reader = PopulationReader(currency: usd)
    reader.mistakes = .skip
    let file = try FileReader(path)
    var packed = GzipReader { try file.read() }
    let population = try reader.read { try packed.next() }
    var end = Instant(seconds: 0)
    try population.forEachCohort { end = max(end, DesignUsers.end(of: $0) ?? end) }
    var users = DesignUsers(target: .revenue(days: 3), currency: usd)
    try population.forEachCohort { users.add($0, until: end) }
    let study = EdgeStudy(users, seed: 11)
    for values in Self.values {
      let errors = EdgeScheme.allCases.map { scheme in
        "\"\(scheme.rawValue)\":\(study.error(scheme, values: values).map { hundredths($0 * 100) } ?? "null")"
      }
      print("{\"values\":\(values),\"users\":\(users.count),\(errors.joined(separator: ","))}")
    }
    for device in [Mapping.Device.skan3, .skan4] {
      guard
        let request = DesignRequest(
          name: "bench", app: app, currency: usd, effectiveFrom: Instant(seconds: 0), device: device,
          target: .revenue(days: 3), values: 60)
      else { throw BenchError.usage }
      let start = wallMicroseconds()
      let report = DesignStudy(request, users, population: users.count).run()
      let seconds = (wallMicroseconds() - start) / 1e6
      print(
        """
        {"design":"\(device.rawValue)","users":\(users.count),"seconds":\(hundredths(seconds)),\
        "cost":"\(report?.choice.description ?? "")","window":\(report?.windowHours ?? 0)}
        """)
    }
  }
}
