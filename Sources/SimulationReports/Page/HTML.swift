import Platform
/// A piece of a page; text that is interpolated into it is escaped, other pieces are not.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  /// The markup.
  private(set) var text: String

  /// Takes markup of our own as it is.
  init(stringLiteral text: String) { self.text = text }
  /// Takes markup with what was interpolated into it.
  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// Appends a piece.
  static func += (page: inout HTML, piece: HTML) { page.text += piece.text }

  /// Gathers the markup.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

    /// Appends a text, with every letter that means something to HTML escaped.
    mutating func appendInterpolation(_ plain: String) {
      // A line must not break between a number and its sign.
      for scalar in printable(plain).replacing(" %", with: "\u{A0}%").unicodeScalars {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&#39;"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }
}

extension [HTML] {
  /// The pieces one after the other.
  func joined() -> HTML { reduce(into: "") { $0 += $1 } }
}
