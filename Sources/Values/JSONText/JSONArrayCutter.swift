/// Cuts the elements of one array out of a stream of JSON, so that a document of any size takes little memory.
///
/// Elements are found by brackets and quotation marks, and their bytes are handed on as they are, for the caller to read.
/// What is around the array is kept, with an empty array in its place, and is read strictly at the end.
package struct JSONArrayCutter {
  /// The most bytes of one element.
  package static let longestElement = 1 << 20
  /// The most bytes of what is around the array.
  package static let longestRest = 1 << 20

  /// Why a stream cannot be cut.
  package enum Defect: Error, Hashable, Sendable {
    /// The element of this number, from 1, is longer than ``JSONArrayCutter/longestElement``.
    case longElement(Int)
    /// What is around the array is longer than ``JSONArrayCutter/longestRest``.
    case longRest
    /// A comma without an element on one side of it; the number is that of the missing element, from 1.
    case noElement(Int)
  }

  private struct Frame {
    let isObject: Bool
    /// The ways from here to the array, as far as they are still to go.
    let ways: [Substring]
    var index = 0
  }

  private var rest: [UInt8] = []
  private var frames: [Frame] = []
  /// The ways from the next value to the array; an empty one has arrived.
  private var ways: [Substring]
  private var isInString = false
  private var isEscaped = false
  /// Where the name of a member begins in the rest, while one is read.
  private var nameStart: Int?
  private var expectsName = false
  private var element: [UInt8] = []
  private var depth = 0
  private var isInside = false
  /// Where the array begins in the rest; `nil` where none was found.
  package private(set) var start: Int?
  /// How many elements were cut out.
  package private(set) var count = 0

  /// - Parameter path: The way to the array as ``JSONNode/member(at:)`` takes it; empty where the document is the array.
  package init(path: String) { ways = [path[...]] }

  /// Takes the next bytes of the stream.
  ///
  /// - Parameter elements: Gets the elements that these bytes complete, without white space around them.
  package mutating func append(_ bytes: [UInt8], to elements: inout [[UInt8]]) throws(Defect) {
    var at = 0
    while at < bytes.count {
      at = isInside ? try takeInside(bytes, from: at, &elements) : try takeOutside(bytes, from: at)
    }
  }

  /// Ends the stream.
  ///
  /// - Returns: The document with an empty array in the place of the one that was cut; where that never closes, it is open.
  package func finish() -> [UInt8] { rest }

  private mutating func takeOutside(_ bytes: [UInt8], from start: Int) throws(Defect) -> Int {
    var at = start
    while at < bytes.count, !isInside {
      let byte = bytes[at]
      at += 1
      rest.append(byte)
      if isInString { takeOfString(byte) } else { takeOfStructure(byte) }
    }
    guard rest.count <= Self.longestRest else { throw .longRest }
    return at
  }

  private mutating func takeOfString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      guard let nameStart else { return }
      self.nameStart = nil
      let name = (try? JSONReader.read(Array(rest[nameStart...])))?.value.string
      ways =
        name.map { name in (frames.last?.ways ?? []).compactMap { Self.rest(of: $0, behind: name[...]) } }
        ?? []
    }
  }

  private mutating func takeOfStructure(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      if expectsName { nameStart = rest.count - 1 }
      expectsName = false
    case UInt8(ascii: "{"):
      frames.append(Frame(isObject: true, ways: ways))
      (ways, expectsName) = ([], true)
    case UInt8(ascii: "["):
      if start == nil, ways.contains("") {
        start = rest.count - 1
        (isInside, depth, element) = (true, 0, [])
      } else {
        frames.append(Frame(isObject: false, ways: ways))
        (ways, expectsName) = (waysOfElement, false)
      }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      _ = frames.popLast()
      (ways, expectsName) = ([], false)
    case UInt8(ascii: ","):
      guard let frame = frames.indices.last else { return }
      expectsName = frames[frame].isObject
      frames[frame].index += 1
      ways = expectsName ? [] : waysOfElement
    default: break
    }
  }

  private var waysOfElement: [Substring] {
    guard let frame = frames.last else { return [] }
    return frame.ways.compactMap { Self.rest(of: $0, behind: "\(frame.index)") }
  }

  /// What is left of a way behind a step; `nil` where the way does not begin with it.
  private static func rest(of way: Substring, behind step: Substring) -> Substring? {
    guard way.utf8.starts(with: step.utf8) else { return nil }
    let rest = way[way.utf8.index(way.startIndex, offsetBy: step.utf8.count)...]
    guard let first = rest.utf8.first else { return rest }
    return first == UInt8(ascii: ".") ? rest[rest.utf8.index(after: rest.startIndex)...] : nil
  }

  private mutating func takeInside(
    _ bytes: [UInt8], from start: Int, _ elements: inout [[UInt8]]
  ) throws(Defect) -> Int {
    var at = start
    while at < bytes.count {
      let byte = bytes[at]
      if isEscaped {
        isEscaped = false
      } else if isInString {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isInString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: ",") where depth == 0:
          element += bytes[start..<at]
          try close(&elements, isLast: false)
          return at + 1
        case UInt8(ascii: "]") where depth == 0:
          element += bytes[start..<at]
          try close(&elements, isLast: true)
          rest.append(byte)
          isInside = false
          return at + 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
      at += 1
    }
    element += bytes[start..<at]
    guard element.count <= Self.longestElement else { throw .longElement(count + 1) }
    return at
  }

  private mutating func close(_ elements: inout [[UInt8]], isLast: Bool) throws(Defect) {
    guard element.count <= Self.longestElement else { throw .longElement(count + 1) }
    guard let first = element.firstIndex(where: { !isJSONSpace($0) }),
      let last = element.lastIndex(where: { !isJSONSpace($0) })
    else {
      guard isLast, count == 0 else { throw .noElement(count + 1) }
      element = []
      return
    }
    elements.append(Array(element[first...last]))
    count += 1
    element.removeAll(keepingCapacity: true)
  }
}
