@testable import Arguments
import TestSupport
import Testing
@testable import Values

@Suite struct `The edit distance of words` {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("serve", "serve", 0), ("srve", "serve", 1), ("kitten", "sitting", 3),
    ("listen", "lisent", 2), ("é", "e", 1),
  ])
  func `The edit distance of two words has the expected value`(a: String, b: String, distance: Int) {
    #expect(editDistance(a, b) == distance)
  }

  @Test func `The edit distance of words is a metric`() {
    var random = SplitMix64(seed: 5)
    func word() -> String {
      String(
        (0..<Int.random(in: 0...7, using: &random)).map { _ in "abc".randomElement(using: &random) ?? "a" })
    }
    for _ in 0..<3000 {
      let (a, b, c) = (word(), word(), word())
      let ab = editDistance(a, b)
      #expect((ab == 0) == (a == b), "\(a) \(b)")
      #expect(ab == editDistance(b, a), "\(a) \(b)")
      #expect(ab <= editDistance(a, c) + editDistance(c, b), "\(a) \(b) \(c)")
      #expect(ab >= abs(a.count - b.count) && ab <= max(a.count, b.count), "\(a) \(b)")
      #expect(editDistance(a + c, b + c) <= ab, "\(a) \(b) \(c)")
    }
  }

  @Test(arguments: [
    ("--lisen", "--listen"), ("--xyzzy", nil), ("--", nil), ("--listne", "--listen"),
    ("--thraeds", "--threads"),
  ])
  func `The edit distance of words finds the word that was meant`(word: String, found: String?) {
    #expect(nearest(to: word, among: ["--listen", "--threads", "--database"]) == found)
  }

  @Test func `The edit distance suggests no word that has no letter in the same place`() {
    #expect(nearest(to: "mid", among: ["low", "medium", "high"]) == nil)
    #expect(nearest(to: "hgih", among: ["low", "medium", "high"]) == "high")
  }

  @Test(
    arguments: [
      ("max", ["mix", "may", "low"], nil), ("max", ["mix", "low"], "mix"), ("min", ["low", "to"], nil),
      ("lower", ["low", "from"], "low"), ("best", ["rows", "worst"], nil), ("form", ["for", "from"], nil),
      ("form", ["from"], "from"), ("ECX", ["ECU", "ECV"], nil), ("level_1", ["level_2"], nil),
      ("fine-64", ["fine-6", "fine-63"], nil), ("5239", ["5238", "523"], nil), ("3.0", ["4.0"], nil),
      ("v9wttpbfk8.skadnetwork", ["v9wttpbfk9.skadnetwork"], "v9wttpbfk9.skadnetwork"), ("ot", ["to"], nil),
      ("no", ["to"], nil),
      ("too", ["to"], "to"), ("wed", ["mon", "tue"], nil), ("EUX", ["USD", "EUR"], "EUR"),
      ("XYZ", ["XAU"], nil),
    ] as [(String, [String], String?)])
  func `The edit distance suggests for a short word only one with nearly all its letters`(
    word: String, among words: [String], found: String?
  ) {
    #expect(nearest(to: word, among: words) == found)
  }
}

@Suite struct `The guess of a column` {
  @Test(
    arguments: [
      ("date", ["rate", "day"], nil), ("rate", ["date"], nil), ("amount", ["account"], nil),
      ("name", ["game"], nil), ("amount", ["amounts"], "amounts"), ("clicks", ["click"], "click"),
      ("campaign", ["Campaign", "campain"], "Campaign"), ("impressions", ["impresions"], "impresions"),
    ] as [(String, [String], String?)])
  func `The guess of a column is one of nearly all letters, or none`(
    word: String, among names: [String], found: String?
  ) {
    #expect(ColumnGuess.name(for: [word], among: names) == found)
  }
}

@Suite struct `Wrapped text` {
  @Test func `Wrapped text keeps all words and the width`() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<500 {
      let count = Int.random(in: 0...30, using: &random)
      let words: [String] = (0..<count).map { _ in
        let letters = Int.random(in: 1...12, using: &random)
        return String(repeating: "x", count: letters)
      }
      let width = Int.random(in: 12...40, using: &random)
      let lines = wrap(words.joined(separator: " "), to: width)
      let found: [String] = lines.flatMap { line in line.split(separator: " ").map { String($0) } }
      #expect(found == words)
      #expect(lines.allSatisfy { $0.count <= width && !$0.isEmpty })
    }
  }
}
