package import Values

/// The sorts of value that files which people write ask for.
public enum JSONWanted: Hashable, Sendable {
  case integer, text, truth, array, object, amount
}

extension JSONValue {
  /// What to change where a value is of another sort than wanted, as a sentence; `nil` where nothing can be guessed.
  package func cure(for wanted: JSONWanted) -> Sentence? {
    switch (wanted, self) {
    case (_, .null): return Sentence("Delete the member, or give it a value.")
    case (.integer, .string(let text)):
      let digits = text.utf8.starts(with: "id".utf8) ? text.dropFirst(2) : text[...]
      guard let number = Int64(digits), "\(number)" == digits else { return nil }
      return digits.count == text.count
        ? Sentence("Drop the quotes: \(code: number).")
        : Sentence("Drop the quotes and \"id\": \(code: number).")
    case (.integer, .number(let number)):
      let parts = number.text.split(separator: ".")
      guard parts.count == 2, parts[1].allSatisfy({ $0 == "0" }), parts[0].count <= 20 else { return nil }
      return Sentence("Write \(code: parts[0]).")
    case (.text, .number): return Sentence("Put it in double quotes.")
    case (.text, .array(let elements)) where elements.count == 1: return Sentence("Drop the brackets.")
    case (.truth, .string(let text)):
      switch text.lowercased() {
      case "true", "yes", "on", "1": return Sentence("Drop the quotes: \(code: "true").")
      case "false", "no", "off", "0": return Sentence("Drop the quotes: \(code: "false").")
      default: return nil
      }
    case (.truth, .number(let number)):
      guard let meant = ["0": "false", "1": "true"][number.text] else { return nil }
      return Sentence("Write \(code: meant).")
    case (.array, .string): return Sentence("Put it in brackets: \(code: "[\"…\"]").")
    case (.array, _): return Sentence("Put it in brackets: \(code: "[ … ]").")
    case (.object, .array(let elements)) where elements.count == 1 && elements[0].value.object != nil:
      return Sentence("Drop the brackets around the object.")
    case (.object, .array(let elements)) where elements.count > 1:
      return Sentence("Write one object here; this array has \(elements.count) elements.")
    default: return nil
    }
  }
}
