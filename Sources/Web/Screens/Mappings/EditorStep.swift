import MappingLibrary
import Mappings
import Pages

/// What a button of the editor does with the text of a draft.
enum EditorStep {
  case edit(MappingEdit)
  /// The cure of the finding at that place in the list.
  case repair(Int)
  /// The cures of all findings like the one at that place.
  case repairAll(Int)
  case model(MappingModel)
  /// Begin to search for a mapping of the users, end that with the best so far, use it, or drop it.
  case propose, stop, take, forget

  /// Reads the value of a button; `nil` for one that changes no text.
  init?(_ word: String, _ form: FormBody) {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    let rest = parts.count == 2 ? parts[1] : ""
    let step: Self? =
      switch parts.first {
      case "edit": MappingEdit(rest, fields: { form[$0] }).map { .edit($0) }
      case "repair": Int(rest).map { .repair($0) }
      case "repair-all": Int(rest).map { .repairAll($0) }
      case "model": MappingModel(rawValue: form["model"] ?? "").map { .model($0) }
      case "propose": .propose
      case "stop": .stop
      case "take": .take
      case "forget": .forget
      default: nil
      }
    guard let step else { return nil }
    self = step
  }

  /// Whether a button is one that changes the text.
  static func changesText(_ word: String) -> Bool {
    !["", "propose", "stop", "forget"].contains(word)
  }

  /// The id of the part of the page where the step was made; `nil` for none.
  static func part(of word: String) -> String? {
    if word.hasPrefix("repair") { return "h-findings" }
    guard word.hasPrefix("edit:") else { return nil }
    if word.contains("$.fine") { return "f-values" }
    return word.contains("$.coarse") ? "f-windows" : "f-grids"
  }
}
