import JSONText
import MappingFormats
import Mappings
import System
import TestSupport
import Testing
import Values

struct `skan mapping design` {
  private func events(users: Int = 400, days: Int = 20) -> String {
    var random = SplitMix64(seed: 4)
    var rows = ["user,time,event,revenue,currency"]
    for user in 0..<users {
      let start = 1_767_225_600 + random.number(below: days * 86_400)
      rows.append("u\(user),\(start),open,,")
      for _ in 0..<random.number(below: 6) {
        let time = start + random.number(below: 5 * 86_400)
        let isBuyer = random.happens(0.4)
        rows.append(
          "u\(user),\(time),\(isBuyer ? "buy" : "trial"),\(isBuyer ? "\(1 + random.number(below: 30)).99,USD" : ",")"
        )
      }
    }
    return rows.joined(separator: "\n") + "\nlast,1780000000,open,,\n"
  }

  @Test func `skan mapping design prints a mapping that passes the check, with the reasons`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(events(), to: "e.csv")
    let words = ["mapping", "design", "--events", file, "--app", "7", "--name", "first", "--values", "24"]
    let designed = outcome(of: words)
    #expect(designed.code == .done)
    try expectGolden(designed.output, "mapping-design.json")
    try expectGolden(designed.errors, "mapping-design.txt")
    let mapping = try folder.write(designed.output, to: "m.json")
    let checked = skan("mapping", "check", "--strict", mapping)
    #expect(checked.code == .done, "\(checked.output)")
    let again = outcome(of: words)
    #expect(again.output == designed.output && again.errors == designed.errors)
    #expect(outcome(of: words + ["--seed", "2"]).errors != designed.errors)
  }

  @Test func `skan mapping design leaves a window to the overlap with another source`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(events(), to: "e.csv")
    let words = ["mapping", "design", "-q", "--events", file, "--app", "7", "--values", "8"]
    let designed = outcome(of: words + ["--overlap-window", "3"])
    #expect(designed.code == .done)
    let mapping = try #require(MappingDocument.read(Array(designed.output.utf8)).document?.mapping)
    #expect(mapping.overlapWindow == .third)
    let plain = try #require(MappingDocument.read(Array(outcome(of: words).output.utf8)).document?.mapping)
    #expect(plain.fine == mapping.fine && plain.overlapWindow == nil)
    let path = try folder.write(designed.output, to: "m.json")
    #expect(skan("mapping", "check", "--strict", path).code == .done)
    let skan3 = outcome(of: words + ["--overlap-window", "3", "--protocol", "skan3"])
    #expect(skan3.code == .usage && skan3.errors.contains("no later windows"))
  }

  @Test func `skan mapping design gives the same result for rows in another order`() throws {
    let folder = try TemporaryFolder()
    let rows = events().split(separator: "\n")
    let turned = ([rows[0]] + rows.dropFirst().reversed()).joined(separator: "\n") + "\n"
    let answers = try [events(), turned].enumerated().map { number, text in
      let file = try folder.write(text, to: "e\(number).csv")
      return skan("mapping", "design", "-q", "--events", file, "--app", "7", "--format", "json")
    }
    #expect(answers[0].code == .done)
    #expect(answers[0].output == answers[1].output)
  }

  @Test func `skan mapping design prints mapping and reasons as one object`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(events(), to: "e.csv")
    let out = folder.file("m.json")
    let designed = skan(
      "mapping", "design", "--events", file, "--app", "7", "--protocol", "skan3", "--window", "72", "--cost",
      "sqrt", "--target", "event:trial", "--effective-from", "2027-01-01", "--format", "json", "--out", out)
    #expect(designed.code == .done)
    let root = try JSONReader.read(Array(designed.output.utf8))
    guard case .object(let object) = root.value, let mapping = object["mapping"],
      let design = object["design"],
      case .object(let parts) = design.value
    else {
      Issue.record("not an object of two")
      return
    }
    #expect(parts["window-hours"]?.value == .number(try #require(JSONNumber("72"))))
    #expect(parts["cost"]?.value == .string("sqrt"))
    let inside = MappingDocument.read(Array(Array(designed.output.utf8)[mapping.range])).document?.mapping
    let written = MappingDocument.read(try FileReader.contents(of: out, limit: 1 << 20)).document?.mapping
    #expect(inside != nil && inside == written)
    #expect(inside?.effectiveFrom == Instant("2027-01-01"))
    #expect(inside?.fine.contains { $0.conditions.events.contains { $0.name == "trial" } } == true)
  }

  @Test func `skan mapping design rejects input that gives no mapping`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(events(), to: "e.csv")
    func design(_ words: String...) -> Outcome {
      outcome(of: ["mapping", "design", "--events", file, "--app", "7"] + words)
    }
    #expect(skan("mapping", "design", "--app", "7").code == .usage)
    #expect(skan("mapping", "design", "--events", file).code == .usage)
    #expect(design("--window", "72").code == .usage)
    #expect(design("--window", "36").code == .usage)
    #expect(design("--target", "day4").code == .usage)
    #expect(design("--target", "event:").code == .usage)
    #expect(design("--threshold", "magic").code == .usage)
    #expect(design("--currency", "XXY").code == .usage)
    #expect(design("--values", "65").code == .usage)
    #expect(design("--target", "event:never").code == .data)
    #expect(design("--currency", "EUR").code == .data)
    let mixed = try folder.write(
      "user,time,event,revenue,currency\na,1,x,1,USD\nb,1,x,1,EUR\n", to: "mixed.csv")
    let two = skan("mapping", "design", "--events", mixed, "--app", "7")
    #expect(two.code == .usage && two.errors.contains("EUR, USD"))
    let young = try folder.write("user,time,event,revenue,currency\na,1,x,1,USD\n", to: "young.csv")
    let none = skan("mapping", "design", "--events", young, "--app", "7")
    #expect(none.code == .data && none.errors.contains("fewer days"))
  }
}
