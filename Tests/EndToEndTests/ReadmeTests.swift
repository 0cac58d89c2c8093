import Foundation
import TestSupport
import Testing

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// The blocks of the README in a language, without their fences.
private func blocks(_ language: String) throws -> [String] {
  let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
  return text.components(separatedBy: "\n```\(language)\n").dropFirst().map {
    $0.components(separatedBy: "\n```").first ?? ""
  }
}

struct `The README` {
  @Test func `shows settings that a daemon starts with`() throws {
    // A mapping is JSON too; it is the block that names an app.
    let settings = try blocks("json").filter { !$0.contains("\"app\"") }
    #expect(settings.count >= 2)
    #expect(settings.contains { $0.contains("\"networks\"") && $0.contains("\"read-tokens\"") })
    for text in settings {
      let folder = try TemporaryFolder()
      let option = text.contains("\"rules\"") ? "--alerts" : "--config"
      let file = try folder.write(text, to: "settings.json")
      let daemon = try Daemon(folder.file("skan.db"), [option, file])
      #expect(try daemon.get("/healthz").status == 200, "\(text)")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      for token in object["read-tokens"] as? [String] ?? [] {
        #expect(try daemon.get("/v1/reports/campaigns", token: token).status == 200)
      }
      for network in object["networks"] as? [[String: String]] ?? [] {
        let (name, token) = (try #require(network["name"]), try #require(network["token"]))
        let answer = try daemon.post(
          Array("{}".utf8), "/v1/networks/\(name)/postbacks",
          headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")])
        #expect(answer.status == 200)
      }
      #expect(daemon.end(SIGTERM).exitCode == 0)
    }
  }

  @Test func `shows a mapping without errors and warnings`() throws {
    let mappings = try blocks("json").filter { $0.contains("\"app\"") }
    #expect(mappings.count == 1)
    let folder = try TemporaryFolder()
    let file = try folder.write(mappings[0], to: "mapping.json")
    let result = try Subprocess.run("skan", ["mapping", "decode", file, "6", "7", "0", "63"])
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `simulates first what shows values of large campaigns and withholds those of small ones`() throws
  {
    let shown = try #require(try blocks("console").first { $0.hasPrefix("$ skan simulate ") })
    let command = try #require(shown.split(separator: "\n").first).dropFirst(2)
    let words = command.split(separator: " ").dropFirst().map { word in
      word.hasPrefix("tools/") ? root.appending(path: String(word)).path : String(word)
    }
    let table = try Subprocess.run("skan", words)
    #expect(table.exitCode == 0, "\(table.errors)")
    // Everything that the README prints of the output is in it.
    for line in shown.split(separator: "\n").dropFirst() where !line.hasPrefix("$ ") {
      #expect(table.output.contains(line), "\(line)")
    }
    #expect(!table.errors.contains("are withheld"))
    let result = try Subprocess.run("skan", words + ["--format", "json"])
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let variant = try #require((object?["variants"] as? [[String: Any]])?.first)
    let campaigns = try #require(variant["campaigns"] as? [[String: Any]])
    let shares = campaigns.compactMap { $0["null-share"] as? Double }
    #expect(
      shares.contains { $0 < 0.1 } && shares.contains { $0 > 0.3 && $0 < 0.7 } && shares.contains { $0 > 0.9 }
    )
    let total = try #require(variant["total"] as? [String: Any])
    #expect(try #require(total["visible"] as? Double) > 0)
    #expect((variant["notes"] as? [String]) == [])
  }

  @Test func `has a sample that its script makes`() throws {
    let folder = try TemporaryFolder()
    let samples = root.appending(path: "tools/samples")
    let made = folder.file("made.csv.gz")
    let script = samples.appending(path: "make-launch-events").path
    #expect(try Subprocess.run("/usr/bin/python3", [script, made]).exitCode == 0)
    // Another zlib may pack the same text into other bytes.
    let texts = try [made, samples.appending(path: "launch-events.csv.gz").path].map { file in
      try Subprocess.run("/bin/gzip", ["-dc", file]).output
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0].split(separator: "\n").count > 5000)
  }
}
