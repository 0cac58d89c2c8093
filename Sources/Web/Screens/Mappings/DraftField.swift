import JSONText

/// A field of the form view of a draft: one value of its text, which the form and the text share.
struct DraftField {
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

  var name: String { kind == .newEdge ? path.description + "[+]" : path.description }

  /// The values of a window that can lock it.
  static let locks = ["never", "low", "medium", "high"]
  /// How many fine rules of their own have a field for their label.
  private static let mostLabels = 24
  /// Grids that have fields: a grid gives a value at least, and there are 64.
  private static let mostGrids = 64
  private static let mostWindows = 3
  /// Fields at most; what is correct has fewer, and the rest of what is not is in the text alone.
  static let most = 1024

  /// The fields of a text, ``most`` at most; none where it can't be read.
  static func all(of root: JSONNode?) -> [DraftField] { root.map { Array(found(in: $0).prefix(most)) } ?? [] }

  private static func found(in root: JSONNode) -> [DraftField] {
    let top = JSONPath.root
    var fields: [DraftField] = []
    func add(_ group: Group, _ kind: Kind, _ path: JSONPath, _ node: JSONNode?, subject: String = "") {
      guard let node else { return }
      fields.append(
        DraftField(group: group, kind: kind, path: path, value: node.plainText, subject: subject))
    }
    for (name, kind) in [
      ("name", Kind.text), ("currency", .text), ("effective-from", .date),
      ("protocol", .choice(["skan3", "skan4", "aak"])),
    ] {
      add(.head, kind, top.member(name), root[name])
    }
    for (index, grid) in (root["grids"]?.value.array ?? []).prefix(mostGrids).enumerated() {
      let place = top.member("grids").element(index)
      for (member, group) in [("active-hours", Group.hours(grid: index)), ("revenue", .edges(grid: index))] {
        guard let edges = grid[member]?.value.array else { continue }
        let path = place.member(member)
        for (edge, node) in edges.prefix(most).enumerated() { add(group, .edge, path.element(edge), node) }
        fields.append(DraftField(group: group, kind: .newEdge, path: path, value: ""))
      }
      if fields.count >= most { return fields }
    }
    for (index, window) in (root["coarse"]?.value.array ?? []).prefix(mostWindows).enumerated() {
      let path = top.member("coarse").element(index)
      for value in ["low", "medium"] {
        add(
          .coarse(index), .text, path.member(value).member("revenue").member("to"),
          window[value]?["revenue"]?["to"])
      }
      let locked = ["high", "medium", "low"].first { window[$0]?["lock"]?.value.bool == true }
      fields.append(
        DraftField(group: .coarse(index), kind: .lock, path: path.member("lock"), value: locked ?? "never"))
    }
    for (index, rule) in (root["fine"]?.value.array ?? []).prefix(mostLabels).enumerated() {
      add(
        .labels, .text, top.member("fine").element(index).member("label"), rule["label"],
        subject: rule["value"]?.plainText ?? "")
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
    guard let root = try? JSONReader.read(document) else { return document }
    var edits: [JSONEdit] = []
    var locks: [JSONEdit] = []
    var added: [(path: JSONPath, text: String)] = []
    for field in all(of: root) {
      guard let text = filled(field.name), text != field.value else { continue }
      switch field.kind {
      case .edge where text.isEmpty: edits.append(.remove(field.path))
      case .newEdge where text.isEmpty: break
      case .newEdge: added.append((field.path, text))
      case .lock:
        let window = JSONPath(steps: Array(field.path.steps.dropLast()))
        for value in Self.locks.dropFirst() {
          let rule = window.member(value)
          guard root.value(at: rule)?.value.object != nil else { continue }
          if value == text {
            locks.append(.set(rule.member("lock"), true))
          } else if root.value(at: rule.member("lock")) != nil {
            locks.append(.remove(rule.member("lock")))
          }
        }
      case .text, .date, .choice, .edge:
        let old = root.value(at: field.path)?.value
        edits.append(.set(field.path, JSONOutput(filled: text, like: old)))
      }
    }
    // Whatever the number of fields, the text is read a few times: for each lock, of which there are nine, and before
    // edges are added.
    let changed = locks.reduce(JSONEdit.applyTogether(edits, to: document, root) ?? document) { text, edit in
      edit.applied(to: text) ?? text
    }
    // Edges are added last and among those that there are by then, because they move the others.
    guard !added.isEmpty, let after = try? JSONReader.read(changed) else { return changed }
    let additions = added.compactMap { path, text in
      after.value(at: path).map { JSONEdit.set(path, $0.inserting(text)) }
    }
    return JSONEdit.applyTogether(additions, to: changed, after) ?? changed
  }
}

extension JSONNode {
  fileprivate subscript(name: String) -> JSONNode? { value.object?[name] }

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
