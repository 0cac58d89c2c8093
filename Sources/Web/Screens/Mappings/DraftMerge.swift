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
    case (.array(let their)?, .array(let my)?) where Rules.areOfOthers(path, their, my):
      let old = Rules(path, before?.value.array ?? [])
      guard let theirs = Rules(path, their), let mine = Rules(path, my) else { return }
      for key in theirs.keys + mine.keys.filter({ theirs[$0] == nil }) where theirs[key] != mine[key] {
        found.append(
          Difference(path: path.member(key), before: old?[key], theirs: theirs[key], mine: mine[key]))
      }
    // Other lists of other lengths cannot be compared by place.
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
    var lists: [JSONPath: Rules] = [:]
    let root = try? JSONReader.read(document)
    for difference in differences {
      guard let side = side(difference.path) else { return nil }
      guard side == .mine else { continue }
      let list = difference.path.parent
      if case .member(let key)? = difference.path.steps.last,
        let rules = lists[list] ?? Rules(list, root?.value(at: list)?.value.array ?? [])
      {
        lists[list] = rules.with(difference.mine, at: key)
        continue
      }
      edits.append(difference.mine.map { .set(difference.path, $0) } ?? .remove(difference.path))
    }
    edits += lists.map { .set($0.key, .array($0.value.list)) }
    return JSONEdit.apply(edits, to: document)
  }
}

/// The rules of one of a mapping's lists by the number that each has of its own.
private struct Rules {
  private static let numbers = ["fine": "value", "grids": "first-value", "coarse": "window"]

  private(set) var keys: [String] = []
  private var rules: [String: JSONOutput] = [:]

  var list: [JSONOutput] { keys.compactMap { rules[$0] } }

  subscript(key: String) -> JSONOutput? { rules[key] }

  /// `nil` for any other list, and where two rules have one number or a rule has none.
  init?(_ path: JSONPath, _ list: [JSONNode]) {
    guard path.steps.count == 1, case .member(let name) = path.steps[0], let number = Self.numbers[name]
    else {
      return nil
    }
    for rule in list {
      guard let key = rule[number]?.plainText, rules.updateValue(JSONOutput(rule.value), forKey: key) == nil
      else { return nil }
      keys.append(key)
    }
  }

  /// Whether two lists have rules of other numbers, or in another order, so that places mean nothing.
  static func areOfOthers(_ path: JSONPath, _ their: [JSONNode], _ my: [JSONNode]) -> Bool {
    guard let theirs = Rules(path, their), let mine = Rules(path, my) else { return false }
    return theirs.keys != mine.keys
  }

  /// The same with another rule of that number, or without it; a new one comes last.
  func with(_ rule: JSONOutput?, at key: String) -> Rules {
    var rules = self
    rules.rules[key] = rule
    rules.keys = keys.filter { $0 != key || rule != nil } + (rule != nil && !keys.contains(key) ? [key] : [])
    return rules
  }
}
