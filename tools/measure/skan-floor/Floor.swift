import HTTPServer
import SQLite
import System
import Values

/// Two parts of the least that a durably stored postback can cost with the libraries that skan stands on, for
/// `tools/measure/bench`: a server that reads every body and answers an empty 200, and the smallest insert of the same bytes.
///
/// The third part, the check of the signature, is measured by `skan-bench unit`.
@main
struct Floor {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch (words.first, words.count) {
      case ("serve", 1): try serve()
      case ("insert", 4):
        guard let group = Int(words[3]), group > 0 else { throw FloorError.usage }
        try insert(database: words[1], bodies: words[2], group: group)
      default: throw FloorError.usage
      }
    } catch {
      let errors = Console.standard().errors
      errors.write(Array("skan-floor: \(error)\n".utf8))
      errors.flush()
      exitProcess(.data)
    }
  }

  /// Answers every request with an empty 200 until a signal ends the process.
  private static func serve() throws {
    let signals = Signals()
    let server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { _, reply in
      reply.send(Response(status: 200))
    }
    let output = Console.standard().output
    output.write(Array("{\"url\":\"http://\(server.address)\"}\n".utf8))
    output.flush()
    _ = signals.next()
    server.stop(withinSeconds: 5)
  }

  /// Stores the lines of a file as rows of one column, on disk after each group.
  private static func insert(database: String, bodies: String, group: Int) throws {
    let lines = try FileReader.contents(of: bodies).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    guard !lines.isEmpty else { throw FloorError.noBodies }
    let connection = try Connection(path: database, mode: .create)
    // As the ledger's own writer has it.
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
      CREATE TABLE body(bytes BLOB NOT NULL) STRICT;
      """)
    let statement = try connection.prepare("INSERT INTO body(bytes) VALUES(?1)")
    let before = processMicroseconds()
    for start in stride(from: 0, to: lines.count, by: group) {
      try connection.transaction { () throws(SQLiteError) in
        for line in lines[start..<min(start + group, lines.count)] {
          try statement.bind(line, at: 1)
          try statement.run()
        }
      }
    }
    let spent = (processMicroseconds() - before) / Double(lines.count)
    print("{\"rows\":\(lines.count),\"cpu\":\((spent * 100).rounded() / 100)}")
  }
}

private enum FloorError: Error, CustomStringConvertible {
  case usage
  case noBodies

  var description: String {
    switch self {
    case .usage: "usage: skan-floor serve | insert DATABASE POSTBACKS GROUP"
    case .noBodies: "the file has no lines"
    }
  }
}
