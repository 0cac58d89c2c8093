import PropertyLists
import Values

// The ids of ad networks, which an app that shows their ads lists.

extension InfoPlistCheck {
  private static let skanSuffix = ".skadnetwork"
  private static let kitSuffix = ".adattributionkit"

  private struct ListedID {
    let text: String
    let path: PlistPath
  }

  /// Checks both lists, and whether they have the wanted networks; `known` are keys that are reported already.
  mutating func checkNetworks(
    _ members: [String: PropertyList], wanted: [Network], known: Set<String>
  ) {
    let items = members[TopLevelKeys.items].map { skanItems($0) } ?? []
    let identifiers = members[TopLevelKeys.identifiers].map { kitIdentifiers($0) } ?? []
    for list in [items, identifiers] { checkIDs(list) }
    let inItems = Set(items.map { $0.text.lowercased() })
    let inIdentifiers = Set(identifiers.map { $0.text.lowercased() })
    for network in wanted {
      let id = network.identifier.lowercased()
      let isOfKit = id.hasSuffix(Self.kitSuffix)
      let (key, list, other) =
        isOfKit
        ? (TopLevelKeys.identifiers, inIdentifiers, inItems) : (TopLevelKeys.items, inItems, inIdentifiers)
      guard !list.contains(id), !known.contains(key) else { continue }
      let entry =
        isOfKit
        ? "<string>\(id)</string>" : "<dict><key>SKAdNetworkIdentifier</key><string>\(id)</string></dict>"
      let path = members[key] == nil ? PlistPath.top : .top.key(key)
      if other.contains(id) {
        report(
          .otherList, at: path, found: "\(quoted(id)) in the other list only",
          allowed: "the id in \(quoted(key)), where ads of this framework are looked up",
          cure: "add \(entry) to \(quoted(key)) too")
      } else if network.onlySent {
        report(
          .networkNotListed, at: path, found: "no \(quoted(id)), a network that sent postbacks",
          allowed: "its id, if this app shows ads of the network; an app that is only advertised needs none",
          cure: "if it shows them, add \(entry) to \(quoted(key))")
      } else {
        report(
          .missingNetwork, at: path, found: "no \(quoted(id))",
          allowed: "the id of each network whose ads the app shows", cure: "add \(entry) to \(quoted(key))")
      }
    }
  }

  private mutating func skanItems(_ value: PropertyList) -> [ListedID] {
    let path = PlistPath.top.key(TopLevelKeys.items)
    let member = "SKAdNetworkIdentifier"
    guard case .array(let elements) = value else {
      reportType(
        of: value, at: path, allowed: "an array of dictionaries, each with \(quoted(member))",
        cure: "change its type to Array")
      return []
    }
    var ids: [ListedID] = []
    for (number, element) in elements.enumerated() {
      let path = path.element(number)
      guard case .dictionary(let members) = element else {
        reportType(
          of: element, at: path, allowed: "a dictionary with \(quoted(member))",
          cure: "put the id into a dictionary: <dict><key>\(member)</key><string>ID</string></dict>")
        continue
      }
      switch members[member] {
      case .string(let text): ids.append(ListedID(text: text, path: path.key(member)))
      case let value?:
        reportType(of: value, at: path.key(member), allowed: "a string", cure: "change its type to String")
      case nil:
        // What else it has is probably the key, misspelt.
        let name = members.keys.sorted().first
        report(
          name == nil ? .wrongType : .misspeltKey, at: name.map { path.key($0) } ?? path,
          found: name.map { "the key \(quoted($0))" } ?? "an empty dictionary",
          allowed: "\(quoted(member)); letter case counts",
          cure: name == nil ? "delete the element" : "rename the key to \(quoted(member))")
      }
    }
    return ids
  }

  private mutating func kitIdentifiers(_ value: PropertyList) -> [ListedID] {
    let path = PlistPath.top.key(TopLevelKeys.identifiers)
    guard case .array(let elements) = value else {
      reportType(of: value, at: path, allowed: "an array of strings", cure: "change its type to Array")
      return []
    }
    var ids: [ListedID] = []
    for (number, element) in elements.enumerated() {
      if case .string(let text) = element {
        ids.append(ListedID(text: text, path: path.element(number)))
      } else {
        reportType(
          of: element, at: path.element(number),
          allowed: "a string; only \(quoted(TopLevelKeys.items)) has dictionaries",
          cure: "write the id itself: <string>ID</string>")
      }
    }
    return ids
  }

  private mutating func checkIDs(_ ids: [ListedID]) {
    var seen: Set<String> = []
    for id in ids {
      checkID(id.text, at: id.path)
      if !seen.insert(id.text.lowercased()).inserted {
        report(
          .duplicateIdentifier, at: id.path, found: "\(quoted(id.text)) a second time",
          allowed: "each id once in the list", cure: "delete one of the two")
      }
    }
  }

  private mutating func checkID(_ text: String, at path: PlistPath) {
    let form = "an id in lower case that ends with \(Self.skanSuffix) or \(Self.kitSuffix)"
    if text.contains("$(") || text.contains("${") {
      report(
        .buildVariable, at: path, found: "the build variable \(quoted(text))", allowed: form,
        cure: "check the Info.plist inside the built app, where the variable has its value")
      return
    }
    let lower = text.lowercased()
    if lower != text {
      report(
        .identifierCase, at: path, found: quoted(text),
        allowed: "\(quoted(lower)); devices do not recognise an id with capital letters",
        cure: "write the id in lower case")
    }
    let suffix = [Self.skanSuffix, Self.kitSuffix].first { lower.hasSuffix($0) }
    let name = lower.dropLast(suffix?.count ?? 0)
    let hasForm = name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D
    }
    guard suffix != nil, hasForm, !name.isEmpty else {
      report(
        .identifierForm, at: path, found: quoted(text), allowed: form,
        cure: "copy the id from the network's documentation, without spaces")
      return
    }
    if suffix == Self.skanSuffix, name.count != 10 {
      report(
        .identifierLength, at: path, found: "\(quoted(text)) with \(name.count) letters and digits",
        allowed: "10 letters and digits before \(Self.skanSuffix), as Apple gives them",
        cure: "compare the id with the network's documentation")
    }
  }
}
