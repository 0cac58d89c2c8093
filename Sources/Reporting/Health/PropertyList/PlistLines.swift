/// On which lines of an XML property list its values are, and which keys it has twice.
///
/// It follows the tags of a text that another reader has accepted, and checks nothing itself. Of the binary form, which
/// has no lines, it knows nothing.
struct PlistLines: Sendable {
  /// The line, from 1, of the key or of the element.
  private(set) var lines: [PlistPath: Int] = [:]
  /// Duplicate keys of a dictionary, with the line of the second one.
  private(set) var duplicates: [(path: PlistPath, line: Int)] = []

  private enum Container {
    case dictionary(PlistPath, key: String?)
    case array(PlistPath, count: Int)
  }

  private var open: [Container] = []

  init() {}

  init(xml bytes: [UInt8]) {
    var line = 1
    var at = 0
    func skip(to end: String) {
      let end = Array(end.utf8)
      while at < bytes.count, !bytes[at...].starts(with: end) {
        if bytes[at] == 0x0A { line += 1 }
        at += 1
      }
      at = min(bytes.count, at + end.count)
    }
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "<") else {
        if bytes[at] == 0x0A { line += 1 }
        at += 1
        continue
      }
      if bytes[at...].starts(with: "<!--".utf8) {
        skip(to: "-->")
      } else if bytes[at...].starts(with: "<![CDATA[".utf8) {
        skip(to: "]]>")
      } else {
        let start = (at: at + 1, line: line)
        skip(to: ">")
        let tag = bytes[start.at..<max(start.at, at - 1)]
        let content = bytes[at...].prefix { $0 != UInt8(ascii: "<") }
        take(
          String(decoding: tag, as: UTF8.self), content: String(decoding: content, as: UTF8.self),
          line: start.line)
      }
    }
  }

  private mutating func take(_ tag: String, content: String, line: Int) {
    let isEnd = tag.first == "/"
    let isEmpty = tag.last == "/"
    switch (tag.drop { $0 == "/" }.prefix { $0.isLetter }, isEnd) {
    case ("key", false): beginMember(content, line: line)
    case ("dict", false), ("array", false):
      let path = beginValue(line: line)
      if isEmpty { return }
      open.append(tag.first == "d" ? .dictionary(path, key: nil) : .array(path, count: 0))
    case ("dict", true), ("array", true): _ = open.popLast()
    case ("string", false), ("integer", false), ("real", false), ("true", false), ("false", false),
      ("date", false), ("data", false):
      _ = beginValue(line: line)
    default: break
    }
  }

  private mutating func beginMember(_ name: String, line: Int) {
    guard case .dictionary(let path, _) = open.popLast() else { return }
    open.append(.dictionary(path, key: name))
    let member = path.key(name)
    if lines[member] == nil { lines[member] = line } else { duplicates.append((member, line)) }
  }

  private mutating func beginValue(line: Int) -> PlistPath {
    switch open.popLast() {
    case .dictionary(let path, let key):
      open.append(.dictionary(path, key: nil))
      return path.key(key ?? "")
    case .array(let path, let count):
      open.append(.array(path, count: count + 1))
      let element = path.element(count)
      if lines[element] == nil { lines[element] = line }
      return element
    case nil: return .top
    }
  }
}
