/// Writes a large JSON text piece by piece, in the bytes that ``JSONOutput`` would have, pretty.
public struct JSONWriter: Sendable {
  /// What holds other values.
  public enum Container: Sendable {
    case array
    case object
  }

  private var bytes: [UInt8] = []
  private var open: [(container: Container, isEmpty: Bool)] = []

  public init() {}

  public var count: Int { bytes.count }

  public mutating func take() -> String {
    defer { bytes.removeAll(keepingCapacity: true) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Begins an array or an object; with a name in an object, without one elsewhere.
  public mutating func open(_ container: Container, _ name: String? = nil) {
    begin(name)
    bytes.append(UInt8(ascii: container == .array ? "[" : "{"))
    open.append((container, true))
  }

  /// Ends the array or object that was begun last.
  public mutating func close() {
    guard let (container, isEmpty) = open.popLast() else { return }
    if !isEmpty { indent(&bytes, level: open.count) }
    bytes.append(UInt8(ascii: container == .array ? "]" : "}"))
  }

  public mutating func add(_ name: String, _ value: JSONOutput) {
    begin(name)
    value.append(to: &bytes, level: open.count)
  }

  /// Adds an element to an array, or the whole text.
  public mutating func add(_ value: JSONOutput) {
    begin(nil)
    value.append(to: &bytes, level: open.count)
  }

  private mutating func begin(_ name: String?) {
    guard !open.isEmpty else { return }
    breakLine(in: &bytes, isFirst: open[open.count - 1].isEmpty, level: open.count)
    open[open.count - 1].isEmpty = false
    guard let name else { return }
    appendJSONString(name, to: &bytes)
    bytes += ": ".utf8
  }
}
