import JSONText
import Values

/// A text of a pull document with places for days, pages and secrets.
struct PullTemplate: Hashable, Sendable {
  /// What a run of the pull fills in; the raw value is the word between braces.
  package enum Value: String, Hashable, Sendable, CaseIterable {
    case from, to, page, cursor
    /// The token of the sign-in.
    case token
    /// The number of the report that was ordered.
    case id
  }

  enum Piece: Hashable, Sendable {
    case text(String)
    case value(Value)
    case secret(PullSecret)
  }

  /// What is done to what is filled in, so that it stays one part of the whole.
  enum Encoding {
    case none
    /// As RFC 3986 has it in a query.
    case percent
    /// As in a string of JSON.
    case json
  }

  let pieces: [Piece]

  init(_ pieces: [Piece]) { self.pieces = pieces }

  /// Reads a text.
  ///
  /// - Throws: The problem of a place that is neither of a value nor of a secret.
  init(_ text: String, at place: JSONPlace) throws(JSONProblem) {
    var pieces: [Piece] = []
    var literal = ""
    var rest = Substring(text)
    func end(_ piece: Piece) {
      if !literal.isEmpty { pieces.append(.text(literal)) }
      literal = ""
      pieces.append(piece)
    }
    while let first = rest.first {
      let close = rest.firstIndex(of: "}")
      if rest.hasPrefix("${") {
        guard let close, let secret = PullSecret(String(rest[..<close].dropFirst(2))) else {
          throw place.mistake(
            "has \"${\" that begins no secret", cure: "Write ${env:NAME} or ${file:PATH}.")
        }
        end(.secret(secret))
        rest = rest[rest.index(after: close)...]
      } else if first == "{", let close, let name = Self.word(rest[..<close].dropFirst()) {
        guard let value = Value(rawValue: name) else {
          let known = Value.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
          throw place.mistake("has the unknown {\(name)}", cure: "Use \(known).")
        }
        end(.value(value))
        rest = rest[rest.index(after: close)...]
      } else {
        literal.append(first)
        rest.removeFirst()
      }
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
    self.pieces = pieces
  }

  /// A name as placeholders have it; `nil` for what is a brace of JSON.
  private static func word(_ text: Substring) -> String? {
    !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
      ? String(text) : nil
  }

  var values: Set<Value> {
    Set(pieces.compactMap { if case .value(let value) = $0 { value } else { nil } })
  }

  var secrets: Set<PullSecret> {
    Set(pieces.compactMap { if case .secret(let secret) = $0 { secret } else { nil } })
  }

  /// The text that the document itself has before the first place.
  var beginning: String { if case .text(let text)? = pieces.first { text } else { "" } }

  func text(_ values: [Value: String], _ secrets: PullSecrets, _ encoding: Encoding = .none) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .value(let value): encoding.text(values[value] ?? "")
      case .secret(let secret): encoding.text(secrets.value(of: secret))
      }
    }.joined()
  }
}

extension PullTemplate.Encoding {
  func text(_ text: String) -> String {
    switch self {
    case .none: text
    case .percent: percentEncoded(text)
    case .json: String(JSONOutput.string(text).text().dropFirst().dropLast())
    }
  }
}
