import Arguments
import TestSupport
import Testing
import Values

@Suite struct `A command line` {
  @Test func `A command line accepts every way of writing an option`() throws {
    for line in [
      "serve --database a.db --listen [::1]:0 -q", "serve --database=a.db --quiet --listen=[::1]:0",
      "serve -q -d a.db --listen [::1]:0", "serve --listen [::1]:0 -d=a.db -q",
    ] {
      let settings = try #require(try settings(line))
      #expect(settings[Sample.database] == "a.db")
      #expect(settings[Sample.listen].host == "::1")
      #expect(settings[Sample.quiet])
      #expect(!settings[Sample.noColor])
    }
  }

  @Test func `A command line has typed values`() throws {
    let serve = try #require(try settings("serve -d x --threads 64 --keep-bodies-for 36h --no-sync"))
    #expect(serve[Sample.threads] == 64)
    #expect(serve[Sample.age]?.milliseconds == 129_600_000)
    #expect(!serve[Sample.sync])
    let report = try #require(try settings("report campaigns --database x --from 2026-11-21 --app 1 --app 2"))
    #expect(report[Sample.from]?.description == "2026-11-21T00:00:00Z")
    #expect(report[Sample.app] == [1, 2])
    #expect(report[Sample.format] == .table)
  }

  @Test(
    arguments: [
      ("0s", 0), ("1ms", 1), ("90s", 90_000), ("15m", 900_000), ("36h", 129_600_000), ("2d", 172_800_000),
      ("1w", 604_800_000), ("106751991167d", 9_223_372_036_828_800_000),
    ] as [(String, Int64)])
  func `A command line reads a duration`(text: String, milliseconds: Int64) throws {
    #expect(
      try settings("serve -d x --keep-bodies-for \(text)")?[Sample.age]?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "1", "h", "-1h", "1.5h", "1 h", "1H", "1y", "106751991168d", "٣h", "99999999999999999999s",
  ])
  func `A command line rejects a wrong duration`(text: String) throws {
    #expect(throws: UsageError.self) { try sample.read(["serve", "-d", "x", "--keep-bodies-for", text]) }
  }

  @Test func `A command line keeps arguments in order, including a dash and all after two dashes`() throws {
    let check = try #require(try settings("mapping check a - --strict b -- --strict -x --"))
    #expect(check.positionals == ["a", "-", "b", "--strict", "-x", "--"])
    #expect(check[Sample.strict])
  }

  @Test func `A command line uses the last of a switch and its opposite`() throws {
    #expect(try settings("serve -d x --sync --no-sync")?[Sample.sync] == false)
    #expect(try settings("serve -d x --no-sync --sync")?[Sample.sync] == true)
    #expect(try settings("serve -d x")?[Sample.sync] == true)
  }

  @Test func `A command line requests help or the version`() throws {
    for line in ["", "help", "--help", "-h"] { #expect(try read(line) == .help([])) }
    for line in ["help serve", "serve --help", "serve --prot -h", "serve -d --help"] {
      #expect(try read(line) == .help(["serve"]))
    }
    for line in ["mapping", "mapping -h", "help mapping"] { #expect(try read(line) == .help(["mapping"])) }
    #expect(try read("help mapping check") == .help(["mapping", "check"]))
    for line in ["--version", "-V", "version"] { #expect(try read(line) == .version) }
    let after = try #require(try settings("mapping check -- --help"))
    #expect(after.positionals == ["--help"])
  }

  @Test func `A command line that is wrong gets a precise message`() throws {
    let lines = [
      "srve", "mapping chekc", "mapping x", "help srve", "help othr", "other", "xyzzy", "--versoin", "-x",
      "serve --prot", "serve --lisen 127.0.0.1:1", "serve --nosync", "serve -x", "serve --quiet=yes",
      "serve --listen", "serve --listen --quiet", "serve --listen -q", "serve --listen x", "serve --listen=",
      "serve --listen 127.0.0.1:65536", "serve --database=", "serve --threads 0", "serve --threads 65",
      "serve --threads two", "serve --keep-bodies-for 36", "serve -d a -d b", "serve", "serve extra -d x",
      "report campaigns --from yesterday", "report campaigns --app 0", "report campaigns --format jsn",
      "report campaigns --format xml", "mapping check", "mapping diff a", "mapping diff a b c",
      "completions bsh",
    ]
    var text = ""
    for line in lines {
      let error = #expect(throws: UsageError.self, "\(line)") { _ = try settings(line) }
      text += "$ skan \(line)\n\(error.map { "\($0)" } ?? "")\n\n"
    }
    try expectGolden(text, "errors.txt")
  }

  @Test func `A command line never stops the parser, whatever it contains`() {
    var random = SplitMix64(seed: 11)
    let parts = [
      "serve", "mapping", "check", "diff", "report", "campaigns", "--", "-", "", "--listen", "--listen=",
      "-d", "-q",
      "=", "--=", "--no-sync", "--app", "1", "x", "--help", "é", "\0", "help",
    ]
    for _ in 0..<5000 {
      let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }
      do {
        if case .run(let command, let words) = try sample.read(words) {
          _ = try Settings(words, for: command, of: "skan", environment: [:])
        }
      } catch {
        #expect(error.description.contains("\nSee 'skan "), "\(words)")
      }
    }
  }
}
