@testable import System
import Testing
@testable import Values

struct `Untrusted text` {
  @Test(arguments: [
    ("plain text, even € and ü and 日本", "plain text, even € and ü and 日本"),
    ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\u{202E}b", "a\\u{202E}b"),
    ("\u{200E}\u{200F}", "\\u{200E}\\u{200F}"),
    ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("\u{61C}", "\\u{61C}"),
    ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
    ("a\u{7F}\u{85}\u{9B}", "a\\u{7F}\\u{85}\\u{9B}"),
    ("zero\u{200B}width\u{FEFF}", "zero\\u{200B}width\\u{FEFF}"),
    ("a\0b\r\n\t", "a\\u{0}b\\u{D}\\u{A}\\u{9}"), ("\u{E0041}", "\\u{E0041}"),
  ])
  func `Untrusted text shows characters that would be invisible or would move the cursor`(
    text: String, shown: String
  ) {
    #expect(printable(text) == shown)
    #expect(printable(shown) == shown)
  }

  @Test func `Untrusted text is escaped in every message`() {
    let console = Console.captured(isTerminal: true)
    console.note("note \u{202E}\u{1B}[2J\nline")
    console.problem("problem \u{9B}1m", remedy: "cure \u{2067}")
    #expect(
      console.errors.captured
        == "note \\u{202E}\\u{1B}[2J\nline\nskan: problem \\u{9B}1m\n  Try: cure \\u{2067}\n")
  }
}
