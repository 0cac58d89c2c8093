// What a character that JSON has no place for was probably meant to be.

extension JSONDoctor {
  private var offset: Int { defect.offset }

  var unexpected: JSONDiagnosis {
    if context.isInWord, let misread = misreadWord { return misread }
    guard let scalar = scalar(at: offset) else {
      return JSONDiagnosis(
        found + which,
        "Save the file as UTF-8; it may be in an older encoding such as Windows-1252.")
    }
    switch scalar {
    case "/", "#": return comment
    case "}", "]": return closing(scalar)
    case ",": return comma
    case "'", "`", "\u{2018}"..."\u{201F}", "\u{2039}", "\u{203A}", "«", "»", "＂":
      let isTyped = scalar == "'" || scalar == "`"
      return JSONDiagnosis(
        found + which,
        isTyped
          ? "Write \" (a double quote) on both sides of the text."
          : "Write \" (a straight double quote) on both sides; a text processor replaced it.")
    case "=" where isExpected(.colon): return JSONDiagnosis(found + which, "Write a colon.")
    case ";" where isExpected(.commaOrEnd): return JSONDiagnosis(found + which, "Write a comma.")
    case "+" where wantsValue: return JSONDiagnosis(found + which, "Delete the plus sign.")
    case "." where wantsValue:
      return JSONDiagnosis(found + which, "Write a digit in front of the point, as in 0.5.")
    case "<": return JSONDiagnosis(found + which, "This looks like HTML or XML; give a JSON file.")
    default: break
    }
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .format, .lineSeparator, .paragraphSeparator, .control:
      return JSONDiagnosis(found + which, "Delete it, or write a plain space.")
    case .currencySymbol where wantsValue:
      return JSONDiagnosis(found + which, "Write the number alone, without the currency's sign.")
    default: break
    }
    let isWord = bytes[offset] < 0x80 && JSONContext.isWordByte(bytes[offset])
    let beginsValue =
      isWord || [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[offset])
    switch context.expected {
    case .commaOrEnd where beginsValue:
      return JSONDiagnosis(
        "a comma is missing: " + found + stillOpen,
        "Write a comma at \(place(context.token.upperBound)), behind the value in front.")
    case .colon where beginsValue:
      return JSONDiagnosis(
        "a colon is missing: " + found + stillOpen,
        "Write a colon at \(place(context.token.upperBound)), between the name and its value.")
    case .name where isWord, .nameOrEnd where isWord:
      let word = word(from: offset)
      return JSONDiagnosis(
        "the name \(shown(word)) is not in double quotes" + stillOpen, "Write \"\(shown(word))\".")
    case .value where isWord, .valueOrEnd where isWord: return badWord(word(from: offset))
    default: return JSONDiagnosis(found + which)
    }
  }

  /// A comment; JSON has none.
  var comment: JSONDiagnosis {
    JSONDiagnosis(
      "found \(letter(at: offset)), which begins a comment; JSON has no comments" + stillOpen,
      "Delete the comment.")
  }

  /// A word without quotation marks in the place of a value.
  func badWord(_ word: String) -> JSONDiagnosis {
    // It may be a token or a password, and messages go to logs.
    let start: String = word.utf8.count > 12 ? word.prefix(12) + "…" : word
    let meant: String? =
      switch word.lowercased() {
      case "true", "yes", "on": "Write true."
      case "false", "no", "off": "Write false."
      case "none", "nil", "null", "undefined", "nul", "nulll": "Write null, or delete the member."
      case "nan", "-nan": "Write a number, or delete the member."
      case "infinity", "-infinity", "inf", "-inf", "+infinity":
        "Write a number; where a range has no end, write null."
      default: nil
      }
    let isNumber = word.first.map { $0.isNumber || $0 == "-" } ?? false
    return JSONDiagnosis(
      "\(start) is neither true, false or null nor a number, and has no double quotes" + stillOpen,
      meant
        ?? (isNumber
          ? "Write the number with digits and one point, without its unit or separators."
          : "Write it in double quotes if it is a text."))
  }

  /// A word or number that goes on behind what could be read of it.
  private var misreadWord: JSONDiagnosis? {
    let word = word(from: context.token.lowerBound)
    guard !["true", "false", "null"].contains(word) else { return nil }
    let isWhole = word.utf8.count == context.token.count
    let isNumber = word.utf8.first.map { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } ?? false
    // A whole number in front of something else is not what is wrong.
    return isWhole && isNumber ? nil : badWord(word)
  }

  private func closing(_ scalar: Unicode.Scalar) -> JSONDiagnosis {
    guard let bracket = context.open.last else { return JSONDiagnosis(found + which, "Delete it.") }
    guard String(scalar) == bracket.closing else {
      return JSONDiagnosis(
        "found \(letter(at: offset)), but the \(bracket.text) at \(place(bracket.offset)) is still open",
        "Write \(bracket.closing) in front of it, or in its place.")
    }
    if context.token.count == 1, bytes[context.token.lowerBound] == UInt8(ascii: ",") {
      return JSONDiagnosis(
        "found \(letter(at: offset)) after a comma" + stillOpen,
        "Delete the comma at \(place(context.token.lowerBound)).")
    }
    return JSONDiagnosis(
      "found \(letter(at: offset)), but the member before it has no value" + stillOpen,
      "Write a value, or delete the member.")
  }

  private var comma: JSONDiagnosis {
    let before = context.token.isEmpty ? nil : bytes[context.token.lowerBound]
    let cure: String? =
      switch before {
      case UInt8(ascii: ","): "Delete one of the two commas."
      case UInt8(ascii: ":"): "Write a value behind the colon."
      case UInt8(ascii: "{"), UInt8(ascii: "["): "Delete the comma."
      default: nil
      }
    return JSONDiagnosis(found + which, cure)
  }

  private var found: String { "found \(letter(at: offset))" }

  private var which: String {
    let bracket = context.open.last?.closing ?? "}"
    let wanted =
      switch context.expected {
      case .value: "a value"
      case .valueOrEnd: "a value or \(bracket)"
      case .name: "a name in double quotes"
      case .nameOrEnd: "a name in double quotes or \(bracket)"
      case .colon: "a colon"
      case .commaOrEnd: "a comma or \(bracket)"
      case .nothing: "the end"
      }
    return ", expected \(wanted)" + stillOpen
  }

  private var stillOpen: String {
    context.open.last.map { "; the \($0.text) at \(place($0.offset)) is still open" } ?? ""
  }

  private var wantsValue: Bool { isExpected(.value) || isExpected(.valueOrEnd) }

  private func isExpected(_ expected: JSONContext.Expected) -> Bool { context.expected == expected }
}
