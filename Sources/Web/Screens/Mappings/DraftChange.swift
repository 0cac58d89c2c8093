import JSONText
import Mappings

/// Puts what was filled into the form of a draft into its text; what is not in the form stays as it is.
struct DraftChange {
  private let document: [UInt8]
  private let root: JSONNode
  /// The fields that were changed, with what they have now, by the rule or the window that they are in.
  private var changes: [JSONPath: [(field: DraftField, text: String)]] = [:]

  /// - Parameters:
  ///   - document: The text that the fields were made of.
  ///   - filled: What a field has now, by its name; `nil` where the form lacks it.
  /// - Returns: The text after it.
  static func applied(to document: [UInt8], _ filled: (String) -> String?) -> [UInt8] {
    guard let root = try? JSONReader.read(document) else { return document }
    let changed = DraftChange(document, root, filled).text
    return changed == document ? document : MappingEdit.makingRoom(in: changed, since: document)
  }

  private init(_ document: [UInt8], _ root: JSONNode, _ filled: (String) -> String?) {
    (self.document, self.root) = (document, root)
    for field in DraftField.all(of: root) {
      guard let text = filled(field.name), text != field.value else { continue }
      let rule = field.group == .head ? .root : JSONPath(steps: Array(field.path.steps.prefix(2)))
      changes[rule, default: []].append((field, text))
    }
  }

  /// Each rule is changed in its own text, so that many rules cost no more than the text is long.
  private var text: [UInt8] {
    var changes = changes
    let head = changes.removeValue(forKey: .root) ?? []
    let rules = changes.compactMap { path, changes in
      root.value(at: path).map { (range: $0.range, text: rewritten(Array(document[$0.range]), changes)) }
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    var after: [UInt8] = []
    var end = 0
    for rule in rules {
      after += document[end..<rule.range.lowerBound] + rule.text
      end = rule.range.upperBound
    }
    after += document[end...]
    return head.reduce(after) { text, change in
      JSONEdit.set(
        change.field.path, JSONOutput(filled: change.text, like: root.value(at: change.field.path)?.value)
      )
      .applied(to: text) ?? text
    }
  }

  private func rewritten(_ rule: [UInt8], _ changes: [(field: DraftField, text: String)]) -> [UInt8] {
    guard let root = try? JSONReader.read(rule) else { return rule }
    var edges: [JSONEdit] = []
    var others: [(path: JSONPath, field: DraftField, text: String)] = []
    var added: [(path: JSONPath, text: String)] = []
    for (field, text) in changes {
      let path = JSONPath(steps: Array(field.path.steps.dropFirst(2)))
      switch field.kind {
      case .edge where text.isEmpty: edges.append(.remove(path))
      case .edge: edges.append(.set(path, JSONOutput(filled: text, like: root.value(at: path)?.value)))
      case .newEdge where text.isEmpty: break
      case .newEdge: added.append((path, text))
      case .text, .date, .choice, .lock: others.append((path, field, text))
      }
    }
    var after = JSONEdit.applyTogether(edges, to: rule, root) ?? rule
    // The last ones first: an event that goes moves those behind it.
    for (path, field, text) in others.reversed() {
      guard let now = try? JSONReader.read(after) else { return after }
      after = JSONEdit.apply(edits(path, field, text, in: now), to: after) ?? after
    }
    // Edges are added last and among those that there are by then, because they move the others.
    guard !added.isEmpty, let now = try? JSONReader.read(after) else { return after }
    let additions = added.compactMap { path, text in
      now.value(at: path).map { JSONEdit.set(path, $0.inserting(text)) }
    }
    return JSONEdit.applyTogether(additions, to: after, now) ?? after
  }

  private func edits(_ path: JSONPath, _ field: DraftField, _ text: String, in rule: JSONNode) -> [JSONEdit] {
    switch field.role {
    case .lock where field.kind == .lock: return locks(text, in: rule)
    case .lock: return text == DraftField.yes ? set(path, true, in: rule) : remove(path, in: rule)
    case .coarseTo(let value):
      // The range of the next value begins where this one ends, unless it was set apart.
      var edits = plain(path, text, in: rule)
      if let next = DraftField.coarseValues.drop(while: { $0 != value }).dropFirst().first {
        let from = DraftField.range(of: next, in: rule).member("from")
        if !field.value.isEmpty, rule.value(at: from)?.plainText == field.value {
          edits += plain(from, text, in: rule)
        }
      }
      return edits
    case .event, .coarseEvent:
      let isObject = rule.value(at: path)?.value.object != nil
      return isObject && !text.isEmpty
        ? [.set(path.member("name"), .string(text))] : plain(path, text, in: rule, isName: true)
    default: return plain(path, text, in: rule, isName: field.role == .label)
    }
  }

  private func plain(_ path: JSONPath, _ text: String, in rule: JSONNode, isName: Bool = false) -> [JSONEdit]
  {
    if text.isEmpty { return remove(path, in: rule) }
    let old = rule.value(at: path)?.value
    return set(path, isName ? .string(text) : JSONOutput(filled: text, like: old), in: rule)
  }

  /// Sets a value, with the objects around it that the rule lacks.
  private func set(_ path: JSONPath, _ value: JSONOutput, in rule: JSONNode) -> [JSONEdit] {
    var (place, value) = (path, value)
    while place.steps.count > 1, rule.value(at: place.parent) == nil {
      value = if case .member(let name)? = place.steps.last { .object([.init(name, value)]) } else { [value] }
      place = place.parent
    }
    switch (place.steps.last, rule.value(at: place.parent)?.value) {
    // An event that was a name alone becomes an object.
    case (.member(let member)?, .string(let name)?):
      return [.set(place.parent, ["name": .string(name), member: value])]
    case (.element(let index)?, .array(let elements)?) where index >= elements.count:
      return [.append(place.parent, value)]
    default: return [.set(place, value)]
    }
  }

  /// Removes a value, and the objects and lists around it that would have nothing else.
  private func remove(_ path: JSONPath, in rule: JSONNode) -> [JSONEdit] {
    guard rule.value(at: path) != nil else { return [] }
    var place = path
    while place.steps.count > 1, let around = rule.value(at: place.parent)?.value {
      let count = around.object?.members.count ?? around.array?.count ?? 0
      guard count == 1 else { break }
      place = place.parent
    }
    return [.remove(place)]
  }

  private func locks(_ locked: String, in window: JSONNode) -> [JSONEdit] {
    DraftField.coarseValues.flatMap { value -> [JSONEdit] in
      let rule = JSONPath.root.member(value)
      guard window.value(at: rule)?.value.object != nil else { return [] }
      if value == locked { return [.set(rule.member("lock"), true)] }
      return window.value(at: rule.member("lock")) == nil ? [] : [.remove(rule.member("lock"))]
    }
  }
}

extension JSONNode {
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
