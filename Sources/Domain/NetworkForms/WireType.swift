import JSONText
import Postbacks
import Values

/// The JSON types that Apple's members have, and how one is restored from what a network wrote instead.
///
/// A text is restored by a strict grammar: nothing has two readings. What can't be restored stays as it is, and strict
/// reading rejects it. Source: Apple, "Identifying the parameters in install-validation postbacks".
enum WireType {
  case integer
  /// An integer that is the App Store's number of an app, which partners also write as `id525463029`.
  case app
  /// `2.0` and the like, which some write without the zero.
  case version
  case boolean
  case text
  /// A text of digits, which may begin with a zero.
  case digits
  /// A text of base64, in which a space can only be a plus that a query lost.
  case base64

  init(of name: MemberName) {
    switch name {
    case .version: self = .version
    case .appID, .sourceAppID: self = .app
    case .campaignID, .fidelityType, .conversionValue, .postbackSequenceIndex: self = .integer
    case .redownload, .didWin: self = .boolean
    case .attributionSignature: self = .base64
    case .sourceIdentifier: self = .digits
    default: self = .text
    }
  }

  /// The value in Apple's type; `nil` where it stands for a missing member, as `null`, an empty text, a text such as
  /// `none` and a macro that was not replaced do.
  func restore(_ value: JSONValue) -> JSONOutput? {
    switch (self, value) {
    case (_, .null): nil
    case (_, .string(let text)) where Self.isAbsent(text): nil
    case (.integer, .string(let text)): Self.whole(text).flatMap(Self.number) ?? .string(text)
    case (.app, .string(let text)):
      Self.whole(text.hasPrefix("id") ? String(text.dropFirst(2)) : text).flatMap(Self.number)
        ?? .string(text)
    case (.integer, .number(let number)), (.app, .number(let number)):
      Self.whole(number.text).flatMap(Self.number) ?? .number(number)
    case (.digits, .string(let text)): .string(Self.whole(text) ?? text)
    case (.digits, .number(let number)): .string(Self.whole(number.text) ?? number.text)
    case (.version, .string(let text)) where Self.isMajorVersion(text): .string(text + ".0")
    case (.version, .number(let number)):
      .string(Self.isMajorVersion(number.text) ? number.text + ".0" : number.text)
    case (.boolean, .string(let text)): Self.truth(text).map { .bool($0) } ?? .string(text)
    case (.boolean, .number(let number)): Self.truth(number.text).map { .bool($0) } ?? .number(number)
    case (.text, .number(let number)): .string(number.text)
    case (.base64, .string(let text)): .string(text.replacing(" ", with: "+"))
    default: JSONOutput(value)
    }
  }

  private static func number(_ digits: String) -> JSONOutput? { JSONNumber(digits).map { .number($0) } }

  private static func truth(_ text: String) -> Bool? {
    switch whole(text) ?? text.lowercased() {
    case "1", "true": true
    case "0", "false": false
    default: nil
    }
  }

  /// The digits of an integer, also of one that a program with floating-point numbers wrote, such as `42.0`.
  private static func whole(_ text: String) -> String? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard isInteger(String(parts[0])),
      parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy({ $0 == "0" })
    else { return nil }
    return String(parts[0])
  }

  /// Whether a text is a version of SKAdNetwork without its zero, as Liftoff's interface has it.
  private static func isMajorVersion(_ text: String) -> Bool { ["1", "2", "3", "4"].contains(text) }

  /// Whether a text has nothing.
  ///
  /// Databases and scripts have words for a missing value, and a network that has no value leaves its macro as it is. No
  /// member of Apple is such a text.
  static func isAbsent(_ text: String) -> Bool { NullText.isOne(text) || isMacro(text) }

  /// Whether a text is a macro that was not replaced.
  ///
  /// Such are `{name}`, `{{ name }}`, `${name}`, `[name]`, `%name%`, `<name>` and `__NAME__`. A name has a letter, so that a
  /// value in brackets is none.
  static func isMacro(_ text: String) -> Bool {
    var name = Array(text.utf8)[...]
    if name.first == UInt8(ascii: "$") { name = name.dropFirst() }
    for (begin, end) in [("{", "}"), ("[", "]"), ("%", "%"), ("<", ">"), ("__", "__")] {
      var inner = name
      while inner.count > begin.utf8.count * 2, inner.starts(with: begin.utf8),
        inner.suffix(end.utf8.count).elementsEqual(end.utf8)
      {
        inner = inner.dropFirst(begin.utf8.count).dropLast(end.utf8.count)
      }
      guard inner.count < name.count else { continue }
      if inner.first == 0x20, inner.last == 0x20 { inner = inner.dropFirst().dropLast() }
      func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
      return inner.contains(where: isLetter)
        && inner.allSatisfy {
          isLetter($0) || (0x30...0x39).contains($0) || [0x2D, 0x2E, 0x3A, 0x5F].contains($0)
        }
    }
    return false
  }

  /// Whether a text is an integer as Apple writes one: digits, no sign, no zero in front.
  private static func isInteger(_ text: String) -> Bool {
    let digits = text.utf8
    return (1...19).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
      && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
  }
}
