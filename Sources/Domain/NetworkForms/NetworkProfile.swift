package import Postbacks

/// How a network or partner passes Apple's postbacks on.
///
/// A profile only states where Apple's members are and how they are written. Whether a postback is genuine is decided by the
/// signature over what was read, so a wrong profile makes genuine postbacks invalid and never the other way round.
package struct NetworkProfile: Hashable, Sendable {
  package enum Container: String, Hashable, Sendable, CaseIterable {
    /// The body of a POST is a JSON object, or several.
    case json
    /// The query of a GET, or the body of a POST as a form: `transaction-id=…&app-id=…`.
    case parameters
  }

  /// Where Apple's body is in the container.
  package enum Content: Hashable, Sendable {
    case members
    /// It is the base64 text of one member.
    case base64(member: String)
    case text(member: String)
    /// It is the text of one member where that is there; else the members themselves are Apple's.
    case textOrMembers(member: String)
  }

  /// The word for it in commands and in the configuration; the network's name for one of the configuration.
  package let name: String
  package let summary: String
  /// The address of the document of the form; `nil` for one of the configuration, and for what no document has.
  package let source: String?
  /// What the members travel in, one of these.
  package let containers: Set<Container>
  /// Where Apple's body is in it.
  package let content: Content
  /// Their names of Apple's members; Apple's own names are always read.
  package let names: [String: MemberName]
  /// Further names of Apple's members, which are read only where no other member stands for the same one.
  package let spareNames: [String: MemberName]
  /// Whether Apple's types are restored: `"5"` as 5, `"true"` and 1 as true, `null`, empty texts, texts such as `none`
  /// and macros that were not replaced as missing.
  ///
  /// Parameters are texts, so their types are always restored. Where a profile states no such types, they are restored only
  /// in a body that is no postback as it came, and ``FormMember/remark`` states it.
  package private(set) var restoresTypes: Bool
  /// Whether the network passes Apple's signature on.
  ///
  /// What comes without one is unverifiable. Only of a profile that has none does it count, in ``Environment/claimed``.
  package let isSigned: Bool
  /// The member that marks a test where it is true; a test is rejected.
  package let testMember: String?

  package init(
    name: String, summary: String, source: String? = nil, containers: Set<Container> = [.json],
    content: Content = .members, names: [String: MemberName] = [:], spareNames: [String: MemberName] = [:],
    restoresTypes: Bool = false, isSigned: Bool = true, testMember: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.containers = containers
    self.content = content
    self.names = names
    self.spareNames = spareNames
    self.restoresTypes = restoresTypes
    self.isSigned = isSigned
    self.testMember = testMember
  }

  /// The same with Apple's types restored.
  var restoringTypes: NetworkProfile {
    var profile = self
    profile.restoresTypes = true
    return profile
  }

  /// Whether a query or a form is read.
  package var takesParameters: Bool { containers.contains(.parameters) }

  /// Whether a body is read as parameters: it is no JSON by its first letter, or JSON is not read at all.
  package func readsAsParameters(_ body: [UInt8]) -> Bool {
    guard takesParameters else { return false }
    guard containers.contains(.json) else { return true }
    let first = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
  }
}

/// What a network added to Apple's members, or how it wrote one of them.
package struct FormMember: Equatable, Sendable {
  package enum Treatment: String, Hashable, Sendable, CaseIterable {
    case apple = "as Apple's"
    case renamed
    case typed = "type restored"
    case renamedAndTyped = "renamed, type restored"
    /// It is Apple's without a value, which stands for a member that Apple did not send.
    case leftOut = "left out"
    case repeated
    /// It is the network's own: kept, and not trusted.
    case own = "network's own"
  }

  /// What the sender should correct, though the member was read; the raw value is the code in answers.
  package enum Remark: String, Hashable, Sendable, CaseIterable {
    /// The value is a macro that the network did not replace, such as `{transaction_id}`.
    case macro = "macro-not-replaced"
    /// The value is a text for no value, such as `null`, `none` or `N/A`, which counts as missing.
    case nullText = "null-as-text"
    /// The value has another type than the profile states, and was read as Apple's.
    case otherType = "other-type"
  }

  package let name: String
  /// Apple's name of it; `nil` for what is not Apple's.
  package let member: MemberName?
  package let value: String
  package let treatment: Treatment
  /// What the sender should correct; `nil` where the member is as the profile states.
  package private(set) var remark: Remark?

  init(name: String, member: MemberName?, value: String, treatment: Treatment, remark: Remark? = nil) {
    (self.name, self.member, self.value, self.treatment) = (name, member, value, treatment)
    self.remark = remark ?? (WireType.isMacro(value) ? .macro : nil)
  }

  /// The same of a profile that states no other types than Apple's.
  var ofAppleTypes: FormMember {
    var copy = self
    switch treatment {
    case .typed, .renamedAndTyped, .leftOut: copy.remark = remark ?? .otherType
    case .apple, .renamed, .repeated, .own: break
    }
    return copy
  }
}

package struct FormReading: Equatable, Sendable {
  /// What came of reading Apple's body.
  package let reading: PostbackReading
  /// Apple's body; the bytes that came where it could not be found.
  package let body: [UInt8]
  /// What came, where that is not the body.
  package let received: [UInt8]?
  /// The members that were found, in order.
  package let members: [FormMember]

  /// Whether one of Apple's members has a text for no value, which was read as a missing member.
  package var hasNullText: Bool { members.contains { $0.remark == .nullText } }
}
