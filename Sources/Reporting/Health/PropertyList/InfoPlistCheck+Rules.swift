import PropertyLists
import Values

// The rules of attribution: how long impressions count, and the time between conversions (iOS 18.4).

extension InfoPlistCheck {
  private static let windows = "AttributionWindows"
  private static let cooldown = "AttributionCooldown"

  mutating func checkRules(_ members: [String: PropertyList]) {
    for name in [Self.windows, Self.cooldown] where members[name] != nil {
      report(
        .wrongPlace, at: .top.key(name), found: "\(quoted(name)) at the top level",
        allowed: "the dictionary \(quoted(TopLevelKeys.rules)); elsewhere the key has no effect",
        cure: "move it into \(quoted(TopLevelKeys.rules))")
    }
    let path = PlistPath.top.key(TopLevelKeys.rules)
    guard let value = members[TopLevelKeys.rules], let rules = dictionary(value, at: path) else { return }
    checkKeys(of: rules, at: path, known: [Self.windows, Self.cooldown])
    if let value = rules[Self.windows] { checkWindows(value, at: path.key(Self.windows)) }
    if let value = rules[Self.cooldown] { checkCooldown(value, at: path.key(Self.cooldown)) }
  }

  private mutating func checkWindows(_ value: PropertyList, at path: PlistPath) {
    guard let parties = dictionary(value, at: path) else { return }
    for (party, value) in parties.sorted(by: { $0.key < $1.key }) {
      let path = path.key(party)
      if party != "global" {
        if party.lowercased() == "global" {
          report(
            .misspeltKey, at: path, found: "the key \(quoted(party))",
            allowed: "'global' or the id of a network",
            cure: "rename the key to 'global'")
        } else if party != party.lowercased() {
          report(
            .identifierCase, at: path, found: quoted(party), allowed: quoted(party.lowercased()),
            cure: "write the id in lower case")
        }
      }
      guard let members = dictionary(value, at: path) else { continue }
      checkKeys(of: members, at: path, known: ["install"])
      guard let value = members["install"], let install = dictionary(value, at: path.key("install")) else {
        continue
      }
      checkWindow(install, at: path.key("install"), isGlobal: party.lowercased() == "global")
    }
  }

  private mutating func checkWindow(
    _ members: [String: PropertyList], at path: PlistPath, isGlobal: Bool
  ) {
    let ignored = "ignoreInteractionType"
    checkKeys(of: members, at: path, known: ["click", "view", ignored])
    checkNumber(members["click"], at: path.key("click"), in: 1...30, unit: "days")
    checkNumber(members["view"], at: path.key("view"), in: 1...7, unit: "days")
    guard let value = members[ignored] else { return }
    if isGlobal {
      report(
        .withoutEffect, at: path.key(ignored), found: "\(quoted(ignored)) in the global rules",
        allowed: "the rules of one network only", cure: "move it into the dictionary of a network's id")
    }
    guard case .string(let word) = value else {
      return reportType(
        of: value, at: path.key(ignored), allowed: "the string 'view' or 'click'",
        cure: "change its type to String")
    }
    if word != "view", word != "click" {
      report(
        .unknownWord, at: path.key(ignored), found: quoted(word), allowed: "'view' or 'click'",
        cure: "write one of the two, in lower case")
    }
  }

  private mutating func checkCooldown(_ value: PropertyList, at path: PlistPath) {
    guard let members = dictionary(value, at: path) else { return }
    let names = ["install-cooldown-hours", "re-engagement-cooldown-hours"]
    checkKeys(of: members, at: path, known: names)
    for name in names { checkNumber(members[name], at: path.key(name), in: 0...720, unit: "hours") }
  }

  private mutating func checkNumber(
    _ value: PropertyList?, at path: PlistPath, in range: ClosedRange<Int64>, unit: String
  ) {
    guard let value else { return }
    let allowed = "a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound)"
    guard case .integer(let number) = value else {
      return reportType(of: value, at: path, allowed: allowed, cure: "change its type to Number")
    }
    if !range.contains(number) {
      report(
        .outOfRange, at: path, found: "\(number)", allowed: allowed,
        cure: "write a number of this range; another one is not accepted")
    }
  }

  private mutating func checkKeys(
    of members: [String: PropertyList], at path: PlistPath, known: [String]
  ) {
    for name in members.keys.sorted() where !known.contains(name) {
      let short = name.utf8.count <= 80 ? name.lowercased() : ""
      let meant = nearest(to: short, among: known.map { $0.lowercased() }).flatMap { lower in
        known.first { $0.lowercased() == lower }
      }
      let list = known.map(quoted).joined(separator: ", ")
      report(
        meant == nil ? .unknownKey : .misspeltKey, at: path.key(name), found: "the key \(quoted(name))",
        allowed: "\(list); letter case counts",
        cure: meant.map { "rename the key to \(quoted($0))" } ?? "delete the key, or move it where it belongs"
      )
    }
  }

  private mutating func dictionary(_ value: PropertyList, at path: PlistPath) -> [String: PropertyList]? {
    if case .dictionary(let members) = value { return members }
    reportType(of: value, at: path, allowed: "a dictionary", cure: "change its type to Dictionary")
    return nil
  }
}
