/// The way from the root of a JSON document to one of its values: `$.mappings[3]["app-id"]`.
///
/// A name that is a plain identifier follows a dot, any other is in brackets as a JSON string.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  public enum Step: Hashable, Sendable {
    case member(String)
    /// Into the element at that index, from 0.
    case element(Int)
  }

  public let steps: [Step]

  public static let root = JSONPath(steps: [])

  public init(steps: [Step]) { self.steps = steps }

  /// Reads a path as ``description`` writes it; `nil` for any other text, or a name that has to be escaped.
  public init?(_ text: String) {
    var rest = text.utf8[...]
    guard rest.popFirst() == UInt8(ascii: "$") else { return nil }
    var steps: [Step] = []
    while let mark = rest.popFirst() {
      let ends = mark == UInt8(ascii: ".") ? Array(".[".utf8) : Array("]".utf8)
      let word = rest.prefix { !ends.contains($0) }
      rest = rest[word.endIndex...]
      switch mark {
      case UInt8(ascii: ".") where !word.isEmpty: steps.append(.member(String(word) ?? ""))
      case UInt8(ascii: "[") where rest.popFirst() != nil:
        if word.count > 2, word.first == UInt8(ascii: "\""), word.last == UInt8(ascii: "\""),
          !word.contains(UInt8(ascii: "\\"))
        {
          steps.append(.member(String(word.dropFirst().dropLast()) ?? ""))
        } else if let index = String(word).flatMap({ Int32($0) }), index >= 0 {
          steps.append(.element(Int(index)))
        } else {
          return nil
        }
      default: return nil
      }
    }
    self.steps = steps
  }

  /// The path of a member of the value at this path.
  public func member(_ name: String) -> JSONPath { JSONPath(steps: steps + [.member(name)]) }

  /// The path of an element of the value at this path.
  public func element(_ index: Int) -> JSONPath { JSONPath(steps: steps + [.element(index)]) }

  /// The path of the value that this one is a member or an element of; the root's is the root.
  public var parent: JSONPath { JSONPath(steps: steps.dropLast()) }

  public var description: String { "$" + steps.map(\.text).joined() }
}

extension JSONPath.Step {
  /// The longest name that a path spells out; names come from the sender, and messages have to stay short.
  private static let longestName = 60

  fileprivate var text: String {
    switch self {
    case .element(let index): "[\(index)]"
    case .member(let name) where isIdentifier(name) && name.utf8.count <= Self.longestName: ".\(name)"
    case .member(let name): "[\(quoted(name, upTo: Self.longestName))]"
    }
  }
}

/// A text from outside as a JSON string for a message, cut after `limit` characters.
public func quoted(_ text: String, upTo limit: Int = 40) -> String {
  // Scalars rather than characters, because one character can be a megabyte of combining marks.
  let scalars = text.unicodeScalars.prefix(limit)
  let isCut = scalars.endIndex != text.unicodeScalars.endIndex
  var bytes: [UInt8] = []
  appendJSONString(
    String(String.UnicodeScalarView(scalars)) + (isCut ? "…" : ""), to: &bytes, escapesInvisible: true)
  return String(decoding: bytes, as: UTF8.self)
}

private func isIdentifier(_ name: String) -> Bool {
  guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
  return name.utf8.allSatisfy {
    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
  }
}
