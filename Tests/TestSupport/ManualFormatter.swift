import Foundation

/// A program that formats pages of the manual, with options under which it reports every mistake in a page.
public struct ManualFormatter: Sendable {
  public let path: String
  public let words: [String]

  /// groff, which `tools/setup --test` installs, and mandoc where it is installed.
  public static func all(mandocLevel: String) -> [ManualFormatter] {
    let mandoc = ManualFormatter(path: "/usr/bin/mandoc", words: ["-T", "lint", "-W", mandocLevel])
    let groff = ManualFormatter(path: "/usr/bin/groff", words: ["-man", "-ww", "-z"])
    return FileManager.default.isExecutableFile(atPath: mandoc.path) ? [groff, mandoc] : [groff]
  }
}
