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

  enum Group: Equatable {
    case head
    case grid(Int)
    case value(Int)
    case window(Int)
  }

  /// What the value is.
  enum Role: Equatable {
    case name, currency, date, device
    case label, firstValue, value, lock, totals
    /// The name of an event and how often it has to happen.
    case event(Int), times(Int)
    /// The ends of a range of money: of an event, or of all.
    case from(event: Int?), to(event: Int?)
    case fromHour, toHour
    case hours, revenue
    /// A part of the rule for a coarse value.
    case coarseEvent(String), coarseFrom(String), coarseTo(String)
  }

  let group: Group
  let role: Role
  let kind: Kind
  /// The value's place in the text.
  let path: JSONPath
  let value: String

  var name: String { kind == .newEdge ? path.description + "[+]" : path.description }

  /// The values of a window that can lock it.
  static let locks = ["never", "low", "medium", "high"]
  static let coarseValues = ["low", "medium", "high"]
  /// A rule that locks its window.
  static let yes = "true"
  /// How many rules have fields: a rule gives a value at least, and there are 64.
  private static let mostRules = 64
  private static let mostWindows = 3
  /// Fields at most; what is correct has fewer, and the rest of what is not is in the text alone.
  static let most = 1024

  /// The fields of a text, ``most`` at most; none where it can't be read.
  static func all(of root: JSONNode?) -> [DraftField] {
    guard let root else { return [] }
    var list = List(root: root)
    list.readHead()
    for index in (root["grids"]?.value.array ?? []).prefix(mostRules).indices where list.hasRoom {
      list.readGrid(index)
    }
    for index in (root["fine"]?.value.array ?? []).prefix(mostRules).indices where list.hasRoom {
      list.readValue(index)
    }
    for index in (root["coarse"]?.value.array ?? []).prefix(mostWindows).indices { list.readWindow(index) }
    return Array(list.fields.prefix(most))
  }

  /// Where the rule for a coarse value has its amounts: those of its event where it has one and none of all events.
  static func range(of value: String, in window: JSONNode?) -> JSONPath {
    let rule = JSONPath.root.member(value)
    let event = window?[value]?["events"]?.value.array?.first
    let isOfAll = event == nil || window?[value]?["revenue"] != nil
    return (isOfAll ? rule : rule.member("events").element(0)).member("revenue")
  }

  /// Collects fields in the order of the form.
  private struct List {
    let root: JSONNode
    var fields: [DraftField] = []

    var hasRoom: Bool { fields.count < DraftField.most }

    mutating func add(_ group: Group, _ role: Role, _ path: JSONPath, _ kind: Kind = .text) {
      fields.append(
        DraftField(
          group: group, role: role, kind: kind, path: path, value: root.value(at: path)?.plainText ?? ""))
    }

    mutating func readHead() {
      let top = JSONPath.root
      add(.head, .name, top.member("name"))
      add(.head, .currency, top.member("currency"))
      add(.head, .date, top.member("effective-from"), .date)
      add(.head, .device, top.member("protocol"), .choice(["skan3", "skan4", "aak"]))
    }

    mutating func readGrid(_ index: Int) {
      let path = JSONPath.root.member("grids").element(index)
      add(.grid(index), .label, path.member("label"))
      add(.grid(index), .firstValue, path.member("first-value"))
      for event in events(at: path) {
        add(.grid(index), .event(event), path.member("events").element(event))
        add(.grid(index), .times(event), path.member("events").element(event).member("count").member("min"))
      }
      for (member, role) in [("active-hours", Role.hours), ("revenue", .revenue)] {
        let edges = path.member(member)
        guard let list = root.value(at: edges)?.value.array else { continue }
        // A last edge without an amount leaves the range above it open.
        let isOpen = list.last?.value == .null
        for edge in list.prefix(isOpen ? list.count - 1 : DraftField.most).indices.prefix(DraftField.most) {
          add(.grid(index), role, edges.element(edge), .edge)
        }
        fields.append(DraftField(group: .grid(index), role: role, kind: .newEdge, path: edges, value: ""))
      }
    }

    mutating func readValue(_ index: Int) {
      let path = JSONPath.root.member("fine").element(index)
      add(.value(index), .label, path.member("label"))
      add(.value(index), .value, path.member("value"))
      let events = events(at: path)
      for event in events {
        let place = path.member("events").element(event)
        add(.value(index), .event(event), place)
        add(.value(index), .times(event), place.member("count").member("min"))
        add(.value(index), .from(event: event), place.member("revenue").member("from"))
        add(.value(index), .to(event: event), place.member("revenue").member("to"))
      }
      let total = path.member("revenue")
      if events.isEmpty || root.value(at: total) != nil {
        add(.value(index), .from(event: nil), total.member("from"))
        add(.value(index), .to(event: nil), total.member("to"))
      }
      add(.value(index), .fromHour, path.member("active-hours").member("from"))
      add(.value(index), .toHour, path.member("active-hours").member("to"))
      add(.value(index), .lock, path.member("lock"), .choice(["", DraftField.yes]))
    }

    mutating func readWindow(_ index: Int) {
      let path = JSONPath.root.member("coarse").element(index)
      let window = root.value(at: path)
      for value in DraftField.coarseValues where window?[value]?.value.array == nil {
        let rule = path.member(value)
        add(.window(index), .coarseEvent(value), rule.member("events").element(0))
        let range = DraftField.range(of: value, in: window)
        add(.window(index), .coarseFrom(value), path.appending(range).member("from"))
        add(.window(index), .coarseTo(value), path.appending(range).member("to"))
      }
      let locked = DraftField.coarseValues.reversed().first {
        window?[$0]?["lock"]?.value.bool == true
      }
      fields.append(
        DraftField(
          group: .window(index), role: .lock, kind: .lock, path: path.member("lock"),
          value: locked ?? "never"))
      add(.window(index), .totals, path.member("totals"), .choice(["", "window"]))
    }

    private func events(at path: JSONPath) -> Range<Int> {
      (root.value(at: path.member("events"))?.value.array ?? []).prefix(DraftField.mostRules).indices
    }
  }
}

extension JSONPath {
  fileprivate func appending(_ path: JSONPath) -> JSONPath { JSONPath(steps: steps + path.steps) }
}

extension JSONNode {
  subscript(name: String) -> JSONNode? { value.object?[name] }

  /// A value as a field has it: the name of an event that has further members, and nothing for other objects.
  var plainText: String {
    switch value {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let truth): truth ? DraftField.yes : ""
    case .object(let object): object["name"]?.value.string ?? ""
    case .null, .array: ""
    }
  }
}
