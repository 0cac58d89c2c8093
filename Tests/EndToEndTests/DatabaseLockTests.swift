import Foundation
import TestSupport
import Testing

/// What a daemon holds of its database, and what commands beside it leave of that.
struct `A daemon's lock` {
  /// POSIX locks of a process on a file, from the kernel's list.
  private func locks(of process: Int32, on path: String) throws -> Int {
    let number = try #require(
      FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
    return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").count { line in
      line.contains("POSIX") && line.contains(" \(process) ") && line.contains(":\(number) ")
    }
  }

  private var root: URL { URL(filePath: #filePath).appending(path: "../../..").standardized }

  private func fileNumber(_ path: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
  }

  /// The paths of the pages that pages link to.
  private func links(in text: String) -> Set<String> {
    Set(
      text.components(separatedBy: "href=\"").dropFirst().compactMap { part in
        let path = String(part.prefix { $0 != "\"" && $0 != "#" }).replacing("&amp;", with: "&")
        return path.hasPrefix("/") && !path.hasPrefix("/assets") ? path : nil
      })
  }

  @Test func `A daemon's lock is held after every page, route, metric, look of alerts and reload`() throws {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let (mappings, samples) = (folder.file("mappings"), folder.file("samples"))
    for path in [mappings, samples] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let pages = try PagesFixture(
      [
        "--trust-test-keys", keys.publicFile, "--alerts-interval", "1", "--mappings", mappings, "--samples",
        samples, "--app-mappings",
      ])
    // What a careless person may put where the daemon looks for files.
    for (path, ending) in [(mappings, "json"), (samples, "csv")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(path)/link.\(ending)", withDestinationPath: pages.database)
      #expect(link(pages.database, "\(path)/second.\(ending)") == 0)
    }
    for body in try keys.postbacks(30, seed: 5) { #expect(try pages.daemon.post(body).status == 200) }
    let log = try fileNumber(pages.database + "-wal")
    func expectLock(_ after: String) throws {
      #expect(try locks(of: pages.daemon.identifier, on: pages.database) > 0, "\(after)")
    }
    try expectLock("the start")
    let document = root.appending(path: "schemas/openapi.json")
    let api = try JSONSerialization.jsonObject(with: Data(contentsOf: document)) as? [String: Any]
    let routes = try #require(api?["paths"] as? [String: Any]).keys.sorted()
    #expect(routes.count > 20)
    for path in routes + ["/metrics", "/readyz", "/healthz"] {
      _ = try pages.daemon.get(path.replacing("{app}", with: "1"), token: pages.readerToken)
      try expectLock(path)
    }
    var known = links(in: try pages.get("/", pages.editor).text)
    var seen: Set<String> = []
    while let path = known.subtracting(seen).min(), seen.count < 60 {
      seen.insert(path)
      let answer = try pages.get(path, pages.editor)
      known.formUnion(links(in: answer.text).filter { !$0.contains("?") })
      try expectLock(path)
    }
    #expect(seen.count > 15)
    pages.daemon.send(SIGHUP)
    #expect(pages.daemon.waitForLog("mapping") != nil)
    // A look of alerts, of relays and of tokens.
    Thread.sleep(forTimeInterval: 2.5)
    try expectLock("the watches")
    for command in [
      ["token", "create", "--reader", "carla"], ["backup", folder.file("copy.db")], ["doctor"],
      ["rebuild", "--check"], ["alerts"],
    ] {
      _ = try Subprocess.run("skan", [command[0], "-d", pages.database] + command.dropFirst())
      #expect(try fileNumber(pages.database + "-wal") == log, "\(command[0])")
    }
    #expect(try pages.send("/mappings", [("do", "begin"), ("version", "")]).status < 500)
    #expect(try text(pages.database, "PRAGMA integrity_check") == "ok")
    #expect(try pages.daemon.post(keys.postbacks(31, seed: 5)[30]).status == 200)
  }

  @Test func `A daemon whose log is removed reports it everywhere, and stores again without being asked`()
    throws
  {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let pages = try PagesFixture(["--trust-test-keys", keys.publicFile, "--alerts-interval", "1"])
    let bodies = try keys.postbacks(40, seed: 6)
    for body in bodies[..<20] { #expect(try pages.daemon.post(body).status == 200) }
    for ending in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: pages.database + ending) }
    let line = try #require(pages.daemon.waitForLog("database-files-lost"))
    #expect(line.contains("removed or replaced"))
    #expect(pages.daemon.waitForLog("database-files-reopened") != nil)
    for body in bodies[20...] { #expect(try pages.daemon.post(body).status == 200) }
    #expect(try pages.daemon.get("/metrics").text.contains("skan_database_replacements_total 1\n"))
    #expect(pages.daemon.waitForLog("id=database-replaced") != nil)
    #expect(try pages.get("/alerts", pages.editor).text.contains("removed or replaced"))
    #expect(pages.daemon.end(SIGKILL).exitCode == 128 + SIGKILL)
    #expect(try Set(storedBodies(pages.database)) == Set(bodies))
  }
}
