import Journal
import System
import Values

/// Measures what appending to and following a journal in PostgreSQL costs this process; the server's cost is not in it.
struct JournalBench {
  private let address: String
  private var random = SplitMix64(seed: 1)

  /// The mean length of a postback with what surrounds it, of which the identifiers and the signature can't be packed.
  private static let frame = Array(
    (#"{"version":"4.0","ad-network-id":"net1.skadnetwork","source-identifier":"1234","app-id":525463029,"#
      + #""redownload":false,"source-app-id":1234567,"fidelity-type":1,"did-win":true,"conversion-value":17,"#
      + #""postback-sequence-index":0,"transaction-id":"","attribution-signature":""}"#).utf8)
  private static let bytesPerRow = 555
  private static let randomBytes = 100

  /// Prepares a measurement in a database that is empty or has a journal.
  init(address: String) { self.address = address }

  /// Appends batches of one size, follows them, and prints the CPU time of each row in microseconds.
  mutating func run(batches: Int, rowsOfEach rows: Int) throws {
    let journal = PostgreSQLJournal(address, identity: try JournalSetup.run(address))
    guard let node = NodeName("bench-\(rows)") else { throw BenchError.usage }
    var appender = try JournalAppender(journal, node: node)
    let contents = (0..<16).map { _ in content(rows: rows) }
    let start = try journal.ends()
    let place = JournalPlace(identity: start.identity, position: start.last, chain: start.chain)
    let (cpu, wall) = (processMicroseconds(), wallMicroseconds())
    for number in 0..<batches { _ = try appender.append(contents[number % contents.count]) }
    let (appendCPU, appendWall) = (processMicroseconds() - cpu, wallMicroseconds() - wall)

    var follower = JournalFollower(journal, at: place)
    let followed = processMicroseconds()
    var found = 0
    while case let next = try follower.next(atMost: 256), !next.isEmpty { found += next.count }
    let count = Double(max(1, batches * rows))
    print(
      """
      {"rows":\(rows),"batches":\(found),"append_cpu":\(hundredths(appendCPU / count)),\
      "append_wall":\(hundredths(appendWall / count)),\
      "follow_cpu":\(hundredths((processMicroseconds() - followed) / count))}
      """)
  }

  private mutating func content(rows: Int) -> [UInt8] {
    var content: [UInt8] = []
    for _ in 0..<rows {
      content += Self.frame
      for _ in 0..<Self.randomBytes { content.append(UInt8(truncatingIfNeeded: random.next())) }
      content += [UInt8](
        repeating: 0x20, count: max(0, Self.bytesPerRow - Self.frame.count - Self.randomBytes))
    }
    return content
  }
}
