import JSONText
import MappingEditing
import Mappings

/// A letter for each event of a draft, which its rules in the form and its values in the map have in common.
struct EventLetters {
  private var letters: [String: String] = [:]
  /// The events with a letter, in the order of the draft; revenue of all events is the empty name.
  private(set) var names: [String] = []

  /// Gives letters to the events of a draft, as far as it can be read.
  init(_ root: JSONNode?) {
    for list in ["grids", "fine"] {
      for rule in (root?[list]?.value.array ?? []).prefix(64) {
        let events = (rule["events"]?.value.array ?? []).prefix(64)
        if events.isEmpty, rule["revenue"] != nil { add("", "R") }
        for event in events { add(event.plainText, event.plainText.uppercased()) }
      }
    }
  }

  /// Gives letters to the sorts of values of a mapping.
  init(_ kinds: [ValuePurpose?]) {
    for case let kind? in kinds { add(kind.event, kind.event.isEmpty ? "R" : kind.event.uppercased()) }
  }

  /// The first letter of the name that no other event has, else any that is free.
  private mutating func add(_ name: String, _ wanted: String) {
    guard letters[name] == nil else { return }
    let taken = Set(letters.values)
    let own = wanted.unicodeScalars.filter(\.properties.isAlphabetic).map { String($0) }
    let all = own + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }
    letters[name] = all.first { !taken.contains($0) } ?? "•"
    names.append(name)
  }

  /// The letter of an event, and which of ``styles`` line styles it has; `nil` for an event of no rule.
  subscript(name: String) -> (letter: String, style: Int)? {
    guard let letter = letters[name], let place = names.firstIndex(of: name) else { return nil }
    return (letter, place % Self.styles)
  }

  static let styles = 4
}
