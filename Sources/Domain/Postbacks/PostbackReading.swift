public import JSONText

/// What came of reading a body, and what is known of it however that ended.
public struct PostbackReading: Equatable, Sendable {
  /// Bytes of a body at most; Apple's have about a thousand, and networks add a few members.
  public static let byteLimit = 65_536

  /// The framework the body belongs to, as far as it is known.
  public let kind: PostbackKind
  /// The version as text, `aak` for AdAttributionKit; `nil` where the body names none that can be read.
  public let version: String?
  /// `transaction-id` or `postback-identifier`, where there is a text; at most 128 characters of it.
  public let id: String?
  public let outcome: Outcome
  /// Oddities that change nothing of the outcome.
  public let warnings: [PostbackWarning]

  public enum Outcome: Hashable, Sendable {
    /// A postback; its signature has not been looked at.
    case postback(Postback)
    /// It can't be judged, and no key would change that.
    case unverifiable(UnverifiableReason)
    /// Its signature can't hold, whatever the key.
    case invalid(InvalidReason)
    case malformed(PostbackDefect)
  }

  public var postback: Postback? { if case .postback(let postback) = outcome { postback } else { nil } }

  /// Rejects a body that was not even read.
  public init(rejected defect: PostbackDefect) { self.init(kind: .skan, outcome: .malformed(defect)) }

  public init(_ body: [UInt8]) {
    guard body.count <= Self.byteLimit else {
      self.init(kind: .skan, outcome: .malformed(.tooLarge(limit: Self.byteLimit)))
      return
    }
    let node: JSONNode
    do {
      node = try JSONReader.read(body)
    } catch {
      self.init(unreadable: body, defect: error)
      return
    }
    self.init(unambiguous: node)
  }

  /// Reads a body that is parsed already, such as one of a batch, even if duplicates were accepted.
  public init(_ node: JSONNode) {
    let plain = PostbackReading(unambiguous: node)
    guard let duplicate = node.value.object?.duplicate else {
      self = plain
      return
    }
    let path = JSONPath.root.member(duplicate.name)
    let defect = JSONDefect(.duplicateMember, offset: duplicate.nameRange.lowerBound, path: path)
    self.init(
      kind: plain.kind, version: plain.version, id: plain.id,
      outcome: .malformed(.duplicateMember(.body, defect)))
  }

  private init(unambiguous node: JSONNode) {
    guard case .object(let object) = node.value else {
      self.init(kind: .skan, outcome: .malformed(.notAnObject(.body, found: node.value.sort)))
      return
    }
    if object.isAdAttributionKit {
      self.init(adAttributionKit: object)
    } else {
      self.init(skAdNetwork: object)
    }
  }

  private init(
    kind: PostbackKind, version: String? = nil, id: String? = nil, outcome: Outcome,
    warnings: [PostbackWarning] = []
  ) {
    self.kind = kind
    self.version = version
    self.id = id.map(capped)
    self.outcome = outcome
    self.warnings = warnings
  }

  private init(unreadable body: [UInt8], defect: JSONDefect) {
    guard defect.reason == .duplicateMember else {
      // Nothing can be read, but the one name that only AdAttributionKit has still distinguishes the frameworks.
      let mark = Array("\"\(MemberName.jwsString.rawValue)\"".utf8)
      let isAAK = body.indices.contains { body[$0] == mark[0] && body[$0...].starts(with: mark) }
      self.init(kind: isAAK ? .aak : .skan, outcome: .malformed(.brokenJSON(.body, defect)))
      return
    }
    // Read once more for the names only; which of the two members is meant stays open.
    let lenient = (try? JSONReader.read(body, allowingDuplicates: true)).map {
      PostbackReading(unambiguous: $0)
    }
    self.init(
      kind: lenient?.kind ?? .skan, version: lenient?.version, id: lenient?.id,
      outcome: .malformed(.duplicateMember(.body, defect)))
  }

  private init(skAdNetwork object: JSONObject) {
    let id = object[MemberName.transactionID.rawValue]?.value.string
    let member = object[MemberName.version.rawValue]
    let text: String
    switch member?.value {
    case nil: text = ProtocolVersion.v1_0.rawValue
    case .string(let version)?: text = version
    case let other?:
      let defect = PostbackDefect.wrongType(MemberPath(.body, .version), expected: .string, found: other.sort)
      self.init(kind: .skan, id: id, outcome: .malformed(defect))
      return
    }
    guard let version = ProtocolVersion.ofSKAdNetwork(text) else {
      self.init(
        kind: .skan, version: capped(text), id: id, outcome: .unverifiable(.unknownVersion(capped(text))))
      return
    }
    var warnings: [PostbackWarning] = []
    let outcome: Outcome
    do {
      let postback = try SKAdNetworkPostback(reading: object, version: version, warnings: &warnings)
      outcome = .postback(.skan(postback))
    } catch {
      outcome = .malformed(error)
    }
    self.init(kind: .skan, version: version.rawValue, id: id, outcome: outcome, warnings: warnings)
  }

  private init(adAttributionKit object: JSONObject) {
    var warnings: [PostbackWarning] = []
    var text = ""
    var postback: AdAttributionKitPostback?
    let outcome: Outcome
    do {
      var members = MemberReader(object, part: .body)
      text = try members.string(.jwsString)
      let read = try AdAttributionKitPostback(reading: object, jws: try JWS(text), warnings: &warnings)
      postback = read
      outcome = .postback(.aak(read))
    } catch let defect as PostbackDefect {
      outcome = .malformed(defect)
    } catch JWS.Failure.invalid(let reason) {
      outcome = .invalid(reason)
    } catch JWS.Failure.malformed(let defect) {
      outcome = .malformed(defect)
    } catch {
      preconditionFailure("Only the two errors above are thrown.")
    }
    let id = postback?.attested.id ?? JWS.identifier(inRejected: text)
    let version = ProtocolVersion.adAttributionKit.rawValue
    self.init(kind: .aak, version: version, id: id, outcome: outcome, warnings: warnings)
  }
}

extension ProtocolVersion {
  /// The version of SKAdNetwork that a `version` member names.
  fileprivate static func ofSKAdNetwork(_ text: String) -> ProtocolVersion? {
    allCases.first { $0 != .adAttributionKit && haveSameBytes($0.rawValue, text) }
  }
}

extension JSONObject {
  /// Whether the members are those of AdAttributionKit's envelope.
  fileprivate var isAdAttributionKit: Bool {
    self[MemberName.jwsString.rawValue] != nil
      || (self[MemberName.adInteractionType.rawValue] != nil && self[MemberName.adNetworkID.rawValue] == nil)
  }
}

/// At most 128 scalars of a text from outside.
private func capped(_ text: String) -> String {
  text.utf8.count <= 128 ? text : String(text.unicodeScalars.prefix(128))
}
