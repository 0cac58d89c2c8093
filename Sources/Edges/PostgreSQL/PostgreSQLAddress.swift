import CPostgreSQL

/// An address of libpq, taken apart by libpq itself.
package struct PostgreSQLAddress: Equatable, Sendable {
  private struct Word: Equatable {
    let name: String
    let value: String
    /// Whether libpq's own programs would ask for it without showing it.
    let isSecret: Bool
  }

  private let words: [Word]

  /// Takes a URI or words apart; `nil` for any other text, and for a URI whose password has an `@` that is not `%40`.
  package init?(_ text: String) {
    // libpq would end there.
    guard !text.utf8.contains(0) else { return nil }
    var problem: UnsafeMutablePointer<CChar>?
    let options = unsafe PQconninfoParse(text, &problem)
    defer {
      unsafe PQfreemem(problem)
      unsafe PQconninfoFree(options)
    }
    guard let options = unsafe options else { return nil }
    var words: [Word] = []
    var place = unsafe options
    while let name = unsafe place.pointee.keyword {
      if let value = unsafe place.pointee.val {
        let mark = unsafe place.pointee.dispchar.map { unsafe String(cString: $0) }
        words.append(
          Word(
            name: unsafe String(cString: name), value: unsafe String(cString: value), isSecret: mark == "*"))
      }
      unsafe place += 1
    }
    self.words = words
    guard !words.contains(where: { $0.name == "host" && $0.value.contains("@") }) else { return nil }
  }

  /// The words without passwords.
  package var shown: String {
    words.map { word in
      let isPlain = !word.value.isEmpty && !word.value.contains { $0.isWhitespace || $0 == "'" || $0 == "\\" }
      let value =
        isPlain
        ? word.value
        : "'\(word.value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
      return "\(word.name)=\(word.isSecret ? "..." : value)"
    }.joined(separator: " ")
  }
}
