package import JSONText
import Values

extension RowCollection {
  /// Adds a record that is a JSON object.
  mutating func add(_ node: JSONNode, line: Int) throws(ReferenceFileError) {
    guard let object = node.value.object else {
      throw ReferenceFileError(
        code: "wrong-type", line: line,
        sentence: Sentence("a row must be an object, found \(node.value.sort.words)"))
    }
    if names.isEmpty {
      names = object.paths
      firstLine = line
    }
    try add(line: line) { name throws(ReferenceFileError) in
      guard let found = node.member(at: name[...]) else { return .nothing }
      switch found.value {
      case .null: return .empty
      case .string(let text): return text.isEmpty ? .empty : .text(text)
      case .number(let number): return .text(number.text)
      default:
        throw ReferenceFileError(
          code: "wrong-type", line: line,
          sentence: Sentence(
            "\(name: quoted(name)) must be a string or a number, found \(found.value.sort.words)"
          ))
      }
    }
  }
}

extension JSONNode {
  /// The value under a name, which may have dots, or else at the path that the name is: `metrics.spend`, or `days.0.spend`
  /// for the first element of an array.
  package func member(at path: Substring) -> JSONNode? {
    switch value {
    case .object(let object):
      if let member = object[String(path)] { return member }
      for dot in path.indices where path[dot] == "." {
        guard let member = object[String(path[..<dot])] else { continue }
        if let found = member.member(at: path[path.index(after: dot)...]) { return found }
      }
      return nil
    case .array(let elements):
      let head = path.prefix { $0 != "." }
      guard let index = Int(head), elements.indices.contains(index) else { return nil }
      let rest = path.dropFirst(head.count)
      return rest.isEmpty ? elements[index] : elements[index].member(at: rest.dropFirst())
    default:
      return nil
    }
  }
}

extension JSONObject {
  /// The paths of its texts and numbers, two objects deep, for a person to choose from.
  var paths: [String] { paths(depth: 2) }

  private func paths(depth: Int) -> [String] {
    members.prefix(200).flatMap { member -> [String] in
      guard let inner = member.value.value.object else {
        return member.value.value.array == nil ? [member.name] : []
      }
      return depth == 0 ? [] : inner.paths(depth: depth - 1).map { "\(member.name).\($0)" }
    }
  }
}
