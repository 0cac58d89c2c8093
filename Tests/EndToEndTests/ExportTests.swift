import Foundation
import Signing
import TestSupport
import Testing

struct `The command that exports` {
  @Test
  func
    `The command that exports writes files that gzip unpacks to the report's rows, and then only what is new`()
    throws
  {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let (database, target) = (folder.file("skan.db"), folder.file("warehouse"))
    let all = try keys.postbacks(60, seed: 3)
    var exported: [String] = []
    for (index, part) in [all[..<40], all[40...]].enumerated() {
      let file = try folder.write(
        part.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined(), to: "\(index).ndjson")
      let ingested = try Subprocess.run(
        "skan",
        [
          "ingest", "-q", "-d", database, "--trust-test-keys", keys.publicFile, "--received-at",
          "2026-11-20T12:00:00Z", file,
        ])
      #expect(ingested.exitCode == 0)
      let result = try Subprocess.run(
        "skan", ["export", "-d", database, "--to", target, "--environment", "test", "--format", "json"])
      #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result.errors)")
      #expect(result.output.contains(#""files":1"#))
      let name = "\(target)/date=2026-11-20/part-000\(index + 1).ndjson.gz"
      exported += try Subprocess.run("/usr/bin/gzip", ["-dc", name]).output.split(separator: "\n").map(
        String.init)
    }
    let report = try Subprocess.run(
      "skan", ["report", "postbacks", "-d", database, "--environment", "test", "--format", "ndjson"])
    // Names have underscores in files for data warehouses.
    let reported = [
      "received-at", "revenue-low", "revenue-mid", "revenue-high", "adds-up", "launch-earliest",
      "launch-latest",
      "event-estimates", "effective-from",
    ].reduce(report.output) { text, name in
      text.replacing("\"\(name)\":", with: "\"\(name.replacing("-", with: "_"))\":")
    }
    #expect(exported == reported.split(separator: "\n").map(String.init))
    #expect(exported.count > 40)
    try FileManager.default.createDirectory(atPath: "\(target)/other", withIntermediateDirectories: true)
    let refused = try Subprocess.run(
      "skan", ["export", "-d", database, "--to", target, "--environment", "test"])
    #expect(refused.exitCode == 65)
    #expect(refused.errors.contains("found 'other', which is not part of an export"))
    #expect(refused.errors.contains("name an empty or new folder"))
    let production = try Subprocess.run("skan", ["export", "-d", database, "--to", folder.file("real")])
    #expect(production.exitCode == 0 && production.output == "0 postbacks exported to 0 files, 0 in all\n")
  }
}
