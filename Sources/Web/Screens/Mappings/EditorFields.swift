import JSONText
import Mappings
import Markup
import Pages

/// The form view of a draft.
struct EditorFields {
  let fields: [DraftField]
  let texts: Texts
  let isLocked: Bool
  /// The names of fields that have an error.
  let wrong: Set<String>
  var letters = EventLetters(nil)

  var markup: HTML {
    var groups: [(group: DraftField.Group, fields: [DraftField])] = []
    // The fields of a group follow each other.
    for field in fields {
      if groups.last?.group != field.group { groups.append((field.group, [])) }
      groups[groups.count - 1].fields.append(field)
    }
    var (head, grids, values, windows): (HTML, [HTML], [HTML], [HTML]) = ("", [], [], [])
    let counts = (
      grids: groups.count { if case .grid = $0.group { true } else { false } },
      values: groups.count { if case .value = $0.group { true } else { false } }
    )
    for (group, fields) in groups {
      switch group {
      case .head: head = fieldset(texts.editorMapping, fields.map { plain($0, label($0)) }.joined())
      case .grid(let index): grids.append(grid(index, of: counts.grids, fields))
      case .value(let index): values.append(value(index, of: counts.values, fields))
      case .window(let index): windows.append(window(index, fields))
      }
    }
    guard !groups.isEmpty else { return "<p class=\"s\">\(texts.editorNoForm)</p>" }
    let addWindow = windows.count < 3 ? button(.add, "$.coarse", texts.editorAddWindow) : ""
    return """
      \(head)\(part("f-grids", texts.editorRanges, grids, button(.add, "$.grids", texts.editorAddRanges)))\
      \(part("f-values", texts.editorValues, values, button(.add, "$.fine", texts.editorAddValue)))\
      \(part("f-windows", texts.editorCoarse, windows, addWindow))
      """
  }

  private func part(_ id: HTML, _ heading: HTML, _ blocks: [HTML], _ action: HTML) -> HTML {
    let actions: HTML = action.text.isEmpty ? "" : "<div class=\"row\">\(action)</div>"
    return """
      <div class="stack" role="group" aria-labelledby="\(id)"><h3 id="\(id)">\(heading)</h3>\(blocks.joined())\(actions)</div>
      """
  }

  private func fieldset(_ legend: HTML, _ content: HTML) -> HTML {
    "<fieldset class=\"stack\"><legend><b>\(legend)</b></legend>\(content)</fieldset>"
  }

  // MARK: Rules

  private func grid(_ index: Int, of count: Int, _ fields: [DraftField]) -> HTML {
    let path = "$.grids[\(index)]"
    func edges(_ role: DraftField.Role) -> [DraftField] { fields.filter { $0.role == role } }
    func ranges(_ role: DraftField.Role) -> Int { max(1, edges(role).count { $0.kind == .edge } - 1) }
    let size =
      max(1, fields.count { if case .event = $0.role { true } else { false } }) * ranges(.hours)
      * ranges(.revenue)
    let first = fields.first { $0.role == .firstValue }?.value ?? ""
    let name: HTML =
      Int(first).map { texts.editorRangesOf(first: "\($0)", last: "\($0 &+ (size - 1))") }
      ?? texts.editorRanges
    let hours: HTML =
      edges(.hours).isEmpty
      ? button(.add, "\(path)[\"active-hours\"]", texts.editorAddDays)
      : self.edges(edges(.hours), texts.editorHours, "\(path)[\"active-hours\"]")
    let revenue: HTML =
      edges(.revenue).isEmpty
      ? button(.add, "\(path).revenue", texts.editorAddRevenue)
      : self.edges(edges(.revenue), texts.editorEdges(currency: "\(currency)"), "\(path).revenue")
    return """
      <fieldset class="block stack" data-path="\(.value(path))"><legend><b>\(name)</b></legend>\(arrows(path, name, index, count))\
      \(events(path, fields))\(hours)\(revenue)\(plain(fields, .label))\(plain(fields, .firstValue))</fieldset>
      """
  }

  private func value(_ index: Int, of count: Int, _ fields: [DraftField]) -> HTML {
    let path = "$.fine[\(index)]"
    let number = fields.first { $0.role == .value }?.value ?? ""
    let names = fields.filter { if case .event = $0.role { true } else { false } }.map(\.value)
    let label = fields.first { $0.role == .label }?.value ?? ""
    let name = texts.editorValueOf(value: "\(number)")
    let marks = names.map { mark($0) }.joined()
    let isWrong = fields.contains { wrong.contains($0.name) }
    // A rule that was just added has no label, and is to be filled in.
    let open: HTML = label.isEmpty || isWrong ? " open" : ""
    return """
      <details class="block" id="\(.value("f" + path))" data-path="\(.value(path))"\(open)><summary>\(marks)<b>\(name)</b> \
      <bdi>\(label.isEmpty ? names.joined(separator: ", ") : label)</bdi></summary><div class="stack">\
      \(arrows(path, name, index, count))\(plain(fields, .label))\(plain(fields, .value))\(events(path, fields))\
      \(pair(fields, .from(event: nil), .to(event: nil)))\(pair(fields, .fromHour, .toHour))\(plain(fields, .lock))\
      </div></details>
      """
  }

  private func window(_ index: Int, _ fields: [DraftField]) -> HTML {
    let path = "$.coarse[\(index)]"
    let name = texts.editorScheduleWindow(number: "\(windowNumbers[index] ?? "\(index + 1)")")
    let rules = DraftField.coarseValues.map { value -> HTML in
      guard fields.contains(where: { $0.role == .coarseEvent(value) }) else { return "" }
      return """
        <div class="triple" role="group" aria-label="\(value)"><b>\(value)</b>\(plain(fields, .coarseEvent(value)))\
        \(plain(fields, .coarseFrom(value)))\(plain(fields, .coarseTo(value)))</div>
        """
    }
    let lock = fields.filter { $0.role == .lock }.map { plain($0, texts.editorLockAt) }.joined()
    let events = DraftField.coarseValues.compactMap { value in
      fields.first { $0.role == .coarseEvent(value) }?.value
    }.filter { !$0.isEmpty }.joined(separator: ", ")
    let open: HTML = fields.contains { wrong.contains($0.name) } ? " open" : ""
    return """
      <details class="block" id="\(.value("f" + path))"\(open)><summary><b>\(name)</b> <bdi>\(events)</bdi></summary>\
      <div class="stack"><div class="row">\(button(.remove, path, texts.editorRemove, of: name))</div>\(rules.joined())\(lock)\
      \(plain(fields, .totals))</div></details>
      """
  }

  /// What the windows of the text are called; their order there is free.
  var windowNumbers: [Int: String] = [:]

  private func events(_ path: String, _ fields: [DraftField]) -> HTML {
    let events = fields.compactMap { field -> (index: Int, field: DraftField)? in
      if case .event(let index) = field.role { (index, field) } else { nil }
    }
    let rows = events.map { index, field -> HTML in
      let place = "\(path).events[\(index)]"
      let own = fields.filter { [.times(index), .from(event: index), .to(event: index)].contains($0.role) }
      return """
        <div class="event" data-path="\(.value(place))">\(mark(field.value))\(plain(field, texts.editorEvent))\
        \(own.map { plain($0, label($0)) }.joined())\(arrows(place, "\(field.value)", index, events.count))</div>
        """
    }
    return """
      \(rows.joined())<div class="row">\(button(.add, "\(path).events", texts.editorAddEvent, of: ""))</div>
      """
  }

  private func mark(_ event: String) -> HTML {
    letters[event].map { "<span class=\"ev e\($0.style)\" aria-hidden=\"true\">\($0.letter)</span>" } ?? ""
  }

  /// Buttons that move and remove an element of a list.
  private func arrows(_ path: String, _ name: HTML, _ index: Int, _ count: Int) -> HTML {
    let up = index > 0 ? button(.up, path, texts.editorUp, of: name) : ""
    let down = index + 1 < count ? button(.down, path, texts.editorDown, of: name) : ""
    let all: HTML = "\(up)\(down)\(button(.remove, path, texts.editorRemove, of: name))"
    return all.text.isEmpty ? "" : "<div class=\"row\">\(all)</div>"
  }

  private func button(_ word: MappingEdit.Word, _ path: String, _ text: HTML, of what: HTML = "") -> HTML {
    guard !isLocked else { return "" }
    let name: HTML = what.text.isEmpty ? "" : " aria-label=\"\(text): \(what.words)\""
    return """
      <button class="btn small" \(EditorStep.attributes("edit:\(word.rawValue) \(path)"))\(name)>\(text)</button>
      """
  }

  // MARK: Fields

  private var currency: String { fields.first { $0.role == .currency }?.value ?? "" }

  private func label(_ field: DraftField) -> HTML {
    switch field.role {
    case .name: texts.mappingsName
    case .currency: texts.mappingsCurrency
    case .device: texts.editorProtocol
    case .date: texts.mappingsDate
    case .label: texts.editorLabel
    case .firstValue: texts.editorFirstValue
    case .value: texts.mappingsValue
    case .lock: texts.editorLock
    case .totals: texts.editorTotals
    case .event, .coarseEvent: texts.editorEvent
    case .times: texts.editorTimes
    case .from, .coarseFrom: texts.editorFrom(currency: "\(currency)")
    case .to, .coarseTo: texts.editorTo(currency: "\(currency)")
    case .fromHour: texts.editorFromHour
    case .toHour: texts.editorToHour
    case .hours, .revenue: ""
    }
  }

  private func plain(_ fields: [DraftField], _ role: DraftField.Role) -> HTML {
    fields.filter { $0.role == role }.map { plain($0, label($0)) }.joined()
  }

  private func pair(_ fields: [DraftField], _ one: DraftField.Role, _ other: DraftField.Role) -> HTML {
    let both: HTML = "\(plain(fields, one))\(plain(fields, other))"
    return both.text.isEmpty ? "" : "<div class=\"pairs\">\(both)</div>"
  }

  private func plain(_ field: DraftField, _ label: HTML) -> HTML {
    let id = "f" + field.path.description
    switch field.kind {
    case .choice(let words): return choice(id, field, label, words.map { ($0, word($0, field.role)) })
    case .lock:
      return choice(
        id, field, label,
        DraftField.locks.map { ($0, $0 == "never" ? texts.editorNever : "\($0)") })
    case .date: return Panel.field(id, field.name, label, field.value, more: state(field))
    default:
      let mode: HTML =
        switch field.role {
        case .name, .currency, .label, .event, .coarseEvent: ""
        default: " inputmode=\"decimal\""
        }
      return Panel.field(id, field.name, label, field.value, more: "\(mode)\(state(field))")
    }
  }

  private func word(_ value: String, _ role: DraftField.Role) -> HTML {
    switch (role, value) {
    case (.lock, ""): texts.editorNo
    case (.lock, _): texts.editorYes
    case (.totals, ""): texts.editorSinceInstall
    case (.totals, _): texts.editorThisWindow
    default: "\(value)"
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

  private func edges(_ fields: [DraftField], _ label: HTML, _ path: String) -> HTML {
    let edges = fields.filter { $0.kind == .edge }
    let inputs = fields.enumerated().map { index, field -> HTML in
      let name: HTML =
        field.kind == .newEdge
        ? texts.editorAddEdge : texts.editorEdge(number: "\(index + 1)", count: "\(edges.count)")
      let place: HTML = field.kind == .newEdge ? " data-new" : " data-at=\"\(index)\""
      return """
        <input inputmode="decimal" name="\(field.name)" value="\(.value(field.value))" aria-label="\(name)" \
        data-edge="\(.value(path))"\(place)\(state(field))>
        """
    }
    let steps: HTML =
      isLocked
      ? ""
      : """
      <div class="row edgesteps">\(Panel.choice("a" + path, "at:" + path, texts.editorAtEdge, "0", edges.enumerated().map { ("\($0)", "\($1.value)") }))\
      \(button(.insert, path, texts.editorInsert))\(button(.removeEdge, path, texts.editorRemove, of: texts.editorAtEdge))</div>\
      <details class="more"><summary>\(texts.editorList)</summary><div class="stack">\
      <div class="field"><label for="\(.value("l" + path))">\(texts.editorListLabel)</label>\
      <textarea id="\(.value("l" + path))" name="\(.value("list:" + path))" rows="3" spellcheck="false"></textarea></div>\
      <div class="row">\(button(.list, path, texts.editorListButton))\(button(.remove, path, texts.editorRemoveAll))</div></div></details>
      """
    return """
      <fieldset class="stack"><legend class="label" id="\(.value("g" + path))">\(label)</legend>\
      <div class="edges" role="group" aria-labelledby="\(.value("g" + path))">\(inputs.joined())</div>\(steps)</fieldset>
      """
  }
}
