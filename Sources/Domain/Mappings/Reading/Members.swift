import JSONText

/// A value of the file with the way to it.
struct Located {
  let node: JSONNode
  let path: JSONPath

  var place: Place { Place(offset: node.range.lowerBound, path: path) }

  /// The elements, when it is an array.
  var elements: [Located]? {
    node.value.array.map { $0.enumerated().map { Located(node: $1, path: path.element($0)) } }
  }
}

/// The members of an object that were found to be known ones.
struct Members {
  let object: JSONObject
  let at: Located

  subscript(name: String) -> Located? {
    object[name].map { Located(node: $0, path: at.path.member(name)) }
  }
}

/// Collects what is wrong with a file, in the order in which it is found.
struct FindingLog {
  /// The most findings that are kept: a broken file can be wrong in a million places.
  static let most = 200

  let lines: LineIndex
  private(set) var findings: [MappingFinding] = []
  /// How many errors there were, kept or not.
  private(set) var count = 0

  init(_ bytes: [UInt8]) { lines = LineIndex(bytes) }

  mutating func report(_ code: MappingFinding.Code, _ place: Place, _ sentence: String, hint: String? = nil) {
    add(
      MappingFinding(
        code: code, position: lines.position(ofByte: place.offset), path: place.path, sentence: sentence,
        hint: hint))
  }

  mutating func report(_ code: RuleCode, _ place: Place, _ sentence: String, hint: String? = nil) {
    report(.rule(code), place, sentence, hint: hint)
  }

  /// The same log before anything was found.
  var cleared: FindingLog {
    var log = self
    log.findings = []
    log.count = 0
    return log
  }

  mutating func add(_ finding: MappingFinding) {
    if finding.severity == .error { count += 1 }
    guard findings.count < Self.most else { return }
    findings.append(finding)
  }

  /// Takes a value as an object of a sort, reporting members that it lacks or should not have.
  mutating func members(_ at: Located, _ sort: ObjectSort) -> Members? {
    guard case .object(let object) = at.node.value else {
      wrongType(at, "an object", .object)
      return nil
    }
    let known = sort.members
    for member in object.members where !known.contains(where: { haveSameBytes($0, member.name) }) {
      guard count < Self.most else { break }
      // Comparing words takes the product of their lengths, and names come from outside.
      let meant = member.name.utf8.count <= 40 ? Synonyms.word(for: member.name, among: known) : nil
      report(
        .unknownMember, Place(offset: member.nameRange.lowerBound, path: at.path.member(member.name)),
        "\(sort.words) has no member \(quoted(member.name))",
        hint: meant.map { "Did you mean \(quoted($0))?" }
          ?? "It can have \(known.map { quoted($0) }.joined(separator: ", ")).")
    }
    for name in sort.required where object[name] == nil {
      report(.missingMember, at.place, "\(sort.words) needs a member \(quoted(name))")
    }
    return Members(object: object, at: at)
  }

  mutating func wrongType(_ at: Located, _ expected: String, _ wanted: JSONWanted) {
    report(
      .wrongType, at.place, "this must be \(expected), found \(at.node.value.sort.rawValue)",
      hint: at.node.value.cure(for: wanted))
  }
}
