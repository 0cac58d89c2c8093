import JSONText
import Values

/// The lists of rules of a mapping file, as they are written.
struct RuleLists {
  var grids: [JSONOutput]
  var fine: [JSONOutput]
  var coarse: [JSONOutput]
  private let before: JSONNode

  init(_ root: JSONNode) {
    func list(_ name: String) -> [JSONOutput] {
      root.value.object?[name]?.value.array?.map { JSONOutput($0.value) } ?? []
    }
    before = root
    (grids, fine, coarse) = (list("grids"), list("fine"), list("coarse"))
  }

  /// What makes the file the same as these lists.
  var edits: [JSONEdit] {
    [("grids", grids), ("fine", fine), ("coarse", coarse)].compactMap { name, list in
      let path = JSONPath.root.member(name)
      let old = before.value.object?[name].map { JSONOutput($0.value) }
      if list.isEmpty { return old == nil ? nil : .remove(path) }
      return old == .array(list) ? nil : .set(path, .array(list))
    }
  }

  /// Makes a step; `false` where there is nothing that it is for.
  mutating func make(_ edit: MappingEdit) -> Bool {
    switch edit {
    case .add(let path): add(Place(path))
    case .remove(let path): remove(Place(path))
    case .moveUp(let path): move(Place(path), by: -1)
    case .moveDown(let path): move(Place(path), by: 1)
    case .insertAfter(let path): insert(after: Place(path))
    case .replaceEdges(let path, let text): replaceEdges(Place(path), text)
    }
  }

  /// What a path leads to.
  private enum Place {
    case grids, fine, coarse
    case grid(Int)
    case value(Int)
    case window(Int)
    case events(List, Int)
    case event(List, Int, Int)
    case edges(Int, Edges)
    case edge(Int, Edges, Int)
    case nothing

    init(_ path: JSONPath) {
      var rest = path.steps[...]
      func element() -> Int? {
        guard case .element(let index)? = rest.first else { return nil }
        rest.removeFirst()
        return index
      }
      guard case .member(let list)? = rest.popFirst() else {
        self = .nothing
        return
      }
      let index = element()
      let member = rest.popFirst()
      let inner = element()
      self =
        switch (list, index, member, inner) {
        case ("grids", nil, nil, nil): .grids
        case ("fine", nil, nil, nil): .fine
        case ("coarse", nil, nil, nil): .coarse
        case ("grids", let index?, nil, nil): .grid(index)
        case ("fine", let index?, nil, nil): .value(index)
        case ("coarse", let index?, nil, nil): .window(index)
        case ("grids", let index?, .member("events"), nil): .events(.grids, index)
        case ("fine", let index?, .member("events"), nil): .events(.fine, index)
        case ("grids", let index?, .member("events"), let inner?): .event(.grids, index, inner)
        case ("fine", let index?, .member("events"), let inner?): .event(.fine, index, inner)
        case ("grids", let index?, .member(let name), let inner):
          Edges(rawValue: name).map { edges in inner.map { .edge(index, edges, $0) } ?? .edges(index, edges) }
            ?? .nothing
        default: .nothing
        }
      if !rest.isEmpty { self = .nothing }
    }
  }

  private enum List { case grids, fine }

  private enum Edges: String {
    case hours = "active-hours"
    case revenue
  }

  /// Moves the values behind grids that have another number of values than in an earlier state of the file.
  mutating func resize(since earlier: RuleLists) {
    guard earlier.grids.count == grids.count else { return }
    for index in grids.indices where grids[index] != earlier.grids[index] {
      dropWorths(of: index)
      resize(grid: index, from: earlier.grids[index])
    }
  }

  /// Amounts that count for each range are those of other ranges once their number differs; then the middle counts.
  private mutating func dropWorths(of index: Int) {
    guard case .array(let worths)? = grids[index]["worth"] else { return }
    if worths.count != (grids[index]["revenue"]?.elements.count ?? 1) - 1 { grids[index]["worth"] = nil }
  }

  // MARK: Steps

  private mutating func add(_ place: Place) -> Bool {
    switch place {
    case .grids:
      guard let free = freeValue else { return false }
      let room = JSONOutput.integer(Int64(free))
      grids.append(["first-value": room, "revenue": .array([1, 5, 20].prefix(65 - free).map { $0 })])
      return free < 63
    case .fine:
      guard let free = freeValue else { return false }
      fine.append(["value": .integer(Int64(free)), "events": [.string(newEvent)]])
    case .coarse: return addWindow()
    case .events(.grids, let index):
      let event = JSONOutput.string(newEvent)
      return change(grid: index) { $0.append(event, to: "events") }
    case .events(.fine, let index):
      guard fine.indices.contains(index) else { return false }
      fine[index].append(.string(newEvent), to: "events")
    case .edges(let index, .hours):
      return change(grid: index) { if $0["active-hours"] == nil { $0["active-hours"] = [0, 24, 48] } }
    case .edges(let index, .revenue):
      return change(grid: index) { if $0["revenue"] == nil { $0["revenue"] = [1, 5, 20] } }
    default: return false
    }
    return true
  }

  private mutating func remove(_ place: Place) -> Bool {
    switch place {
    case .grid(let index):
      guard grids.indices.contains(index) else { return false }
      close(Block(grids[index]), to: 0, at: (.grids, index))
      grids.remove(at: index)
    case .value(let index):
      guard fine.indices.contains(index) else { return false }
      close(Block(fine[index]), to: 0, at: (.fine, index))
      fine.remove(at: index)
    case .window(let index):
      guard coarse.indices.contains(index) else { return false }
      coarse.remove(at: index)
    case .event(.grids, let index, let event):
      return change(grid: index) { $0.remove(event, of: "events", least: 1) }
    case .event(.fine, let index, let event):
      guard fine.indices.contains(index) else { return false }
      fine[index].remove(event, of: "events", least: 1)
    case .edges(let index, let edges): return change(grid: index) { $0[edges.rawValue] = nil }
    case .edge(let index, let edges, let edge):
      return change(grid: index) { $0.remove(edge, of: edges.rawValue, least: 2) }
    default: return false
    }
    return true
  }

  private mutating func move(_ place: Place, by step: Int) -> Bool {
    switch place {
    case .grid(let index): return Self.exchange(&grids, index, index + step, "first-value")
    case .value(let index): return Self.exchange(&fine, index, index + step, "value")
    case .window(let index): return Self.exchange(&coarse, index, index + step, "")
    case .event(.grids, let index, let event):
      guard grids.indices.contains(index) else { return false }
      return grids[index].exchange(event, event + step, of: "events")
    case .event(.fine, let index, let event):
      guard fine.indices.contains(index) else { return false }
      return fine[index].exchange(event, event + step, of: "events")
    default: return false
    }
  }

  /// Exchanges two neighbours, which together keep their values.
  private static func exchange(
    _ list: inout [JSONOutput], _ one: Int, _ other: Int, _ member: String
  ) -> Bool {
    guard list.indices.contains(one), list.indices.contains(other) else { return false }
    list.swapAt(one, other)
    guard let a = Block(list[one]), let b = Block(list[other]), a.size > 0, b.size > 0 else { return true }
    let (low, high) = (min(a.first, b.first), max(a.first + a.size, b.first + b.size))
    let (newA, newB) = a.first > b.first ? (low, high - b.size) : (high - a.size, low)
    list[one][member] = .integer(Int64(newA))
    list[other][member] = .integer(Int64(newB))
    return true
  }

  private mutating func insert(after place: Place) -> Bool {
    guard case .edge(let index, let edges, let edge) = place, grids.indices.contains(index) else {
      return false
    }
    let list = grids[index][edges.rawValue]?.elements ?? []
    guard list.indices.contains(edge), let low = list[edge].amount else { return false }
    let next = edge + 1 < list.count ? list[edge + 1].amount : nil
    let between = edges == .hours ? low.hourBetween(next) : low.between(next)
    guard let between else { return false }
    return change(grid: index) { grid in
      grid[edges.rawValue]?.elements.insert(between.json(like: list[edge]), at: edge + 1)
    }
  }

  private mutating func replaceEdges(_ place: Place, _ text: String) -> Bool {
    guard case .edges(let index, let edges) = place else { return false }
    // One a line, or with spaces or semicolons between; a comma with a space behind it counts as one too.
    func isBetween(_ letter: Character) -> Bool { letter.isWhitespace || letter == ";" || letter == "–" }
    let words = text.replacing(", ", with: " ").split(whereSeparator: isBetween).flatMap { word in
      // In a line without any space commas can only be between the amounts.
      text.contains(where: isBetween) ? [word] : word.split(separator: ",")
    }
    let list = words.prefix(65).map { word -> JSONOutput in
      JSONNumber(String(word)).map { .number($0) } ?? .string(String(word))
    }
    guard list.count >= 2 else { return false }
    return change(grid: index) { $0[edges.rawValue] = .array(Array(list)) }
  }

  private mutating func addWindow() -> Bool {
    let used = Set(coarse.compactMap { $0["window"]?.whole })
    guard let window = (1...3).first(where: { !used.contains($0) }) else { return false }
    let edges = grids.lazy.compactMap { $0["revenue"]?.elements }.max { $0.count < $1.count } ?? []
    // Ends of coarse ranges that are edges of fine ones never fall while fine values rise.
    let ends: [JSONOutput] =
      edges.count >= 4
      ? [edges[edges.count / 3], edges[edges.count * 2 / 3], edges[edges.count - 1]] : [1, 10, 50]
    func range(_ from: JSONOutput, _ to: JSONOutput) -> JSONOutput { ["revenue": ["from": from, "to": to]] }
    coarse.append([
      "window": .integer(Int64(window)), "low": range(0, ends[0]), "medium": range(ends[0], ends[1]),
      "high": ["revenue": ["from": ends[1], "representative": ends[2]]],
    ])
    return true
  }

  // MARK: Values

  /// The values of a grid or of a rule of its own.
  private struct Block {
    var first: Int
    var size: Int

    init(first: Int, size: Int) { (self.first, self.size) = (first, size) }

    /// The most that a first value can be: steps move values beyond the 64, and back.
    private static let most = 1 << 20

    init?(_ rule: JSONOutput) {
      guard let first = (rule["first-value"] ?? rule["value"])?.whole, (0...Self.most).contains(first) else {
        return nil
      }
      self.first = first
      size = 1
      if rule["first-value"] != nil {
        let sizes = [
          max(1, rule["events"]?.elements.count ?? 0),
          max(1, (rule["active-hours"]?.elements.count ?? 0) - 1),
          max(1, (rule["revenue"]?.elements.count ?? 0) - 1),
        ]
        size = sizes.reduce(1) { $0 * min($1, 1 << 20) }
      }
    }
  }

  /// The value behind all that there are; `nil` where 63 is one of them.
  private var freeValue: Int? {
    let ends = (grids + fine).compactMap { Block($0) }.map { $0.first + $0.size }
    let free = ends.max() ?? 1
    return (0...63).contains(free) ? free : nil
  }

  private mutating func change(grid index: Int, _ body: (inout JSONOutput) -> Void) -> Bool {
    guard grids.indices.contains(index) else { return false }
    let old = grids[index]
    var new = old
    body(&new)
    guard new != old else { return false }
    grids[index] = new
    dropWorths(of: index)
    resize(grid: index, from: old)
    return true
  }

  /// Moves the values behind a grid that has another number of values than it had.
  mutating func resize(grid index: Int, from old: JSONOutput) {
    guard let now = Block(grids[index]), let before = Block(old) else { return }
    close(Block(first: now.first, size: before.size), to: now.size, at: (.grids, index))
  }

  private mutating func close(_ block: Block?, to size: Int, at place: (list: List, index: Int)) {
    // The value of plain installs stays what it is.
    guard let block, block.size != size, block.first > 0 || size > 0, size <= 64 else { return }
    let all =
      grids.enumerated().map { (List.grids, $0, Block($1)) }
      + fine.enumerated().map { (.fine, $0, Block($1)) }
    var behind = all.compactMap { list, index, other -> (list: List, index: Int, block: Block)? in
      guard let other, (list, index) != place, other.first >= block.first + block.size else { return nil }
      return (list, index, other)
    }
    behind.sort { $0.block.first < $1.block.first }
    var (oldEnd, newEnd) = (block.first + block.size, block.first + size)
    for (list, index, other) in behind {
      // Values that were left free stay so while there is room.
      guard other.first <= oldEnd || other.first < newEnd else { return }
      let first = other.first <= oldEnd ? other.first + newEnd - oldEnd : newEnd
      (oldEnd, newEnd) = (max(oldEnd, other.first + other.size), max(newEnd, first + other.size))
      switch list {
      case .grids: grids[index]["first-value"] = .integer(Int64(first))
      case .fine: fine[index]["value"] = .integer(Int64(first))
      }
    }
  }

  /// A name that no event has.
  private var newEvent: String {
    let known = Set(
      (grids + fine).flatMap { $0["events"]?.elements ?? [] }.compactMap { $0["name"]?.text ?? $0.text })
    return (1...known.count + 1).lazy.map { $0 == 1 ? "new_event" : "new_event_\($0)" }
      .first { !known.contains($0) } ?? "new_event"
  }
}
