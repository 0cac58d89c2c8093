import Values

/// The fields of a form that a browser posted.
///
/// Source: WHATWG URL, "application/x-www-form-urlencoded".
package struct FormBody: Sendable {
  private let fields: [String: [String]]
  private let files: [UploadedFile]

  /// Fields that a form has at most; ours have a quarter of it.
  static let mostFields = 4096

  /// Reads a body; `nil` where its bytes are no such form, or have more than ``mostFields``.
  package init?(_ body: [UInt8]) {
    guard let fields = Self.pairs(body) else { return nil }
    self.init(fields, files: [])
  }

  /// Reads a body of either type that a browser sends; `nil` where its bytes are no such form.
  package init?(_ body: [UInt8], type: String?) {
    guard let boundary = MultipartBody.boundary(ofType: type ?? "") else {
      self.init(body)
      return
    }
    guard let parts = MultipartBody(body, boundary: boundary) else { return nil }
    self.init(parts.fields, files: parts.files)
  }

  private init(_ pairs: [(name: String, value: String)], files: [UploadedFile]) {
    var fields: [String: [String]] = [:]
    for (name, value) in pairs { fields[name, default: []].append(value) }
    (self.fields, self.files) = (fields, files)
  }

  /// The file of a field; `nil` where none was chosen.
  package func file(_ name: String) -> UploadedFile? {
    files.first { $0.field == name && !($0.name.isEmpty && $0.bytes.isEmpty) }
  }

  package subscript(name: String) -> String? { fields[name]?.first }

  /// All fields but one, by their names, the values of each in order.
  func fields(without name: String) -> [(name: String, value: String)] {
    fields.keys.filter { $0 != name }.sorted().flatMap { name in values(name).map { (name, $0) } }
  }

  /// The first values of the fields that begin so and end with a number, by that number.
  package func numbered(_ beginning: String) -> [Int: String] {
    var found: [Int: String] = [:]
    for (name, values) in fields where name.hasPrefix(beginning) {
      if let number = Int(name.dropFirst(beginning.count)) { found[number] = values.first }
    }
    return found
  }

  /// All values of a field, such as those of check boxes with one name.
  package func values(_ name: String) -> [String] { fields[name] ?? [] }

  /// Reads pairs; `nil` where an escape is broken, the text is not UTF-8, or they are too many.
  static func pairs(_ bytes: some Collection<UInt8>) -> [(name: String, value: String)]? {
    var pairs: [(name: String, value: String)] = []
    // One part more than there may be is cut off, whatever its length.
    for part in bytes.split(separator: UInt8(ascii: "&"), maxSplits: mostFields) {
      let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard pairs.count < mostFields, let name = percentDecoded(halves[0]) else { return nil }
      guard let value = halves.count == 2 ? percentDecoded(halves[1]) : "" else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }
}
