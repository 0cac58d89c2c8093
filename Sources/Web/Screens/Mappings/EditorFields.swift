import JSONText
import Markup
import Pages

/// The form view of a draft.
struct EditorFields {
  let fields: [DraftField]
  let texts: Texts
  let isLocked: Bool
  /// The names of fields that have an error.
  let wrong: Set<String>

  var markup: HTML {
    // The fields of a group follow each other.
    var rest = fields[...]
    let currency = rest.first { $0.path.description == "$.currency" }?.value ?? ""
    var markup: HTML = ""
    while let group = rest.first?.group {
      let fields = rest.prefix { $0.group == group }
      markup += self.markup(group, Array(fields), currency)
      rest = rest[fields.endIndex...]
    }
    return markup
  }

  private func markup(_ group: DraftField.Group, _ fields: [DraftField], _ currency: String) -> HTML {
    switch group {
    case .head: fieldset(texts.editorMapping, fields.map { plain($0, head($0)) }.joined())
    case .hours(let grid): edges(fields, texts.editorHours, "h\(grid)")
    case .edges(let grid): edges(fields, texts.editorEdges(currency: "\(currency)"), "e\(grid)")
    case .coarse(let index):
      fieldset(
        index == 0 ? texts.editorCoarse : "", fields.map { plain($0, coarse($0)) }.joined(),
        name: texts.editorScheduleWindow(number: "\(index + 1)"))
    case .labels:
      fieldset(
        texts.mappingsName,
        fields.enumerated().map { index, field in
          plain(field, texts.editorLabel(value: "\(field.subject)"))
        }.joined())
    }
  }

  private func fieldset(_ heading: HTML, _ content: HTML, name: HTML = "") -> HTML {
    let legend: HTML = heading.text.isEmpty ? name : name.text.isEmpty ? heading : "\(heading), \(name)"
    return "<fieldset class=\"stack\"><legend><b>\(legend)</b></legend>\(content)</fieldset>"
  }

  private func head(_ field: DraftField) -> HTML {
    switch field.path.description {
    case "$.name": texts.mappingsName
    case "$.currency": texts.mappingsCurrency
    case "$.protocol": texts.editorProtocol
    default: texts.mappingsDate
    }
  }

  private func coarse(_ field: DraftField) -> HTML {
    if field.kind == .lock { return texts.editorLockAt }
    return field.path.description.contains(".low.") ? texts.editorLowTo : texts.editorMediumTo
  }

  private func plain(_ field: DraftField, _ label: HTML) -> HTML {
    let id = "f" + field.path.description
    switch field.kind {
    case .choice(let words): return choice(id, field, label, words.map { ($0, "\($0)") })
    case .lock:
      return choice(
        id, field, label,
        DraftField.locks.map { ($0, $0 == "never" ? texts.editorNever : "\($0)") })
    default:
      return Panel.field(id, field.name, label, field.value, more: state(field))
    }
  }

  private func choice(
    _ id: String, _ field: DraftField, _ label: HTML, _ options: [(value: String, word: HTML)]
  ) -> HTML {
    let known = options.contains { $0.value == field.value }
    return Panel.choice(
      id, field.name, label, field.value, known ? options : [(field.value, "\(field.value)")] + options)
  }

  private func state(_ field: DraftField) -> HTML {
    let lock: HTML = isLocked ? " readonly" : ""
    let error: HTML = wrong.contains(field.name) ? " aria-invalid=\"true\"" : ""
    return "\(lock)\(error)"
  }

  private func edges(_ fields: [DraftField], _ label: HTML, _ id: String) -> HTML {
    let count = fields.count { $0.kind == .edge }
    let inputs = fields.enumerated().map { index, field -> HTML in
      let name: HTML =
        field.kind == .newEdge
        ? texts.editorAddEdge : texts.editorEdge(number: "\(index + 1)", count: "\(count)")
      return """
        <input inputmode="decimal" name="\(field.name)" value="\(.value(field.value))" aria-label="\(name)" data-edge\(state(field))>
        """
    }
    return """
      <fieldset class="stack"><legend class="label" id="l-\(id)">\(label)</legend>\
      <div class="edges" role="group" aria-labelledby="l-\(id)">\(inputs.joined())</div></fieldset>
      """
  }
}
