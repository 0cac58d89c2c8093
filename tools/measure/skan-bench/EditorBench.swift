import EventFiles
import MappingEditing
import Mappings
import Simulation
import System
import Values

/// Measures how long the mapping editor's answer to a keystroke takes, on one thread: random edits of a draft's text,
/// some of which break it, each checked, repaired where that can be done, simulated and compared.
///
/// Sending it, saving the draft and drawing the parts of the page are not measured; the first edit simulates the mapping
/// in force too, as the first one of a sample does. Wall and CPU time of the process, in milliseconds.
struct EditorBench {
  let events: Int
  let edits: Int
  let seed: UInt64

  func run() throws {
    var random = SplitMix64(seed: seed)
    let sample = UserSample(name: "bench", [try cohort(&random)])
    let inForce = MappingDocument.read(text(Self.edges, hours: [0, 24, 48], lock: false)).document?.mapping
    guard let inForce else { throw BenchError.usage }
    let trials = MappingTrials()
    var edges = Self.edges
    var lock = false
    var times: [Double] = []
    var processorTimes: [Double] = []
    var simulated = 0
    for edit in 0..<edits {
      let index = 1 + random.number(below: edges.count - 1)
      switch random.number(below: 10) {
      case 0: lock.toggle()
      case 1 where edges.count < 30: edges.insert(edges[index - 1] + 10_000, at: index)
      case 2 where edges.count > 8: edges.remove(at: index)
      default: edges[index] = max(10_000, edges[index] + Int64(random.number(below: 41) - 20) * 10_000)
      }
      let isBroken = zip(edges, edges.dropFirst()).contains { $0.0 >= $0.1 }
      var document = text(edges, hours: [0, 24, 48], lock: lock)
      // While someone types JSON, it is often not JSON.
      if edit % 17 == 16 { document.removeLast(1 + random.number(below: 40)) }
      let start = wallMicroseconds()
      let processorStart = processMicroseconds()
      let reading = MappingDocument.check(document)
      let answer = trials.answer(reading, of: document, draft: "bench", inForce: inForce, on: sample)
      processorTimes.append((processMicroseconds() - processorStart) / 1000)
      times.append((wallMicroseconds() - start) / 1000)
      if answer?.result != nil { simulated += 1 }
      if isBroken { edges = Array(Set(edges)).sorted() }
    }
    times.sort()
    processorTimes.sort()
    func percentile(_ percent: Int, of times: [Double]) -> String {
      hundredths(times[(times.count - 1) * percent / 100])
    }
    print(
      """
      {"events":\(sample.events),"users":\(sample.users),"edits":\(edits),"simulated":\(simulated),\
      "p50_ms":\(percentile(50, of: times)),"p95_ms":\(percentile(95, of: times)),\
      "max_ms":\(percentile(100, of: times)),"p50_cpu_ms":\(percentile(50, of: processorTimes)),\
      "p95_cpu_ms":\(percentile(95, of: processorTimes))}
      """)
  }

  /// The edges of revenue that the draft begins with, in millionths.
  private static let edges: [Int64] = [
    10_000, 20_000, 50_000, 100_000, 150_000, 200_000, 300_000, 500_000, 1_000_000, 2_000_000, 5_000_000,
    10_000_000, 20_000_000, 50_000_000, 100_000_000, 200_000_000,
  ]

  /// A mapping with ranges of revenue for each day of activity, and coarse values in each window.
  private func text(_ edges: [Int64], hours: [Int], lock: Bool) -> [UInt8] {
    let ranges = edges.map { "\(Amount(micros: $0))" }.joined(separator: ", ")
    let coarse = (1...3).map { window in
      """
      {"window": \(window), "totals": "window", "low": {"revenue": {"from": 0, "to": 0.5}},
          "medium": {"revenue": {"from": 0.5, "to": 5}},
          "high": {"revenue": {"from": 5, "representative": 19}\(lock && window == 2 ? ", \"lock\": true" : "")}}
      """
    }.joined(separator: ",\n    ")
    return Array(
      """
      {
        "name": "bench", "app": 525463029, "currency": "USD", "effective-from": "2026-11-30", "protocol": "skan4",
        "fine": [{"value": 0, "label": "nothing yet", "revenue": {"from": 0, "to": 0.01, "representative": 0}}],
        "grids": [{"first-value": 1, "active-hours": \(hours), "revenue": [\(ranges)]}],
        "coarse": [\(coarse)]
      }
      """.utf8)
  }

  /// Users with 3.3 events each on average, as in the sample of a game's own users.
  private func cohort(_ random: inout SplitMix64) throws -> Cohort {
    guard let usd = CurrencyCode("USD") else { throw BenchError.usage }
    let names = CohortNames(
      events: ["session", "ad", "purchase"], currencies: [usd], campaigns: (0..<24).map { "campaign \($0)" })
    var all: [CohortEvent] = []
    var users: [CohortUser] = []
    while all.count < events {
      let start = Int32(all.count)
      let count = min(events - all.count, 1 + random.number(below: 6))
      let times = (0..<count).map { _ in
        Int32(random.number(below: 1 + random.number(below: 1 + random.number(below: 20 * 86_400))))
      }.sorted()
      for time in times {
        let name = Int32(random.number(below: 10) == 0 ? 2 : random.number(below: 2))
        let most = name == 2 ? 20_000_000 : 60_000
        all.append(
          CohortEvent(
            secondsSinceInstall: time, name: name, currency: name == 0 ? -1 : 0,
            micros: name == 0 ? 0 : Int64(random.number(below: most))))
      }
      users.append(
        CohortUser(
          key: random.next(),
          installed: Instant(seconds: Int64(1_760_000_000 + random.number(below: 12 * 86_400))),
          campaign: Int32(random.number(below: 24)), events: start..<Int32(all.count)))
    }
    guard let cohort = Cohort(names: names, events: all, users: users) else { throw BenchError.usage }
    return cohort
  }
}
