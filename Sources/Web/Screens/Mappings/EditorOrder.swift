import Pages

/// What a form of the editor asks for, by the button that sent it.
enum EditorOrder: Equatable {
  /// Keeps the text of the form.
  case save
  /// Keeps it after a step.
  case step(EditorStep)
  /// Answers a script with what the text shows after a step, where there is one.
  case trial(EditorStep?)
  case merge, copy, discard, importUsers

  /// A form whose button is unknown is saved, so that no text is lost.
  init(_ form: FormBody) {
    switch form["do"] {
    case "try": self = .trial(EditorStep(form["step"] ?? "", form))
    case "merge": self = .merge
    case "copy": self = .copy
    case "discard": self = .discard
    case "users": self = .importUsers
    case let word: self = word.flatMap { EditorStep($0, form) }.map { .step($0) } ?? .save
    }
  }

  var step: EditorStep? {
    switch self {
    case .step(let step): step
    case .trial(let step): step
    case .save, .merge, .copy, .discard, .importUsers: nil
    }
  }
}
