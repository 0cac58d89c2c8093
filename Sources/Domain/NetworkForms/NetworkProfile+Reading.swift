import JSONText
import Postbacks
import Values

extension NetworkProfile {
  /// Reads a document of a network.
  ///
  /// What is no postback by a profile without types of its own is read once more with Apple's types restored: networks write
  /// `"true"`, `null` and unreplaced macros whatever their documents state.
  package func read(_ document: [UInt8]) -> FormReading {
    let form = readOnce(document)
    guard !restoresTypes, form.reading.postback == nil else { return form }
    let restored = restoringTypes.readOnce(document)
    guard restored.reading.postback != nil else { return form }
    return FormReading(
      reading: restored.reading, body: restored.body, received: restored.received,
      members: restored.members.map(\.ofAppleTypes))
  }

  private func readOnce(_ document: [UInt8]) -> FormReading {
    guard document.count <= PostbackReading.byteLimit else { return .asSent(document) }
    if readsAsParameters(document) {
      guard let parameters = Parameters(document) else { return rejected(.notParameters, document) }
      return read(parameters.members, from: document, areTexts: true)
    }
    // Apple's form has nothing to find.
    if self == .apple { return .asSent(document) }
    guard let node = try? JSONReader.read(document), case .object(let object) = node.value
    else {
      return .asSent(document)
    }
    return read(object.members.map { Sent($0.name, $0.value.value) }, from: document, areTexts: false)
  }

  /// Reads the parameters of a query, decoded and in order.
  package func read(parameters: [(name: String, value: String)]) -> FormReading {
    let document = Parameters.text(parameters)
    guard document.count <= PostbackReading.byteLimit else { return .asSent(document) }
    return read(parameters.map { Sent($0.name, .string($0.value)) }, from: document, areTexts: true)
  }

  /// Reads what a container has; parameters are texts, whatever Apple's types are.
  private func read(_ sent: [Sent], from document: [UInt8], areTexts: Bool) -> FormReading {
    if let testMember, let marker = sent.first(where: { haveSameBytes($0.name, testMember) }),
      marker.isTrue
    {
      return rejected(.test(testMember), document)
    }
    switch content {
    case .members: return restored(sent, from: document, as: document, areTexts: areTexts)
    case .base64(let name), .text(let name), .textOrMembers(let name):
      guard let member = sent.first(where: { haveSameBytes($0.name, name) && !$0.isAbsent }) else {
        if case .textOrMembers = content {
          return restored(sent, from: document, as: document, areTexts: areTexts)
        }
        return rejected(.missing(name), document)
      }
      guard case .string(let text) = member.value, let inner = inner(text) else {
        return rejected(content == .base64(member: name) ? .notBase64(name) : .notText(name), document)
      }
      let others = sent.filter { !haveSameBytes($0.name, name) }.map(\.asOwn)
      guard let node = try? JSONReader.read(inner), case .object(let object) = node.value else {
        return FormReading(
          reading: PostbackReading(inner), body: inner, received: document, members: others)
      }
      let members = object.members.map { Sent($0.name, $0.value.value) }
      let read = restored(members, from: document, as: inner, areTexts: false)
      return FormReading(
        reading: read.reading, body: read.body, received: document, members: read.members + others)
    }
  }

  private func inner(_ text: String) -> [UInt8]? {
    guard case .base64 = content else { return Array(text.utf8) }
    // The plus of base64 is a space in a query that was not percent-encoded, and base64 has no space.
    return Base64.decode(text.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 })
      ?? Base64.decodeURL(Array(text.utf8))
  }

  /// Gives Apple's members Apple's names and types; what is Apple's already stays byte for byte.
  private func restored(
    _ sent: [Sent], from document: [UInt8], as body: [UInt8], areTexts: Bool
  ) -> FormReading {
    var members: [FormMember] = []
    var apples: [(name: MemberName, value: JSONOutput)] = []
    var seen: [MemberName: Set<JSONOutput>] = [:]
    var isChanged = areTexts
    let known = KnownNames(self, in: sent)
    for member in sent {
      guard let name = known.appleName(of: member.name) else {
        members.append(member.asOwn)
        continue
      }
      let isRenamed = !haveSameBytes(name.rawValue, member.name)
      guard let value = restoresTypes || areTexts ? WireType(of: name).restore(member.value) : member.output
      else {
        members.append(
          FormMember(
            name: member.name, member: name, value: member.text, treatment: .leftOut,
            remark: member.isNullText ? .nullText : nil))
        isChanged = true
        continue
      }
      let isTyped = value != member.output
      let isRepeated = !seen[name, default: []].insert(value).inserted
      isChanged = isChanged || isRenamed || isTyped || isRepeated
      let treatment: FormMember.Treatment =
        switch (isRepeated, isRenamed, isTyped) {
        case (true, _, _): .repeated
        case (false, true, true): .renamedAndTyped
        case (false, true, false): .renamed
        case (false, false, true): .typed
        case (false, false, false): .apple
        }
      members.append(
        FormMember(name: member.name, member: name, value: member.text, treatment: treatment))
      // Two values of one member stay two, and strict reading rejects the body.
      if !isRepeated { apples.append((name, value)) }
    }
    guard isChanged else {
      return FormReading(
        reading: PostbackReading(body), body: body, received: nil, members: members)
    }
    let bytes = JSONOutput.object(apples.map { .init($0.name.rawValue, $0.value) }).bytes()
    return FormReading(
      reading: PostbackReading(bytes), body: bytes, received: document, members: members)
  }

  private func rejected(_ defect: NetworkFormDefect, _ document: [UInt8]) -> FormReading {
    FormReading(
      reading: PostbackReading(rejected: .notInForm(profile: name, defect)), body: document, received: nil,
      members: [])
  }
}

extension FormReading {
  fileprivate static func asSent(_ document: [UInt8]) -> FormReading {
    FormReading(reading: PostbackReading(document), body: document, received: nil, members: [])
  }
}

/// Which of Apple's members the names in a container stand for.
///
/// Beside a member that is Apple's by another name, one with Apple's name is the network's own, such as a `version` of its
/// interface beside `skad_version`; and a spare name counts only where nothing else stands for its member.
private struct KnownNames {
  private let profile: NetworkProfile
  private let renamed: Set<MemberName>
  private let spare: [String: MemberName]

  init(_ profile: NetworkProfile, in sent: [Sent]) {
    self.profile = profile
    renamed = Set(sent.compactMap { profile.names[$0.name] })
    guard !profile.spareNames.isEmpty else {
      spare = [:]
      return
    }
    let taken = Set(
      sent.compactMap { member in
        member.isAbsent ? nil : profile.names[member.name] ?? Self.byAppleName[member.name]
      })
    spare = profile.spareNames.filter { !taken.contains($0.value) }
  }

  private static let byAppleName = Dictionary(
    uniqueKeysWithValues: MemberName.ofBodies.map { ($0.rawValue, $0) })

  func appleName(of name: String) -> MemberName? {
    if let known = profile.names[name] ?? spare[name] { return known }
    return MemberName.ofBodies.first { haveSameBytes($0.rawValue, name) && !renamed.contains($0) }
  }
}

struct Sent {
  let name: String
  let value: JSONValue

  init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }

  var output: JSONOutput { JSONOutput(value) }

  var text: String { value.string ?? output.text() }

  /// Whether it stands for a member that Apple did not send.
  var isAbsent: Bool {
    switch value {
    case .null: true
    case .string(let text): WireType.isAbsent(text)
    case .bool, .number, .array, .object: false
    }
  }

  /// Whether it has a text for no value that a sender should leave out; an empty one is how
  /// parameters leave out a value.
  var isNullText: Bool { value.string.map { !$0.isEmpty && NullText.isOne($0) } ?? false }

  var asOwn: FormMember { FormMember(name: name, member: nil, value: text, treatment: .own) }

  var isTrue: Bool {
    switch value {
    case .bool(let truth): truth
    case .string(let text): ["1", "true"].contains(text.lowercased())
    case .number(let number): number.text != "0"
    case .null, .array, .object: false
    }
  }
}
