import MappingEditing
import Mappings
import Markup
import Pages

/// What a button of the editor does with the text of a draft.
enum EditorStep: Equatable {
  /// What a button does with the search for a mapping of the users: begin it, end it with the best so far, use that, or
  /// drop it.
  enum Search: String { case propose, stop, take, forget }

  /// An edit, with the word and the path of its button; `nil` where something is not filled in.
  case edit(MappingEdit?, String)
  /// The cure of the finding at that place in the list.
  case repair(Int)
  /// The cures of all findings like the one at that place.
  case repairAll(Int)
  /// `nil` where none is chosen.
  case model(MappingModel?)
  case search(Search)

  /// Reads the value of a button; `nil` for one that changes no text.
  init?(_ word: String, _ form: FormBody) {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    let rest = parts.count == 2 ? parts[1] : ""
    let step: Self? =
      switch parts.first {
      case "edit": .edit(MappingEdit(rest, fields: { form[$0] }), rest)
      case "repair": Int(rest).map { .repair($0) }
      case "repair-all": Int(rest).map { .repairAll($0) }
      case "model": .model(MappingModel(rawValue: form["model"] ?? ""))
      default: Search(rawValue: word).map { .search($0) }
      }
    guard let step else { return nil }
    self = step
  }

  /// What makes a button one of a step, which the script sends without leaving the page.
  static func attributes(_ word: String) -> HTML { "name=\"do\" value=\"\(.value(word))\" data-step" }

  var search: Search? { if case .search(let search) = self { search } else { nil } }

  var changesText: Bool { search == nil || search == .take }

  /// The id of the part of the page where the step was made; `nil` for none.
  var part: String? {
    switch self {
    case .repair, .repairAll: "h-findings"
    case .edit(_, let place) where place.contains("$.fine"): "f-values"
    case .edit(_, let place): place.contains("$.coarse") ? "f-windows" : "f-grids"
    case .model, .search: nil
    }
  }
}
