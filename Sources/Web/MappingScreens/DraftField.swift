import JSONText

/// A field of the form view of a draft: one value of its text, which the form and the text share.
struct DraftField {
  /// How a field is filled in.
  enum Kind: Hashable {
    case text
    case date
    case choice([String])
    /// An amount or an hour of an array of edges; an empty one is removed.
    case edge
    /// A further edge of the array.
    case newEdge
    /// Which of the three coarse values of a window locks it.
    case lock
  }

  /// The group of fields that it is one of.
  enum Group: Hashable {
    case head
    case hours(grid: Int)
    case edges(grid: Int)
    case coarse(Int)
    case labels
  }

  let group: Group
  let kind: Kind
  /// The value's place in the text.
  let path: JSONPath
  let value: String
  /// The conversion value that a label is for; empty for other fields.
  var subject = ""

  /// The name of the field in the form.
  var name: String { kind == .newEdge ? path.description + "[+]" : path.description }

  /// The values of a window that can lock it.
  static let locks = ["never", "low", "medium", "high"]
  /// How many fine rules of their own have a field for their label.
  private static let mostLabels = 24

  /// The fields of a text; none where it can't be read.
  static func all(of document: [UInt8]) -> [DraftField] {
    guard let root = try? JSONReader.read(document) else { return [] }
    let top = JSONPath.root
    var fields: [DraftField] = []
    func add(_ group: Group, _ kind: Kind, _ path: JSONPath) {
      guard let node = root.value(at: path) else { return }
      fields.append(DraftField(group: group, kind: kind, path: path, value: node.plainText))
    }
    add(.head, .text, top.member("name"))
    add(.head, .text, top.member("currency"))
    add(.head, .date, top.member("effective-from"))
    add(.head, .choice(["skan3", "skan4", "aak"]), top.member("protocol"))
    for index in root.value(at: top.member("grids"))?.value.array?.indices ?? 0..<0 {
      let grid = top.member("grids").element(index)
      for (member, group) in [("active-hours", Group.hours(grid: index)), ("revenue", .edges(grid: index))] {
        let path = grid.member(member)
        guard let edges = root.value(at: path)?.value.array else { continue }
        for edge in edges.indices { add(group, .edge, path.element(edge)) }
        fields.append(DraftField(group: group, kind: .newEdge, path: path, value: ""))
      }
    }
    for (index, window) in (root.value(at: top.member("coarse"))?.value.array ?? []).enumerated() {
      let path = top.member("coarse").element(index)
      add(.coarse(index), .text, path.member("low").member("revenue").member("to"))
      add(.coarse(index), .text, path.member("medium").member("revenue").member("to"))
      let locked = ["high", "medium", "low"].first {
        window.value.object?[$0]?.value.object?["lock"]?.value.bool == true
      }
      fields.append(
        DraftField(group: .coarse(index), kind: .lock, path: path.member("lock"), value: locked ?? "never"))
    }
    for index in (root.value(at: top.member("fine"))?.value.array ?? []).indices.prefix(mostLabels) {
      let rule = top.member("fine").element(index)
      guard let label = root.value(at: rule.member("label")) else { continue }
      fields.append(
        DraftField(
          group: .labels, kind: .text, path: rule.member("label"), value: label.plainText,
          subject: root.value(at: rule.member("value"))?.plainText ?? ""))
    }
    return fields
  }

  /// Puts what was filled in into a text; what is not in the form stays.
  ///
  /// - Parameters:
  ///   - document: The text that the fields were made of.
  ///   - filled: What a field has now, by its name.
  /// - Returns: The text after it.
  static func applied(to document: [UInt8], _ filled: (String) -> String?) -> [UInt8] {
    let root = try? JSONReader.read(document)
    var edits: [JSONEdit] = []
    var removals: [JSONEdit] = []
    var additions: [(path: JSONPath, text: String)] = []
    for field in all(of: document) {
      guard let text = filled(field.name), text != field.value else { continue }
      switch field.kind {
      case .edge where text.isEmpty: removals.insert(.remove(field.path), at: 0)
      case .newEdge where text.isEmpty: break
      case .newEdge: additions.append((field.path, text))
      case .lock:
        let window = JSONPath(steps: Array(field.path.steps.dropLast()))
        for value in locks.dropFirst() {
          let rule = window.member(value)
          guard root?.value(at: rule)?.value.object != nil else { continue }
          if value == text {
            edits.append(.set(rule.member("lock"), true))
          } else if root?.value(at: rule.member("lock")) != nil {
            removals.append(.remove(rule.member("lock")))
          }
        }
      case .text, .date, .choice, .edge:
        let old = root?.value(at: field.path)?.value
        edits.append(.set(field.path, JSONOutput(filled: text, like: old)))
      }
    }
    let changed = (edits + removals).reduce(document) { text, edit in edit.applied(to: text) ?? text }
    // Edges are added last and among those that there are by then, because they move the others.
    return additions.reduce(changed) { text, addition in
      guard let array = (try? JSONReader.read(text))?.value(at: addition.path) else { return text }
      return JSONEdit.set(addition.path, array.inserting(addition.text)).applied(to: text) ?? text
    }
  }
}

extension JSONNode {
  /// The value as a field has it.
  fileprivate var plainText: String {
    switch value {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let truth): "\(truth)"
    case .null, .array, .object: ""
    }
  }

  /// An array with one more number, in its order.
  fileprivate func inserting(_ text: String) -> JSONOutput {
    let elements = value.array ?? []
    let added = Double(text)
    let place =
      elements.firstIndex { node in
        guard let added, let number = Double(node.plainText) else { return node.value == .null }
        return number > added
      } ?? elements.count
    var all = elements.map { JSONOutput($0.value) }
    all.insert(JSONOutput(filled: text, like: elements.first?.value), at: place)
    return .array(all)
  }
}

extension JSONOutput {
  /// What was filled in, as the sort of value that was there: a number stays one where it still is one.
  fileprivate init(filled text: String, like old: JSONValue?) {
    let isText = if case .string = old { true } else { false }
    if !isText, text.isEmpty {
      self = nil
    } else if !isText, let number = JSONNumber(text) {
      self = .number(number)
    } else {
      self = .string(text)
    }
  }
}
