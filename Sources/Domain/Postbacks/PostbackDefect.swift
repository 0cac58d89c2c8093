public import JSONText
import Values

/// Why a body is not a postback.
public enum PostbackDefect: Error, Hashable, Sendable {
  /// A body has more bytes than any postback; nothing in it was read.
  case tooLarge(limit: Int)
  /// A document is not strict JSON.
  case brokenJSON(PostbackPart, JSONDefect)
  /// An object has a member twice, so that two readers could see different postbacks.
  case duplicateMember(PostbackPart, JSONDefect)
  /// A document is JSON, but not an object.
  case notAnObject(PostbackPart, found: JSONType)
  /// A member that the version always has is not there.
  case missingMember(MemberPath)
  /// A member has another JSON type than Apple documents; `null` is a type of its own.
  case wrongType(MemberPath, expected: JSONType, found: JSONType)
  /// An integer lies outside the values that Apple documents.
  case outOfRange(MemberPath, AllowedIntegers)
  /// A text has not the form that Apple documents.
  case wrongForm(MemberPath, TextForm)
  /// A text holds U+2063, the separator of the signed string, and could pose as several fields.
  case separatorInValue(MemberPath)
  /// Two members are there of which a postback has at most one.
  case exclusiveMembers(MemberPath, MemberPath)
  /// The profile of a network does not lead to Apple's body.
  case notInForm(profile: String, NetworkFormDefect)

  public enum AllowedIntegers: Hashable, Sendable {
    /// Both ends included.
    case within(Int64, Int64)
    /// 0 through the largest 64-bit integer.
    case notNegative
  }

  /// The forms of text that are checked.
  public enum TextForm: Hashable, Sendable {
    case notEmpty
    /// A domain name with a dot: Apple signs the value of `source-domain` where it signs that of `source-app-id`, and a
    /// number has no dot.
    case domain
    case twoToFourDigits
  }

  public static let codes = [
    "too-large", "broken-json", "duplicate-member", "not-an-object", "missing-member", "wrong-type",
    "out-of-range", "wrong-form", "separator-in-value", "exclusive-members", "network-form",
  ]

  public var code: String {
    switch self {
    case .tooLarge: "too-large"
    case .brokenJSON: "broken-json"
    case .duplicateMember: "duplicate-member"
    case .notAnObject: "not-an-object"
    case .missingMember: "missing-member"
    case .wrongType: "wrong-type"
    case .outOfRange: "out-of-range"
    case .wrongForm: "wrong-form"
    case .separatorInValue: "separator-in-value"
    case .exclusiveMembers: "exclusive-members"
    case .notInForm: "network-form"
    }
  }

  /// The name of the member that is wrong, where it is one: `app-id`, or `jws-string.payload.did-win` inside the JWS.
  public var memberName: String? {
    if case .duplicateMember(let part, let defect) = self, case .member(let name)? = defect.path.steps.last {
      return part == .body ? name : "\(part.words.english).\(name)"
    }
    return member.map { $0.part == .body ? $0.name.rawValue : "\($0.part.words.english).\($0.name.rawValue)" }
  }

  public var member: MemberPath? {
    switch self {
    case .tooLarge, .brokenJSON, .duplicateMember, .notAnObject, .notInForm: nil
    case .missingMember(let member), .wrongType(let member, _, _), .outOfRange(let member, _),
      .wrongForm(let member, _), .separatorInValue(let member), .exclusiveMembers(let member, _):
      member
    }
  }
}

/// Why a network's form does not lead to Apple's body; the names are the network's.
public enum NetworkFormDefect: Hashable, Sendable {
  /// The member with Apple's body is missing.
  case missing(String)
  /// The member with Apple's body is not base64.
  case notBase64(String)
  /// The member with Apple's body is not a text.
  case notText(String)
  /// The parameters are not percent-encoded names and values.
  case notParameters
  case test(String)
}
