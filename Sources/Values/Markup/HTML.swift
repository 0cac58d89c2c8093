import Values

/// A piece of a page; text that is interpolated into it is escaped, other pieces are not.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
  package private(set) var text: String

  package init() { text = "" }

  /// Takes markup of our own as it is.
  package init(stringLiteral text: String) { self.text = text }
  /// Takes markup with what was interpolated into it.
  package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// A sentence of our own as a piece, with what is between backticks as code.
  ///
  /// Code does not break between lines, because an option that is cut after its hyphens can't be read.
  package static func prose(_ sentence: String) -> HTML { prose(markup: "\(sentence)") }

  /// The same of markup of our own.
  package static func prose(markup sentence: HTML) -> HTML {
    let parts = sentence.text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part -> HTML in
      let piece = HTML(stringLiteral: String(part))
      // An opening mark without a closing one is a letter as any other.
      if index % 2 == 1 { return index == parts.count - 1 ? "`\(piece)" : "<code>\(piece)</code>" }
      return piece
    }.joined()
  }

  /// Text that a form sends back: escaped, and every letter as it is, or saving would change what was not edited.
  package static func value(_ text: String) -> HTML {
    var piece = HTML()
    piece.text = escaped(text)
    return piece
  }

  /// Text with every letter that means something to HTML escaped.
  ///
  /// - Parameter bindsPercents: Whether a line must not break between a number and its sign.
  private static func escaped(_ plain: String, bindsPercents: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(plain.utf8.count)
    for byte in plain.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      case UInt8(ascii: "%") where bindsPercents && bytes.last == UInt8(ascii: " "):
        bytes.removeLast()
        bytes += "\u{A0}%".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The words without their tags, for a place that takes none, such as the title of a window.
  package var words: HTML {
    var piece = HTML()
    var isTag = false
    // Text from outside has no angle brackets any more.
    for letter in text {
      if letter == "<" {
        isTag = true
      } else if letter == ">" {
        isTag = false
      } else if !isTag {
        piece.text.append(letter)
      }
    }
    return piece
  }

  package static func += (page: inout HTML, piece: HTML) { page.text += piece.text }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    package mutating func appendLiteral(_ literal: String) { text += literal }
    package mutating func appendInterpolation(_ html: HTML) { text += html.text }
    package mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

    /// Appends a text for people, escaped; letters that can't be seen are written out.
    package mutating func appendInterpolation(_ plain: String) {
      text += HTML.escaped(printable(plain, keepsLines: true), bindsPercents: true)
    }
  }
}

extension [HTML] {
  /// The pieces one after the other.
  package func joined() -> HTML { reduce(into: "") { $0 += $1 } }
}

extension DefaultStringInterpolation {
  /// Markup inside of a text would be described as a value and then escaped: readers would see program text.
  ///
  /// Deprecated and not unavailable: the compiler passes over what is unavailable, and takes the interpolation of any
  /// value instead. Warnings are errors.
  @available(*, deprecated, message: "Markup is not text. Give the literal around it the type HTML.")
  package mutating func appendInterpolation(_ html: HTML) { appendLiteral(html.text) }

  @available(*, deprecated, message: "Markup is not text. Join the pieces as HTML.")
  package mutating func appendInterpolation(_ pieces: [HTML]) { appendLiteral(pieces.joined().text) }
}
