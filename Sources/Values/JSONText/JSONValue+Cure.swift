/// The sorts of value that files which people write ask for.
public enum JSONWanted: Hashable, Sendable {
  case integer, text, truth, array, object, amount
}

extension JSONValue {
  /// What to change where a value is of another sort than wanted, as a sentence; `nil` where nothing can be guessed.
  public func cure(for wanted: JSONWanted) -> String? {
    switch (wanted, self) {
    case (_, .null): return "Delete the member, or give it a value."
    case (.integer, .string(let text)):
      let digits = text.utf8.starts(with: "id".utf8) ? text.dropFirst(2) : text[...]
      guard let number = Int64(digits), "\(number)" == digits else { return nil }
      return digits.count == text.count
        ? "Drop the quotes: \(number)." : "Drop the quotes and \"id\": \(number)."
    case (.integer, .number(let number)):
      let parts = number.text.split(separator: ".")
      guard parts.count == 2, parts[1].allSatisfy({ $0 == "0" }), parts[0].count <= 20 else { return nil }
      return "Write \(parts[0])."
    case (.text, .number): return "Put it in double quotes."
    case (.text, .array(let elements)) where elements.count == 1: return "Drop the brackets."
    case (.truth, .string(let text)):
      switch text.lowercased() {
      case "true", "yes", "on", "1": return "Drop the quotes: true."
      case "false", "no", "off", "0": return "Drop the quotes: false."
      default: return nil
      }
    case (.truth, .number(let number)):
      return number.text == "1" ? "Write true." : number.text == "0" ? "Write false." : nil
    case (.array, .string): return "Put it in brackets: [\"…\"]."
    case (.array, _): return "Put it in brackets: [ … ]."
    case (.object, .array(let elements)) where elements.count == 1 && elements[0].value.object != nil:
      return "Drop the brackets around the object."
    case (.object, .array(let elements)) where elements.count > 1:
      return "Write one object here; this array has \(elements.count) elements."
    default: return nil
    }
  }
}
