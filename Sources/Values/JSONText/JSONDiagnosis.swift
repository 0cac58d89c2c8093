package import Values

/// What a person who wrote a text can do about a defect in it.
public struct JSONDiagnosis: Equatable, Sendable {
  /// What was found and what JSON has there, as a clause without a full stop.
  public let sentence: String
  /// What to change, as a sentence; `nil` where the clause is complete.
  public let cure: String?

  init(_ sentence: String, _ cure: String? = nil) {
    self.sentence = sentence
    self.cure = cure
  }

  /// Both as one text without a full stop at the end.
  public var text: String { cure.map { "\(sentence). \($0.dropLast())" } ?? sentence }
}

extension Sentence.Interpolation {
  /// The words of a diagnosis: they are about the signs of JSON and are in English in every language.
  package mutating func appendInterpolation(diagnosis: String) { appendInterpolation(code: diagnosis) }
}

extension JSONDefect {
  /// Explains the defect to a person who can edit the text.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that were read.
  ///   - isLine: Whether they are one line of a file, so that places in them are columns.
  /// - Returns: The explanation, at most a few hundred characters.
  /// - Complexity: Linear in the number of bytes.
  public func diagnosis(in bytes: [UInt8], isLine: Bool = false) -> JSONDiagnosis {
    JSONDoctor(bytes, self, isLine: isLine).diagnosis
  }
}

struct JSONDoctor {
  let bytes: [UInt8]
  let defect: JSONDefect
  let isLine: Bool
  let context: JSONContext

  init(_ bytes: [UInt8], _ defect: JSONDefect, isLine: Bool) {
    self.bytes = bytes
    self.defect = defect
    self.isLine = isLine
    context = JSONContext(bytes, before: defect.offset)
  }

  private var offset: Int { defect.offset }

  var diagnosis: JSONDiagnosis {
    if let encoding { return encoding }
    switch defect.reason {
    case .byteOrderMark:
      return JSONDiagnosis(
        "it begins with a byte order mark (U+FEFF)", "Save it as UTF-8 without a byte order mark (BOM).")
    case .unexpectedEnd: return end
    case .unexpectedCharacter: return unexpected
    case .trailingBytes: return trailing
    case .invalidNumber: return number
    case .invalidEscape:
      return JSONDiagnosis(
        "found a backslash in front of \(letter(at: offset + 1))\(insideString), which is no escape of JSON",
        "Write \\\\ for a backslash; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits."
      )
    case .controlCharacter: return control
    case .invalidUTF8:
      return JSONDiagnosis(
        "found \(letter(at: offset))\(insideString), which is not UTF-8",
        "Save the file as UTF-8; it may be in an older encoding such as Windows-1252.")
    case .duplicateMember:
      return JSONDiagnosis(
        "the object\(opening(" that begins at ")) has this member twice", "Delete one of the two.")
    case .loneSurrogate, .tooDeep: return JSONDiagnosis(defect.reason.sentence.english)
    }
  }

  // MARK: The whole text

  /// What is wrong with the text as a whole, where its first bytes show it.
  private var encoding: JSONDiagnosis? {
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
    let isWide = bytes.count >= 2 && (bytes[0] == 0) != (bytes[1] == 0)
    if isWide || marks.contains(where: { bytes.starts(with: $0) }) {
      return JSONDiagnosis(
        "it is in UTF-16; JSON is in UTF-8", "Save it as UTF-8 without a byte order mark (BOM).")
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      return JSONDiagnosis("it is compressed with gzip", "Unpack it with gunzip.")
    }
    return nil
  }

  private var end: JSONDiagnosis {
    if bytes.allSatisfy(isJSONSpace) {
      return JSONDiagnosis(
        "it is empty", "Write a value, such as an object that begins with { and ends with }.")
    }
    if let start = context.string {
      return JSONDiagnosis(
        "it ends inside the string that begins at \(place(start))", "Close the string with a double quote.")
    }
    guard let inner = context.open.last else {
      return JSONDiagnosis("it ends inside a number or a word")
    }
    let closing = context.open.reversed().prefix(20).map(\.closing).joined()
    let others =
      context.open.count == 1
      ? "" : ", as \(context.open.count == 2 ? "is one" : "are \(context.open.count - 1)") around it"
    let isBehindComma = !context.token.isEmpty && bytes[context.token.lowerBound] == UInt8(ascii: ",")
    return JSONDiagnosis(
      "it ends, and the \(inner.text) at \(place(inner.offset)) is still open\(others)",
      (isBehindComma ? "Delete the comma at \(place(context.token.lowerBound)) and write" : "Write")
        + " \(closing) at the end, or where \(context.open.count == 1 ? "it is" : "they are") missing.")
  }

  private var trailing: JSONDiagnosis {
    let found = letter(at: offset)
    switch bytes[min(offset, bytes.count - 1)] {
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      return JSONDiagnosis(
        "found \(found) after the end; the value ends at \(place(context.token.lowerBound))",
        "Delete this bracket, or one in front of it that closes too early.")
    case UInt8(ascii: "/"), UInt8(ascii: "#"): return comment
    default:
      return JSONDiagnosis(
        "found \(found) after the end; the value ends at \(place(max(context.token.upperBound - 1, 0)))",
        "Delete what follows; there is one value, not several.")
    }
  }

  // MARK: Strings and numbers

  private var insideString: String {
    context.string.map { " in the string that begins at \(place($0))" } ?? ""
  }

  private var control: JSONDiagnosis {
    let byte = bytes[offset]
    if byte == 0x0A || byte == 0x0D {
      return JSONDiagnosis(
        "the line ends\(insideString)", "Close the string with a double quote, or write \\n for a line break."
      )
    }
    return JSONDiagnosis(
      "found \(letter(at: offset))\(insideString)",
      byte == 0x09 ? "Write \\t for a tab." : "Delete it, or write it as an escape like \\u0000.")
  }

  private var number: JSONDiagnosis {
    let word = word(from: context.isInWord ? context.token.lowerBound : offset)
    let digits = word.drop { $0 == "-" }
    if word.dropFirst().first.map({ $0.isLetter }) ?? false, word.hasPrefix("-") { return badWord(word) }
    if digits.first == "0", digits.dropFirst().first.map({ $0.isASCII && $0.isNumber }) ?? false {
      let shorter = digits.drop { $0 == "0" }
      let isPlain = shorter.allSatisfy { $0.isASCII && $0.isNumber }
      return JSONDiagnosis(
        "\(shown(word)) has a leading zero, which no number has",
        isPlain
          ? "Write \(word.hasPrefix("-") ? "-" : "")\(shorter.isEmpty ? "0" : String(shorter)), or put it in double quotes if it is a text."
          : nil)
    }
    if digits.first == "." {
      return JSONDiagnosis("\(shown(word)) has no digit in front of the point", "Write 0\(digits).")
    }
    return JSONDiagnosis(
      "\(shown(word)) is not a number as JSON writes it",
      "Write digits, and digits after a point or an exponent, such as 12.50.")
  }

  // MARK: Places and characters

  func place(_ offset: Int) -> String {
    let position = TextPosition(ofByte: offset, in: bytes)
    return isLine ? "column \(position.column)" : "\(position)"
  }

  /// The innermost open bracket in words, behind some others.
  func opening(_ words: String) -> String { context.open.last.map { words + place($0.offset) } ?? "" }

  /// A letter in words that a person can find in an editor: `'}'`, `’ (U+2019 right single quotation mark)`.
  func letter(at offset: Int) -> String {
    guard offset < bytes.count else { return "the end" }
    guard let scalar = scalar(at: offset) else {
      return "the byte 0x\(hexadecimal(UInt32(bytes[offset]), 2))"
    }
    switch scalar {
    case "\"": return "a double quote"
    case "'": return "' (U+0027 apostrophe)"
    case "!"..."~": return "'\(scalar)'"
    default: break
    }
    let name = scalar.properties.name ?? scalar.properties.nameAlias
    let code = "U+\(hexadecimal(scalar.value, 4))" + (name.map { " \($0.lowercased())" } ?? "")
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned,
      .nonspacingMark, .enclosingMark, .spacingMark, .surrogate:
      return code
    default: return "\(scalar) (\(code))"
    }
  }

  /// The letter that begins at an offset; `nil` where the bytes are not UTF-8.
  func scalar(at offset: Int) -> Unicode.Scalar? {
    guard offset < bytes.count else { return nil }
    for length in 1...4 where offset + length <= bytes.count {
      if let text = String(validating: bytes[offset..<offset + length], as: UTF8.self) {
        return text.unicodeScalars.first
      }
    }
    return nil
  }

  /// The word or number that begins at an offset, cut after 40 letters.
  func word(from start: Int) -> String {
    let end =
      bytes[start...].prefix(41).firstIndex { !JSONContext.isWordByte($0) } ?? min(start + 41, bytes.count)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  func shown(_ word: String) -> String { word.utf8.count > 40 ? word.prefix(40) + "…" : word }

  private func hexadecimal(_ number: UInt32, _ width: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
