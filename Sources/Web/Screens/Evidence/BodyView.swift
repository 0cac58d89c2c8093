import Markup

/// The bytes of a body, with what is different in another one marked.
enum BodyView {
  /// Bytes of a body of the largest size would make a page too large; a file has all of them.
  static func markup(_ body: String, against other: String?, label: HTML, most: Int = 6000) -> HTML {
    let letters = Array(body.prefix(most))
    let rest: HTML = body.unicodeScalars.count > most && body.count > most ? "…" : ""
    let open: HTML = "<pre class=\"bytes\" tabindex=\"0\" role=\"group\" aria-label=\"\(label)\">"
    guard let other = other.map({ Array($0.prefix(most)) }), other != letters else {
      return "\(open)\(String(letters))\(rest)</pre>"
    }
    // Copies of one conversion differ in one or two members: what is before and after those is the same.
    let start = zip(letters, other).prefix { $0 == $1 }.count
    let longest = min(letters.count, other.count) - start
    let end = zip(letters.reversed(), other.reversed()).prefix { $0 == $1 }.count
    let last = letters.count - min(end, longest)
    let (before, changed, after) = (letters[..<start], letters[start..<last], letters[last...])
    return "\(open)\(String(before))<mark>\(String(changed))</mark>\(String(after))\(rest)</pre>"
  }
}
