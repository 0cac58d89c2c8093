import JSONText
import Testing
import TestSupport

/// Files of postbacks in the forms that networks, warehouses and spreadsheets write.
final class `Files of postbacks in other forms` {
  private let folder: TemporaryFolder
  private let database: String
  private let keys: (secret: String, trusted: String)

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    keys = try makeKeys(in: folder)
    self.folder = folder
  }

  /// Signed bodies of SKAdNetwork 4 with fine values.
  private func bodies(_ values: [Int]) throws -> [String] {
    let unsigned = values.enumerated().map { index, value in
      #"{"version":"4.0","ad-network-id":"v9wttpbfk9.skadnetwork","source-identifier":"5239","app-id":525463029,"#
        + #""transaction-id":"t\#(index)","redownload":false,"source-app-id":1234567891,"fidelity-type":1,"#
        + #""did-win":true,"postback-sequence-index":0,"conversion-value":\#(value)}"#
    }
    let path = try folder.write(unsigned.joined(separator: "\n"), to: "unsigned.ndjson")
    let signed = skan("sign", "--test-key", keys.secret, path)
    #expect(signed.code == .done, "\(signed.errors)")
    return signed.output.split(separator: "\n").map(String.init)
  }

  private func ingest(_ text: String, _ more: String...) throws -> Outcome {
    let path = try folder.write(text, to: "file.ndjson")
    return outcome(of: ["ingest", "-d", database, "--trust-test-keys", keys.trusted, path] + more)
  }

  private func report(_ columns: String) -> String {
    skan(
      "report", "campaigns", "-d", database, "--environment", "test", "--format", "ndjson", "--columns",
      columns
    ).output
  }

  @Test func `A text for no coarse value beside a fine value takes none of its revenue`() throws {
    let mapping = try folder.write(
      #"{"name":"m","app":525463029,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","fine":["#
        + #"{"value":0,"label":"i"},{"value":12,"events":[{"name":"p","revenue":{"from":40,"to":60}}]}]}"#,
      to: "mapping.json")
    #expect(skan("mapping", "load", "-d", database, mapping).code == .done)
    let genuine = try bodies(Array(repeating: 12, count: 10))
    let words = ["none", "", "N/A", "\\\\N", "nan", "null", "None", "NaN", "none", "undefined"]
    let sent = zip(genuine, words).map { body, word in
      body.dropLast() + #","coarse-conversion-value":"\#(word)"}"#
    }
    let outcome = try ingest(sent.joined(separator: "\n"))
    #expect(outcome.code == .done)
    let errors = outcome.errors
    #expect(errors.contains("10 postbacks with a text for no value, such as none"), "\(errors)")
    let rows = report("postbacks,revenue-mid-USD")
    #expect(rows.contains(#""postbacks":10,"revenue-mid-USD":500"#), "\(rows)")
    let copies = try ingest(genuine.joined(separator: "\n"), "--format", "json").output
    #expect(copies.contains(#""copies": 10"#) && copies.contains(#""conflicts": 0"#), "\(copies)")
  }
}
