import Arguments
import Foundation
import TestSupport
import Testing
import Values

@Suite struct `A page of the manual` {
  @Test(arguments: [[], ["serve"], ["mapping"], ["mapping", "check"], ["report", "campaigns"]])
  func `A page of the manual equals the reviewed file`(path: [String]) throws {
    try expectGolden(manual(on: path), "manual-\(sample.manualName(of: path)).1")
  }

  @Test func `A page of the manual exists for the program, every group and every command`() {
    #expect(sample.manualTopics.map(sample.manualName).prefix(3) == ["skan", "skan-mapping", "skan-report"])
    #expect(sample.manualTopics.count == 1 + sample.prefixes.count + sample.commands.count)
    #expect(Set(sample.manualTopics).count == sample.manualTopics.count)
    for command in sample.commands {
      let page = shown(manual(on: command.path))
      for text in [command.summary.dropLast().description] + command.discussion {
        #expect(page.contains(text), "\(command.name)")
      }
      for example in command.examples { #expect(page.contains(example.line)) }
      for option in command.options {
        #expect(page.contains(option.isNegatable ? "--[no-]" + option.name.dropFirst(2) : option.name))
        #expect(page.contains(option.summary))
      }
      for word in command.positionals { #expect(page.contains(word.placeholder)) }
    }
  }

  @Test(arguments: [
    ".SH is text, and so is .PP", "'quoted' at its start", "a \\fB, a \\e and a \\",
    "--dry-run of - and \u{2212}",
    "the \"name\" in `code`", "10 ^ 2 ~ 100 – \u{1F4F1}", "...", "'", "\\&.", ".x.", "a ' .b 'c",
  ])
  func `A page of the manual loses no text`(text: String) throws {
    let program = Program(
      name: "skan", summary: text, examples: [.init(text, text)],
      groups: [
        CommandGroup(
          "all", text,
          [
            Command(
              "group one", text, discussion: [text, text], examples: [.init(text, text)],
              positionals: [Positional(text, .text, text)],
              options: [.value("--value", text, .text, text, default: text)])
          ])
      ], prefixes: ["group": text], exitCodes: [(0, text)])
    let name = text.hasSuffix(".") ? String(text.dropLast()) : text
    for (topic, times) in [([], 6), (["group"], 5), (["group", "one"], 10)] {
      let page = program.manual(on: topic, version: "1", date: "2026-11-21")
      #expect(page.utf8.allSatisfy { $0 == 10 || (0x20...0x7E).contains($0) })
      #expect(shown(page).components(separatedBy: name).count - 1 >= times, "\(page)")
      // Every line that begins like a request is one of the renderer's own.
      for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
        let request = line.prefix { $0 != " " }
        #expect(
          [".TH", ".SH", ".SS", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi", ".BR"].contains(request), "\(line)")
      }
    }
  }

  @Test func `A page of the manual has no roff requests in its text, wherever lines are wrapped`() {
    var random = SplitMix64(seed: 11)
    let words = [".SH", "'br", "\\", "a", "word", "-", "..", "\\&'", "longer-than-many"]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        words[Int.random(in: 0..<words.count, using: &random)]
      }.joined(separator: " ")
      let program = Program(
        name: "skan", summary: "S", examples: [],
        groups: [CommandGroup("all", "S", [Command("one", "S", discussion: [text], examples: [])])])
      #expect(shown(program.manual(on: ["one"], version: "1", date: "2026-11-21")).contains(text))
    }
  }

  @Test(arguments: ManualFormatter.all(mandocLevel: "style"))
  func `A page of the manual is accepted by the formatters that are installed`(formatter: ManualFormatter)
    throws
  {
    let folder = try TemporaryFolder()
    for topic in sample.manualTopics {
      let file = try folder.write(manual(on: topic), to: sample.manualName(of: topic) + ".1")
      let result = try Subprocess.run(formatter.path, formatter.words + [file])
      #expect(result.exitCode == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
    }
  }

  private func manual(on path: [String]) -> String {
    sample.manual(on: path, version: "0.1.0", date: "2026-11-21")
  }

  /// The letters that a reader sees, as far as the renderer goes: without requests, fonts and breaks between lines.
  private func shown(_ page: String) -> String {
    let lines = page.replacing(" \\\n", with: " ").split(separator: "\n").filter { line in
      !line.hasPrefix(".")
    }.map { line in line.hasPrefix("\\&") ? line.dropFirst(2) : line }
    var text = Substring(lines.joined(separator: " "))
    var shown = ""
    let letters = [
      "\\fB": "", "\\fI": "", "\\fR": "", "\\-": "-", "\\e": "\\", "\\(aq": "'", "\\(dq": "\"", "\\(ga": "`",
      "\\(ha": "^", "\\(ti": "~",
    ]
    while let letter = text.first {
      if text.hasPrefix("\\[u") {
        let digits = text.dropFirst(3).prefix { $0 != "]" }
        shown.unicodeScalars.append(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? "?")
        text = text.dropFirst(digits.count + 4)
      } else if let escape = letters.first(where: { text.hasPrefix($0.key) }) {
        shown += escape.value
        text = text.dropFirst(escape.key.count)
      } else {
        #expect(letter != "\\", "an unknown escape")
        shown.append(letter)
        text = text.dropFirst()
      }
    }
    return shown
  }
}
