/// A change of one value in a JSON text that people wrote; the rest of the text stays as it is.
public enum JSONEdit: Hashable, Sendable {
  /// Puts a value in the place of another, or adds it as a member where its object lacks it.
  case set(JSONPath, JSONOutput)
  /// Deletes a member or an element, with its comma.
  case remove(JSONPath)
  /// Gives a member another name.
  case rename(JSONPath, String)
  /// Adds an element at the end of an array.
  case append(JSONPath, JSONOutput)

  /// Makes the change.
  ///
  /// - Parameters:
  ///   - bytes: A JSON text; it may have a member twice.
  ///   - depthLimit: The deepest nesting that is read.
  /// - Returns: The text after it; `nil` where the text is not JSON, or has nothing at that place.
  /// - Complexity: Linear in the number of bytes.
  public func applied(to bytes: [UInt8], depthLimit: Int = JSONReader.defaultDepthLimit) -> [UInt8]? {
    guard let root = try? JSONReader.read(bytes, depthLimit: depthLimit, allowingDuplicates: true) else {
      return nil
    }
    guard let (range, text) = replacement(in: bytes, root) else { return nil }
    return bytes[..<range.lowerBound] + text + bytes[range.upperBound...]
  }

  /// Makes several changes, each on what the one before left.
  public static func apply(_ edits: [JSONEdit], to bytes: [UInt8]) -> [UInt8]? {
    edits.reduce(bytes) { bytes, edit in bytes.flatMap { edit.applied(to: $0) } }
  }

  /// Makes changes that do not touch each other at once: values that there are get others, and elements of arrays go.
  ///
  /// - Parameters:
  ///   - edits: `set` at places that the text has, none of them within another, and `remove` of elements.
  ///   - bytes: A JSON text.
  ///   - root: The same text, read.
  /// - Returns: The text after them; `nil` where one of them is none of these.
  public static func applyTogether(_ edits: [JSONEdit], to bytes: [UInt8], _ root: JSONNode) -> [UInt8]? {
    var changes: [(range: Range<Int>, text: [UInt8])] = []
    var removed: [JSONPath: Set<Int>] = [:]
    for edit in edits {
      switch edit {
      case .set(let path, let value):
        guard let node = root.value(at: path) else { return nil }
        changes.append((node.range, Self.text(of: value, at: path, in: bytes)))
      case .remove(let path):
        guard case .element(let index)? = path.steps.last else { return nil }
        removed[JSONPath(steps: path.steps.dropLast()), default: []].insert(index)
      case .rename, .append: return nil
      }
    }
    for (path, indices) in removed {
      guard let elements = root.value(at: path)?.value.array, indices.allSatisfy(elements.indices.contains)
      else { return nil }
      changes += runs(of: indices, in: elements.map(\.range)).map { ($0, []) }
    }
    var after: [UInt8] = []
    var end = 0
    for (range, text) in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard range.lowerBound >= end else { return nil }
      after += bytes[end..<range.lowerBound] + text
      end = range.upperBound
    }
    return after + bytes[end...]
  }

  /// The text of elements with the commas that go with them, for each run of neighbours.
  private static func runs(of indices: Set<Int>, in entries: [Range<Int>]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for first in indices.sorted() where !indices.contains(first - 1) {
      var last = first
      while indices.contains(last + 1) { last += 1 }
      runs.append(
        last + 1 < entries.count
          ? entries[first].lowerBound..<entries[last + 1].lowerBound
          : (first > 0 ? entries[first - 1].upperBound : entries[first].lowerBound)..<entries[last].upperBound
      )
    }
    return runs
  }

  private func replacement(in bytes: [UInt8], _ root: JSONNode) -> (Range<Int>, [UInt8])? {
    switch self {
    case .set(let path, let value):
      if let node = root.value(at: path) { return (node.range, Self.text(of: value, at: path, in: bytes)) }
      return addition(of: value, at: path, in: bytes, root)
    case .rename(let path, let name):
      return root.member(at: path).map { ($0.nameRange, JSONOutput.string(name).bytes()) }
    case .append(let path, let value):
      guard let node = root.value(at: path), let elements = node.value.array else { return nil }
      let text = Self.text(of: value, at: path.element(elements.count), in: bytes)
      return Self.insertion(of: text, in: bytes, node, after: elements.map(\.range))
    case .remove(let path): return removal(of: path, root)
    }
  }

  private func addition(
    of value: JSONOutput, at path: JSONPath, in bytes: [UInt8], _ root: JSONNode
  ) -> (Range<Int>, [UInt8])? {
    guard case .member(let name)? = path.steps.last,
      let parent = root.value(at: JSONPath(steps: path.steps.dropLast())),
      let members = parent.value.object?.members
    else { return nil }
    return Self.insertion(
      of: JSONOutput.string(name).bytes() + Array(": ".utf8) + Self.text(of: value, at: path, in: bytes),
      in: bytes, parent,
      after: members.map { $0.nameRange.lowerBound..<$0.value.range.upperBound })
  }

  /// A value as text: objects in a text of several lines take lines too.
  private static func text(of value: JSONOutput, at path: JSONPath, in bytes: [UInt8]) -> [UInt8] {
    guard value.hasObjects, bytes.dropLast().contains(UInt8(ascii: "\n")) else { return value.bytes() }
    var text: [UInt8] = []
    value.append(to: &text, level: path.steps.count)
    return text
  }

  /// A further entry of an object or an array, laid out as the entry before it is.
  private static func insertion(
    of text: [UInt8], in bytes: [UInt8], _ parent: JSONNode, after entries: [Range<Int>]
  ) -> (Range<Int>, [UInt8]) {
    guard let last = entries.last else {
      return (parent.range.lowerBound + 1..<parent.range.upperBound - 1, text)
    }
    var start = last.lowerBound
    while start > parent.range.lowerBound, isJSONSpace(bytes[start - 1]) { start -= 1 }
    let space =
      entries.count == 1 && start == last.lowerBound ? [0x20] : Array(bytes[start..<last.lowerBound])
    return (last.upperBound..<last.upperBound, [UInt8(ascii: ",")] + space + text)
  }

  private func removal(of path: JSONPath, _ root: JSONNode) -> (Range<Int>, [UInt8])? {
    guard let step = path.steps.last,
      let parent = root.value(at: JSONPath(steps: path.steps.dropLast()))
    else { return nil }
    let entries: [Range<Int>]
    let index: Int?
    switch (step, parent.value) {
    case (.member(let name), .object(let object)):
      entries = object.members.map { $0.nameRange.lowerBound..<$0.value.range.upperBound }
      index = object.members.firstIndex { haveSameBytes($0.name, name) }
    case (.element(let element), .array(let elements)):
      entries = elements.map(\.range)
      index = elements.indices.contains(element) ? element : nil
    default: return nil
    }
    guard let index else { return nil }
    if index + 1 < entries.count { return (entries[index].lowerBound..<entries[index + 1].lowerBound, []) }
    if index > 0 { return (entries[index - 1].upperBound..<entries[index].upperBound, []) }
    return (entries[index], [])
  }
}

extension JSONNode {
  /// The value at a path; of two members of one name the first.
  public func value(at path: JSONPath) -> JSONNode? {
    path.steps.reduce(self) { node, step in
      switch step {
      case .member(let name): node?.value.object?[name]
      case .element(let index):
        node?.value.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      }
    }
  }

  fileprivate func member(at path: JSONPath) -> JSONMember? {
    guard case .member(let name)? = path.steps.last else { return nil }
    return value(at: JSONPath(steps: path.steps.dropLast()))?.value.object?.members.first {
      haveSameBytes($0.name, name)
    }
  }
}
