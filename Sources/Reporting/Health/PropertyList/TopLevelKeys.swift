import PropertyLists
import Values

/// The keys of attribution, which belong to the top level, and those that were probably meant as one of them.
struct TopLevelKeys {
  static let report = "NSAdvertisingAttributionReportEndpoint"
  static let copies = "AttributionCopyEndpoint"
  static let reengagementCopies = "EligibleForAdAttributionKitReengagementPostbackCopies"
  static let overlapping = "EligibleForAdAttributionKitOverlappingConversions"
  static let items = "SKAdNetworkItems"
  static let identifiers = "AdNetworkIdentifiers"
  static let rules = "AdAttributionKitConfigurations"

  private static let all = [report, copies, reengagementCopies, overlapping, items, identifiers, rules]
  /// What Xcode shows in place of a key, and names that are taken for one.
  private static let otherNames = [
    "adattributionkitpostbackcopyurl": copies, "adattributionkitcopyendpoint": copies,
    "adattributioncopyendpoint": copies,
    "adattributionkitoptinforreengagementpostbackcopies": reengagementCopies,
    "skadnetworkidentifiers": items, "skadnetworkidentifier": items, "adnetworkidentifier": identifiers,
    "adattributionkitconfiguration": rules,
  ]
  /// Bytes of a key that is compared letter by letter: that takes the product of the lengths.
  private static let longest = 80

  /// Keys of the top level that are written otherwise, with the right ones.
  private(set) var misspelt: [(name: String, meant: String)] = []
  /// Keys inside other containers, with the right names.
  private(set) var misplaced: [(path: PlistPath, name: String)] = []

  /// Right keys that the file has or seems to mean.
  var meant: Set<String> { Set(misspelt.map(\.meant)) }

  init(_ members: [String: PropertyList]) {
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if !Self.all.contains(name), let meant = Self.meaning(of: name) { misspelt.append((name, meant)) }
      search(value, at: .top.key(name))
    }
  }

  static func concern(_ path: PlistPath) -> Bool {
    guard case .key(let first) = path.steps.first else { return false }
    return all.contains(first)
  }

  private mutating func search(_ value: PropertyList, at path: PlistPath) {
    switch value {
    case .dictionary(let members):
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        let inside = path.key(name)
        if let right = Self.all.first(where: { Self.plain($0) == Self.plain(name) }) {
          misplaced.append((inside, right))
        }
        search(value, at: inside)
      }
    case .array(let elements):
      for (number, element) in elements.enumerated() { search(element, at: path.element(number)) }
    default: break
    }
  }

  private static func meaning(of name: String) -> String? {
    guard name.utf8.count <= longest else { return nil }
    let plain = plain(name)
    if let same = all.first(where: { self.plain($0) == plain }) ?? otherNames[plain] { return same }
    let lower = Dictionary(all.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    return nearest(to: name.lowercased(), among: all.map { $0.lowercased() }).flatMap { lower[$0] }
  }

  private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter } }
}
