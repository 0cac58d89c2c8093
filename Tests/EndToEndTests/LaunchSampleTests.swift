import Foundation
import TestSupport
import Testing

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
private let samples = root.appending(path: "tools/samples")

struct `The launch samples` {
  @Test func `The launch samples show values of large campaigns and withhold those of small ones`() throws {
    let result = try Subprocess.run(
      "skan",
      [
        "simulate", "--mapping", samples.appending(path: "launch-mapping.json").path, "--events",
        samples.appending(path: "launch-events.csv.gz").path, "--threshold", "default", "--format", "json",
      ])
    #expect(result.exitCode == 0 && !result.errors.contains("are withheld"), "\(result.errors)")
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

  @Test func `The launch samples equal what their script generates`() throws {
    let folder = try TemporaryFolder()
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
