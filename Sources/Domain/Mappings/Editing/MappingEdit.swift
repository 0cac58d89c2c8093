public import JSONText

/// A step of building a mapping file: what a button of a form does.
///
/// Values stay in one row: what a step makes larger moves the values behind it up, and what it makes smaller moves
/// them back, so that no two rules come to share a value.
public enum MappingEdit: Equatable, Sendable {
  /// Adds an element at the end of a list, or a list that an object lacks: `$.grids`, `$.grids[0].events`,
  /// `$.grids[0].revenue`, `$.fine`, `$.coarse`.
  case add(JSONPath)
  /// Deletes an element, or the whole list of a grid.
  case remove(JSONPath)
  /// Exchanges an element with the one before it, and their values.
  case moveUp(JSONPath)
  /// Exchanges an element with the one behind it, and their values.
  case moveDown(JSONPath)
  /// Adds an edge of ranges between that one and the next.
  case insertAfter(JSONPath)
  /// Puts amounts or hours, as someone wrote them, in the place of all edges of a grid.
  case replaceEdges(JSONPath, String)

  /// Makes the step.
  ///
  /// - Returns: The text after it; `nil` where the text is not JSON, or has nothing that the step is for.
  public func applied(to bytes: [UInt8]) -> [UInt8]? {
    guard let root = try? JSONReader.read(bytes, allowingDuplicates: true) else { return nil }
    var rules = RuleLists(root)
    guard rules.make(self) else { return nil }
    return JSONEdit.apply(rules.edits, to: bytes)
  }
}

extension MappingEdit {
  /// Moves the values behind grids that became larger or smaller since an earlier state of the same file.
  public static func makingRoom(in bytes: [UInt8], since earlier: [UInt8]) -> [UInt8] {
    guard let before = try? JSONReader.read(earlier, allowingDuplicates: true),
      let after = try? JSONReader.read(bytes, allowingDuplicates: true)
    else { return bytes }
    var rules = RuleLists(after)
    rules.resize(since: RuleLists(before))
    return JSONEdit.apply(rules.edits, to: bytes) ?? bytes
  }

  /// Reads a step from the value of a button: a word and a path, such as `add $.grids`.
  ///
  /// - Parameter fields: What was filled in beside the button: the number of an edge, or a list of edges.
  public init?(_ text: String, fields: (String) -> String?) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, let word = Word(rawValue: parts[0]), let path = JSONPath(parts[1]) else {
      return nil
    }
    let chosen = fields("at:\(path)").flatMap { Int($0) }.map { path.element(max(0, $0)) }
    switch word {
    case .add: self = .add(path)
    case .remove: self = .remove(path)
    case .up: self = .moveUp(path)
    case .down: self = .moveDown(path)
    case .insert:
      guard let chosen else { return nil }
      self = .insertAfter(chosen)
    case .removeEdge:
      guard let chosen else { return nil }
      self = .remove(chosen)
    case .list: self = .replaceEdges(path, fields("list:\(path)") ?? "")
    }
  }

  /// The words of buttons; the raw value is what a form sends.
  public enum Word: String, Sendable {
    case add, remove, up, down, list
    /// Inserts behind the edge that the field `at:` and the path names.
    case insert
    /// Removes the edge that the field `at:` and the path names.
    case removeEdge = "remove-edge"
  }
}
