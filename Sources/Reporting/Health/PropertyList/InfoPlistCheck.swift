import PropertyLists
import Values

/// Checks an app's `Info.plist` for what postbacks, their copies and attribution need.
///
/// Sources: Apple, "Configuring an advertised app", "Configuring a publisher app", "Configuring attribution rules for
/// your app" (AdAttributionKit), "Configuring a source app" (StoreKit) and the pages of the keys.
package struct InfoPlistCheck: Sendable {
  /// An ad network that the app should list.
  package struct Network: Hashable, Sendable {
    package let identifier: String
    /// Whether it only sent postbacks; such an app need not show its ads.
    package let onlySent: Bool

    package init(_ identifier: String, onlySent: Bool) {
      self.identifier = identifier
      self.onlySent = onlySent
    }
  }

  /// Findings in order of their lines; in a binary file, of the rules.
  package private(set) var findings: [PlistFinding] = []

  /// Bytes of a file at most.
  package static let largestFile = PropertyListFile.largestFile

  let lines: PlistLines
  /// Where copies should go, in lower case; `nil` where that is not known.
  let domain: String?

  /// Checks the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: A property list in XML or in the binary form.
  ///   - networks: Networks whose ids the app should have; each once.
  ///   - domain: The domain that should receive copies; `nil` for any but a partner's.
  package init(_ bytes: [UInt8], networks: [Network] = [], domain: String? = nil) {
    self.domain = domain?.lowercased()
    let file: PropertyListFile
    do throws(PropertyListError) {
      file = try PropertyListFile(bytes)
    } catch {
      lines = PlistLines()
      report(
        .notAPropertyList, at: .top, found: "a file that cannot be read: \(error.reason)",
        allowed: "a property list in XML (UTF-8) or in the binary form",
        cure: "run `plutil -lint` on it, or open it in Xcode and save it again")
      return
    }
    lines = file.form == .xml ? PlistLines(xml: bytes) : PlistLines()
    guard case .dictionary(let members) = file.root else {
      report(
        .notADictionary, at: .top, found: file.root.kind, allowed: "a dictionary",
        cure: "choose the Info.plist of the app")
      return
    }
    check(members, networks)
    findings.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private mutating func check(_ members: [String: PropertyList], _ networks: [Network]) {
    let keys = TopLevelKeys(members)
    for (path, line) in lines.duplicates where TopLevelKeys.concern(path) {
      report(
        .duplicateKey, at: path, line: line, found: "the key a second time", allowed: "each key once",
        cure: "delete one of the two; which of them counts is not defined")
    }
    for (name, meant) in keys.misspelt {
      report(
        .misspeltKey, at: .top.key(name), found: "the key \(quoted(name))",
        allowed: "\(quoted(meant)); letter case counts", cure: "rename the key to \(quoted(meant))")
    }
    var nested: Set<String> = []
    for (path, name) in keys.misplaced {
      nested.insert(name)
      report(
        .wrongPlace, at: path, found: "\(quoted(name)) inside \(quoted(path.parent.description))",
        allowed: "the top level of Info.plist; elsewhere the key has no effect",
        cure: "move the key and its value to the top level")
    }
    checkEndpoints(members, known: keys.meant.union(nested))
    checkFlags(members, known: keys.meant.union(nested))
    checkNetworks(members, wanted: networks, known: keys.meant.union(nested))
    checkRules(members)
  }

  mutating func report(
    _ code: PlistFinding.Code, at path: PlistPath, line: Int? = nil, found: String, allowed: String,
    cure: String
  ) {
    findings.append(
      PlistFinding(
        code: code, path: path, line: line ?? lines.line(of: path), found: found, allowed: allowed, cure: cure
      ))
  }

  mutating func reportType(of value: PropertyList, at path: PlistPath, allowed: String, cure: String) {
    let found =
      switch value {
      case .string(let text): "the string \(quoted(text))"
      case .integer(let number): "the number \(number)"
      case .real(let number): "the number \(number)"
      default: value.kind
      }
    report(.wrongType, at: path, found: found, allowed: allowed, cure: cure)
  }
}

/// A text of the file between quotes, shortened where it is long.
func quoted(_ text: String) -> String {
  "'\(printable(text.count > 80 ? text.prefix(77) + "..." : text))'"
}

extension PlistPath {
  var parent: PlistPath { PlistPath(steps: Array(steps.dropLast())) }
}

extension PlistLines {
  /// The line of a value, or of the nearest container of it; nil where the file has no lines.
  func line(of path: PlistPath) -> Int? {
    var path = path
    while !path.steps.isEmpty {
      if let line = lines[path] { return line }
      path = path.parent
    }
    return nil
  }
}
