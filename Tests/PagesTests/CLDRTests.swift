import Foundation
import Pages
import Testing
import Values

/// The data of Debian's package unicode-cldr-core.
private enum CLDR {
  static let folder = URL(filePath: "/usr/share/unicode/cldr/common")
  static let isInstalled = FileManager.default.fileExists(
    atPath: folder.appending(path: "supplemental/plurals.xml").path)

  static func file(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// The name of a language in CLDR.
  static func code(_ language: Language) -> String {
    String(language.rawValue.prefix { $0 != "-" })
  }
}

@Suite(.enabled(if: CLDR.isInstalled, "unicode-cldr-core is not installed; tools/setup --test installs it"))
struct `Rules of CLDR` {
  @Test(arguments: Language.offered)
  func `Plural forms of whole numbers are those of CLDR's samples`(language: Language) throws {
    let rules = try CLDR.file("supplemental/plurals.xml")
    let code = CLDR.code(language)
    let group = try #require(
      rules.matches(of: /<pluralRules locales="([^"]*)">(.*?)<\/pluralRules>/.dotMatchesNewlines())
        .first { $0.1.split(separator: " ").contains(Substring(code)) })
    var checked = 0
    for rule in group.2.matches(of: /<pluralRule count="(\w+)">(.*?)<\/pluralRule>/.dotMatchesNewlines()) {
      guard let samples = rule.2.firstMatch(of: /@integer ([^@]*)/) else { continue }
      for sample in samples.1.split(separator: ",") {
        let ends = sample.split(separator: "~").compactMap { Int($0.filter { !$0.isWhitespace }) }
        guard let first = ends.first, let last = ends.last else { continue }
        for number in first...last {
          #expect(language.category(of: number).name == String(rule.1), "\(number)")
          checked += 1
        }
      }
    }
    #expect(checked > 20)
  }

  @Test(arguments: Language.offered)
  func `Separators, percent signs and months are those of CLDR`(language: Language) throws {
    let data = try CLDR.file("main/\(CLDR.code(language)).xml")
    let symbols = data.firstMatch(
      of: /<symbols numberSystem="latn">.*?<decimal>(.)<\/decimal>.*?<group>(.)<\/group>/.dotMatchesNewlines()
    )
    let style = NumberStyle(language)
    // What a language does not name it has from the root of CLDR: a point, and a comma between thousands.
    let (decimal, group) = (symbols.map { "\($0.1)" } ?? ".", symbols.map { "\($0.2)" } ?? ",")
    #expect(style.local("12,345.6") == "12\(group)345\(decimal)6")
    if language != .english {
      let percent = data.firstMatch(
        of: /<percentFormats numberSystem="latn">.*?<pattern>([^<]*)</.dotMatchesNewlines())
      let hasSpace = percent?.1.contains("\u{A0}%") ?? false
      #expect(style.local("5 %") == (hasSpace ? "5 %" : "5%"))
    }
    let calendar = try #require(
      data.firstMatch(of: /<calendar type="gregorian">(.*?)<\/calendar>/.dotMatchesNewlines())
    ).1
    let months = calendar.firstMatch(
      of: /<monthContext type="format">\s*<monthWidth type="abbreviated">(.*?)<\/monthWidth>/
        .dotMatchesNewlines())
    for month in 1...12 {
      let day = try #require(Day("2026-\(month < 10 ? "0" : "")\(month)-07"))
      guard
        let name = months?.1.matches(of: /<month type="(\d+)">([^<]*)</).first(where: { Int($0.1) == month })
      else { continue }
      #expect(style.day(day).contains(String(name.2)), "\(style.day(day)) lacks \(name.2)")
    }
  }
}
