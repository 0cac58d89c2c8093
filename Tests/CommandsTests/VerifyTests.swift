import Gzip
import JSONText
import TestSupport
import Testing

struct `skan verify` {
  @Test func `skan verify prints a row for each postback in each format`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(appleSamples(), to: "apple.ndjson")
    for format in ["table", "json", "ndjson", "csv"] {
      let outcome = skan("verify", "--format", format, file)
      #expect(outcome.code == .failedCheck)
      #expect(outcome.errors == "9 valid, 1 invalid\n")
      try expectGolden(outcome.output, "verify.\(format)")
    }
  }

  @Test func `skan verify prints the members of a row in the agreed order`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try SharedVectors.body("apple-2.0"), to: "one.json")
    let outcome = skan("verify", "--format", "ndjson", file)
    #expect(outcome.code == .done)
    let names = try #require(JSONReader.read(Array(outcome.output.utf8)).value.object).members.map(\.name)
    #expect(names == ["index", "kind", "version", "state", "environment", "reason", "warnings", "id"])
  }

  @Test func `skan verify reads an array and gzip, and counts over all files`() throws {
    let folder = try TemporaryFolder()
    let body = try SharedVectors.body("apple-2.0")
    let array = try folder.write(
      Array("[".utf8) + body + Array(",".utf8) + body + Array("]".utf8), to: "a.json")
    let packed = try folder.write(gzip(body), to: "b.json.gz")
    let outcome = skan("verify", "--format", "ndjson", array, packed)
    #expect(outcome.code == .done)
    #expect(
      outcome.output.split(separator: "\n").map { $0.prefix(11) } == [
        "{\"index\":0,", "{\"index\":1,", "{\"index\":2,",
      ])
    #expect(skan("verify", array, packed).output.contains("b.json.gz"))
  }

  @Test func `skan verify keeps the order of many rows on all processors`() throws {
    let folder = try TemporaryFolder()
    let keys = try makeKeys(in: folder)
    let signed = skan("sign", "--test-key", keys.secret, "--count", "1500", "--seed", "3")
    let file = try folder.write(signed.output, to: "many.ndjson")
    let outcome = skan("verify", "--trust-test-keys", keys.trusted, "--format", "csv", file)
    #expect(outcome.code == .done)
    let indices = outcome.output.split(separator: "\r\n").dropFirst().compactMap {
      Int($0.prefix { $0 != "," })
    }
    #expect(indices == Array(0..<1500))
  }

  @Test func `skan verify colours the state for a terminal only`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try SharedVectors.body("apple-2.0"), to: "one.json")
    #expect(skan("verify", file, isTerminal: true).output.contains("\u{1b}[32mvalid"))
    #expect(!skan("verify", file).output.contains("\u{1b}"))
    #expect(!skan("verify", "--no-color", file, isTerminal: true).output.contains("\u{1b}"))
    #expect(!skan("verify", file, environment: ["NO_COLOR": "1"], isTerminal: true).output.contains("\u{1b}"))
    #expect(skan("verify", "--quiet", file).errors.isEmpty)
  }

  @Test func `skan verify distinguishes what cannot be read, what is damaged and what is empty`() throws {
    let folder = try TemporaryFolder()
    let missing = skan("verify", folder.file("none.json"))
    #expect(missing.code == .inputOutput)
    #expect(
      missing.errors.contains("cannot read '\(folder.file("none.json"))': No such file or directory\n  Try: ")
    )
    let whole = gzip(try SharedVectors.body("apple-2.0"))
    #expect(skan("verify", try folder.write(Array(whole.dropLast(6)), to: "cut.gz")).code == .data)
    for (index, text) in ["", "[]", " \n "].enumerated() {
      let outcome = skan("verify", try folder.write(text, to: "empty\(index)"))
      #expect(outcome.code == .data)
      #expect(outcome.errors.contains("found no postback in"))
    }
    #expect(skan("verify").code == .usage)
    #expect(skan("verify", "--trust-test-keys", try folder.write("{}", to: "keys"), "x").code == .data)
  }
}
