import Foundation
import TestSupport
import Testing

/// A partner who may see one network, beside the interface for programs.
struct `A limited token and programs` {
  private var root: URL { URL(filePath: #filePath).appending(path: "../../..").standardized }

  /// All paths of the interface that are read.
  private func paths() throws -> [String] {
    let data = try Data(contentsOf: root.appending(path: "schemas/openapi.json"))
    let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    return paths.filter {
      $0.key.hasPrefix("/v1/") && $0.value["get"] != nil && !$0.key.contains("/networks/")
    }
    .keys.sorted()
  }

  @Test func `Every path of the interface for programs rejects a limited token`() throws {
    var token = ""
    let site = try PagesFixture { database in
      token = try Subprocess.run(
        "skan",
        ["token", "create", "-d", database, "--reader", "cleo", "--only-network", "EXAMPLE123.skadnetwork"]
      ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let all = try paths()
    #expect(all.count > 15)
    for path in all {
      let answer = try site.daemon.get(path.replacing(/\{[a-z]+\}/, with: "1"), token: token)
      #expect(
        answer.status == 403 && answer.text.contains("limited to networks"), "\(path): \(answer.status)")
    }
    let list = try Subprocess.run("skan", ["token", "list", "-d", site.database, "--format", "json"]).output
    #expect(list.contains("\"networks\":[\"example123.skadnetwork\"]"))
  }

  @Test(arguments: [
    ["--editor", "eve", "--only-network", "a.skadnetwork"], ["--reader", "rob", "--only-network", ""],
  ])
  func `A limit that is not one makes no token`(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let made = try Subprocess.run(
      "skan", ["token", "create", "-d", folder.file("skan.db")] + arguments)
    #expect(made.exitCode == 64 && made.output.isEmpty)
  }
}
