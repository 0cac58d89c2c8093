package import OpenSSL
package import Postbacks
package import Values

/// A value that the binary form of an ``AnyChange`` has.
///
/// Whole numbers are of varying length, seven bits a byte, the sign in the lowest bit; texts and lists begin with their
/// length. There are no names: the order of the fields is the form.
package protocol ChangeField: SendableMetatype {
  func write(to bytes: inout ChangeEncoder)
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect)
}

/// Why bytes are no change.
package enum ChangeDefect: Error, Equatable, Sendable {
  /// They end too early.
  case cutOff
  /// They go on behind the end.
  case tooLong
  /// There is no kind of change of that number.
  case unknownKind(UInt8)
  /// A field has a value that it can't have.
  case badValue(of: String)
  /// The body of a postback is none that can be stored.
  case badBody
}

/// Collects the bytes of a change.
package struct ChangeEncoder {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ fields: any ChangeField...) {
    for field in fields { field.write(to: &self) }
  }

  /// Forgets the bytes and keeps their memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  package mutating func add(byte: UInt8) { bytes.append(byte) }

  mutating func add(unsigned number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Adds the bytes of a text with their number before them.
  mutating func add(text: String) {
    add(unsigned: UInt64(text.utf8.count))
    bytes += text.utf8
  }

  /// Adds bytes with their number before them.
  package mutating func add(bytes added: [UInt8]) {
    add(unsigned: UInt64(added.count))
    bytes += added
  }
}

/// Reads the bytes of a change; whatever they are, it ends with values or a ``ChangeDefect``.
package struct ChangeDecoder {
  private let bytes: [UInt8]
  private var place: Int

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = 0
  }

  package var rest: Int { bytes.count - place }
  /// Whether the bytes ended within a change, so that no next one can be found.
  package private(set) var isCutOff = false

  package mutating func next<Field: ChangeField>(_ type: Field.Type = Field.self) throws(ChangeDefect)
    -> Field
  {
    try Field(from: &self)
  }

  package mutating func byte() throws(ChangeDefect) -> UInt8 {
    guard place < bytes.count else {
      isCutOff = true
      throw .cutOff
    }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func unsigned() throws(ChangeDefect) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let part = try byte()
      // The tenth byte has one bit only.
      guard shift < 63 || part < 2 else { throw .badValue(of: "number") }
      number |= UInt64(part & 0x7F) << shift
      guard part & 0x80 != 0 else { return number }
    }
    throw .badValue(of: "number")
  }

  /// A number of things of which each has a byte at least, so that no more than the bytes is ever allocated.
  mutating func count() throws(ChangeDefect) -> Int {
    let number = try unsigned()
    guard number <= UInt64(rest) else {
      isCutOff = true
      throw .cutOff
    }
    return Int(number)
  }

  /// Bytes with their number before them.
  mutating func someBytes() throws(ChangeDefect) -> [UInt8] {
    let number = try count()
    defer { place += number }
    return Array(bytes[place..<place + number])
  }

  package func requireEnd() throws(ChangeDefect) {
    guard rest == 0 else { throw .tooLong }
  }
}

extension Int64: ChangeField {
  package func write(to bytes: inout ChangeEncoder) {
    bytes.add(unsigned: UInt64(bitPattern: (self << 1) ^ (self >> 63)))
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    let number = try bytes.unsigned()
    self = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}

extension Int: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { Int64(self).write(to: &bytes) }
  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self = Int(try bytes.next(Int64.self))
  }
}

extension UInt8: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { bytes.add(byte: self) }
  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) { self = try bytes.byte() }
}

extension Bool: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { bytes.add(byte: self ? 1 : 0) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    switch try bytes.byte() {
    case 0: self = false
    case 1: self = true
    default: throw .badValue(of: "flag")
    }
  }
}

extension Double: ChangeField {
  package func write(to bytes: inout ChangeEncoder) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.add(byte: UInt8(truncatingIfNeeded: bitPattern >> shift))
    }
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    var pattern: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { pattern |= UInt64(try bytes.byte()) << shift }
    self.init(bitPattern: pattern)
  }
}

extension String: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { bytes.add(text: self) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    guard let text = String(validating: try bytes.someBytes(), as: UTF8.self) else {
      throw .badValue(of: "text")
    }
    self = text
  }
}

extension Array: ChangeField where Element: ChangeField {
  package func write(to bytes: inout ChangeEncoder) {
    // Bodies are bytes, and in their thousands.
    if let own = self as? [UInt8] { return bytes.add(bytes: own) }
    bytes.add(unsigned: UInt64(count))
    for element in self { element.write(to: &bytes) }
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    if let own = Self.self as? [UInt8].Type, let read = try own.init(raw: &bytes) as? Self {
      self = read
      return
    }
    self = []
    for _ in 0..<(try bytes.count()) { append(try bytes.next()) }
  }
}

extension [UInt8] {
  fileprivate init(raw bytes: inout ChangeDecoder) throws(ChangeDefect) { self = try bytes.someBytes() }
}

extension Optional: ChangeField where Wrapped: ChangeField {
  package func write(to bytes: inout ChangeEncoder) {
    bytes.add(byte: self == nil ? 0 : 1)
    self?.write(to: &bytes)
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self = try bytes.next(Bool.self) ? try bytes.next(Wrapped.self) : nil
  }
}

extension ChangeField where Self: RawRepresentable, RawValue: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { rawValue.write(to: &bytes) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    guard let value = Self(rawValue: try bytes.next()) else { throw .badValue(of: "\(Self.self)") }
    self = value
  }
}

extension Instant: ChangeField {
  /// The years 1 to 9999, which every calculation with days and hours takes.
  private static let known: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  package func write(to bytes: inout ChangeEncoder) { milliseconds.write(to: &bytes) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    let milliseconds: Int64 = try bytes.next()
    guard Self.known.contains(milliseconds) else { throw .badValue(of: "moment") }
    self.init(milliseconds: milliseconds)
  }
}

extension Day: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { Int64(number).write(to: &bytes) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    guard let number = Int32(exactly: try bytes.next(Int64.self)) else { throw .badValue(of: "day") }
    self.init(number: number)
  }
}

extension AppID: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { number.write(to: &bytes) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    guard let app = AppID(try bytes.next(Int64.self)) else { throw .badValue(of: "app") }
    self = app
  }
}

extension SHA256Digest: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { bytes.add(hex) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    guard let digest = SHA256Digest(hex: try bytes.next()) else { throw .badValue(of: "digest") }
    self = digest
  }
}
