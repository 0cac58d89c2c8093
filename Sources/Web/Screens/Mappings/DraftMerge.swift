import JSONText

/// Two texts of one draft against the text that both were made of, field by field.
struct DraftMerge {
  enum Side: String { case theirs, mine }

  /// A value that the two texts differ in; `nil` where a text lacks it.
  struct Difference {
    let path: JSONPath
    let before: JSONOutput?
    let theirs: JSONOutput?
    let mine: JSONOutput?

    /// The side that changed it; `nil` where both did, or the text before is unknown.
    var changed: Side? { before == theirs ? .mine : before == mine ? .theirs : nil }
  }

  let differences: [Difference]
  private let document: [UInt8]

  /// With more differences there are two texts rather than one that was changed twice.
  private static let most = 200

  /// Compares; `nil` where a text is not JSON, or they differ in too much.
  ///
  /// - Parameter base: The text that both were made of; `nil` where that is unknown.
  init?(base: [UInt8]?, theirs: [UInt8], mine: [UInt8]) {
    guard let theirRoot = try? JSONReader.read(theirs), let myRoot = try? JSONReader.read(mine) else {
      return nil
    }
    let baseRoot = base.flatMap { try? JSONReader.read($0) }
    var found: [Difference] = []
    Self.compare(.root, baseRoot, theirRoot, myRoot, into: &found)
    guard found.count <= Self.most, !found.contains(where: { $0.path.steps.isEmpty }) else { return nil }
    (differences, document) = (found, theirs)
  }

  private static func compare(
    _ path: JSONPath, _ before: JSONNode?, _ theirs: JSONNode?, _ mine: JSONNode?,
    into found: inout [Difference]
  ) {
    guard found.count <= most else { return }
    let (a, b) = (theirs.map { JSONOutput($0.value) }, mine.map { JSONOutput($0.value) })
    guard a != b else { return }
    switch (theirs?.value, mine?.value) {
    case (.object(let their)?, .object(let my)?):
      var names: [String] = []
      for member in their.members + my.members where !names.contains(member.name) {
        names.append(member.name)
      }
      for name in names {
        compare(path.member(name), before?[name], their[name], my[name], into: &found)
      }
    // Lists of other lengths cannot be compared by place.
    case (.array(let their)?, .array(let my)?) where their.count == my.count:
      let old = before?.value.array.flatMap { $0.count == my.count ? $0 : nil }
      for index in my.indices {
        compare(path.element(index), old?[index], their[index], my[index], into: &found)
      }
    default:
      found.append(
        Difference(path: path, before: before.map { JSONOutput($0.value) }, theirs: a, mine: b))
    }
  }

  /// The text with the chosen values; `nil` while a difference has none.
  func merged(_ side: (JSONPath) -> Side?) -> [UInt8]? {
    var edits: [JSONEdit] = []
    for difference in differences {
      guard let side = side(difference.path) else { return nil }
      guard side == .mine else { continue }
      edits.append(difference.mine.map { .set(difference.path, $0) } ?? .remove(difference.path))
    }
    return JSONEdit.apply(edits, to: document)
  }
}
