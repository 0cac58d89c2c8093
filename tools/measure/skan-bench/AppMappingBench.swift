import SkanMapping
import System
import Values

/// Measures the CPU time of one decision inside an app: an event is counted, the state is encoded and saved in memory,
/// and the update, if one is due, is made.
struct AppMappingBench {
  func run(rounds: Int) throws {
    let sizes = [("small", 8), ("largest", 60)]
    let figures = try sizes.map { name, events in
      "\"\(name)\":\(hundredths(try microseconds(rounds, document(events: events), events: events)))"
    }
    print("{\(figures.joined(separator: ","))}")
  }

  private func microseconds(_ rounds: Int, _ document: [UInt8], events: Int) throws -> Double {
    var random = SplitMix64(seed: 1)
    let mapping = try AppMapping(document: document)
    var app = try AppConversions(mapping: mapping, store: MemoryStore())
    _ = try app.launch(at: 0)
    let before = processMicroseconds()
    for round in 0..<rounds {
      // A new user every hundred events, so that values move.
      if round % 100 == 0 { app = try AppConversions(mapping: mapping, store: MemoryStore()) }
      let event = AppEvent(
        name: "event \(random.number(below: events))", time: Int64(round % 100) * 1_000_000,
        micros: Int64(random.number(below: 20_000_000)), currency: "USD")
      for update in try app.record(event) { try app.confirm(update) }
    }
    return (processMicroseconds() - before) / Double(rounds)
  }

  /// A mapping of 64 values over the counts and revenues of some events, with coarse values in each window.
  private func document(events: Int) -> [UInt8] {
    let fine = (0..<64).map { index in
      #"{"value":\#(index),"events":[{"name":"event \#(index % events)","count":{"min":\#(1 + index / events)},"#
        + #""revenue":{"from-micros":\#(index * 1_000_000)}}]}"#
    }
    let coarse = [2, 3].map { #"{"window":\#($0),"rules":[{"value":"medium"}]}"# }
    let text =
      #"{"format":1,"app":1,"name":"bench","digest":"\#(String(repeating: "12", count: 32))","#
      + #""effective-from":"1970-01-01T00:00:00Z","protocol":"skan4","currency":"USD","#
      + #""precedence":"highest-value","fine":[\#(fine.joined(separator: ","))],"#
      + #""coarse":[\#(coarse.joined(separator: ","))]}"#
    return Array(text.utf8)
  }
}
