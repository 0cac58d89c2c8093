import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `A flood of connections` {
  /// Processor time of a process in hundredths of a second.
  private func time(of process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return try #require(
      fields.count > 12 ? Int(fields[11]).flatMap { a in Int(fields[12]).map { a + $0 } } : nil)
  }

  private func openFiles(of process: Int32) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
  }

  @Test func `A flood of connections beyond the limit of open files uses up no processor and does not last`()
    throws
  {
    let folder = try TemporaryFolder()
    let skan = Subprocess.productsFolder.appending(path: "skan").path
    let command = """
      ulimit -n 64 && exec '\(skan)' serve --database '\(folder.file("skan.db"))' --listen 127.0.0.1:0 \
      --connections-per-address 0
      """
    let process = try Subprocess("/bin/sh", ["-c", command])
    let line = try #require(process.waitForLine(containing: "listening on"))
    let port = try #require(line.split(separator: ":").compactMap { UInt16($0.prefix { $0.isNumber }) }.last)
    do {
      let flood = try (0..<200).map { _ in try HTTPClient(port: port) }
      for client in flood { try client.send("GET /healthz HTTP/1.1\r\n") }
      usleep(300_000)
      let before = try time(of: process.identifier)
      usleep(1_000_000)
      #expect(try time(of: process.identifier) - before < 30)
      // Files can still be opened: the reserve is for them. A loaded machine takes its time to turn the flood away.
      let deadline = Date(timeIntervalSinceNow: 20)
      while try openFiles(of: process.identifier) >= 64, Date() < deadline { usleep(20_000) }
      #expect(try openFiles(of: process.identifier) < 64)
      _ = flood
    }
    #expect(try HTTPClient(port: port).request("GET", "/healthz").status == 200)
    process.send(SIGTERM)
    #expect(process.finish().exitCode == 0)
  }

  @Test func `A flood of connections at the pages from many addresses leaves those who are signed in theirs`()
    throws
  {
    let site = try PagesFixture()
    let (port, cookie) = (site.daemon.pagesPort, site.editor)
    #expect(try site.get("/", cookie).status == 200)
    func flood(_ count: Int, from source: (Int) -> String) throws -> [HTTPClient] {
      let clients = try (0..<count).map { number in
        let client = try HTTPClient(port: port, from: source(number))
        try? client.send("GET / HTTP/1.1\r\n")
        return client
      }
      // The last of them gets no connection, so that all before it have theirs.
      #expect(try #require(clients.last).isClosed())
      return clients
    }
    /// Opens as many connections as browsers do.
    func statuses() throws -> [Int] {
      let browser = try (0..<6).map { _ in try HTTPClient(port: port) }
      let headers = [("Host", "127.0.0.1:\(port)"), ("Cookie", cookie)]
      return browser.map { (try? $0.request("GET", "/", headers: headers).status) ?? 0 }
    }
    let several = try flood(512) { "127.0.1.\($0 % 64 + 1)" }
    #expect(try statuses() == [200, 200, 200, 200, 200, 200])
    let one = try flood(128) { "127.0.2.\($0 + 1)" }
    #expect(try statuses() == [200, 200, 200, 200, 200, 200])
    _ = (several, one)
  }
}
