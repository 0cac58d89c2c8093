/// The place up to which a text has been read, and the rules for reading on.
struct JSONScanner {
  let bytes: [UInt8]
  var at: Int
  let depthLimit: Int
  let allowsDuplicates: Bool
  /// The steps to a defect from the innermost out, noted only while a defect is on its way up.
  var trail: [JSONPath.Step] = []

  /// Reads the value at the present place; recursion ends at the depth limit.
  mutating func value(depth: Int) throws(JSONDefect) -> JSONNode {
    skipSpace()
    guard at < bytes.count else { throw JSONDefect(.unexpectedEnd, offset: at) }
    let start = at
    let value: JSONValue
    switch bytes[at] {
    case UInt8(ascii: "\""): value = .string(try string())
    case UInt8(ascii: "{"): value = .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): value = .array(try array(depth: depth + 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = .number(try number())
    case UInt8(ascii: "t"):
      try word("true")
      value = .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      value = .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      value = .null
    default: throw JSONDefect(.unexpectedCharacter, offset: at)
    }
    return JSONNode(value: value, range: start..<at)
  }

  mutating func skipSpace() {
    while at < bytes.count, isJSONSpace(bytes[at]) { at += 1 }
  }

  private mutating func object(depth: Int) throws(JSONDefect) -> JSONObject {
    guard depth <= depthLimit else { throw JSONDefect(.tooDeep, offset: at) }
    at += 1
    var members: [JSONMember] = []
    var names: Set<ByteName> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return JSONObject(members: []) }
    members.reserveCapacity(12)
    while true {
      skipSpace()
      guard at < bytes.count else { throw JSONDefect(.unexpectedEnd, offset: at) }
      guard bytes[at] == UInt8(ascii: "\"") else { throw JSONDefect(.unexpectedCharacter, offset: at) }
      let start = at
      let name = try string()
      let nameRange = start..<at
      if !allowsDuplicates, isDuplicate(name, among: members, noting: &names) {
        trail.append(.member(name))
        throw JSONDefect(.duplicateMember, offset: start)
      }
      skipSpace()
      try expect(UInt8(ascii: ":"))
      do {
        members.append(JSONMember(name: name, nameRange: nameRange, value: try value(depth: depth)))
      } catch {
        trail.append(.member(name))
        throw error
      }
      skipSpace()
      if take(UInt8(ascii: "}")) { return JSONObject(members: members) }
      try expect(UInt8(ascii: ","))
    }
  }

  private func isDuplicate(_ name: String, among members: [JSONMember], noting names: inout Set<ByteName>)
    -> Bool
  {
    guard members.count >= ByteName.fewMembers else {
      let length = name.utf8.count
      for place in members.indices where members[place].nameLength == length {
        if haveSameBytes(members[place].name, name) { return true }
      }
      return false
    }
    if names.isEmpty { names = Set(members.map { ByteName(text: $0.name) }) }
    return !names.insert(ByteName(text: name)).inserted
  }

  private mutating func array(depth: Int) throws(JSONDefect) -> [JSONNode] {
    guard depth <= depthLimit else { throw JSONDefect(.tooDeep, offset: at) }
    at += 1
    var elements: [JSONNode] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      do {
        elements.append(try value(depth: depth))
      } catch {
        trail.append(.element(elements.count))
        throw error
      }
      skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      try expect(UInt8(ascii: ","))
    }
  }

  /// Reads a number.
  ///
  /// Source: RFC 8259, section 6.
  private mutating func number() throws(JSONDefect) -> JSONNumber {
    let start = at
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if at < bytes.count, isDigit(bytes[at]) { throw JSONDefect(.invalidNumber, offset: at) }
    } else {
      try digits()
    }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      try digits()
    }
    return JSONNumber(unchecked: String(decoding: bytes[start..<at], as: UTF8.self))
  }

  private mutating func digits() throws(JSONDefect) {
    let start = at
    while at < bytes.count, isDigit(bytes[at]) { at += 1 }
    guard at == start else { return }
    throw JSONDefect(at == bytes.count ? .unexpectedEnd : .invalidNumber, offset: at)
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private mutating func word(_ letters: String) throws(JSONDefect) {
    for letter in letters.utf8 { try expect(letter) }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  mutating func expect(_ byte: UInt8) throws(JSONDefect) {
    guard at < bytes.count else { throw JSONDefect(.unexpectedEnd, offset: at) }
    guard bytes[at] == byte else { throw JSONDefect(.unexpectedCharacter, offset: at) }
    at += 1
  }
}
