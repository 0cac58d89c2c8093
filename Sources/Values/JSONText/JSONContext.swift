/// What a strict reader knows when it stops at a byte: which brackets are open, and what may follow.
///
/// Everything in front of that byte was read as JSON, so that brackets and quotation marks are enough.
struct JSONContext {
  enum Expected {
    case value
    case valueOrEnd
    case name
    case nameOrEnd
    case colon
    case commaOrEnd
    case nothing
  }

  struct Bracket {
    let byte: UInt8
    let offset: Int

    var closing: String { byte == UInt8(ascii: "{") ? "}" : "]" }
    var text: String { byte == UInt8(ascii: "{") ? "{" : "[" }
  }

  private(set) var open: [Bracket] = []
  private(set) var expected = Expected.value
  private(set) var string: Int?
  /// The last token in front of the byte.
  private(set) var token: Range<Int> = 0..<0
  /// Whether that token is a word or a number, and reaches up to the byte.
  private(set) var isInWord = false

  /// Walks up to a byte.
  ///
  /// - Complexity: Linear in `offset`.
  init(_ bytes: [UInt8], before offset: Int) {
    let offset = min(offset, bytes.count)
    var at = 0
    while at < offset {
      let start = at
      let byte = bytes[at]
      at += 1
      if isJSONSpace(byte) { continue }
      switch byte {
      case UInt8(ascii: "\""):
        while at < offset, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        guard at < offset else {
          string = start
          return
        }
        at += 1
        if case .name = expected {
          expected = .colon
        } else if case .nameOrEnd = expected {
          expected = .colon
        } else {
          endValue()
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(Bracket(byte: byte, offset: start))
        expected = byte == UInt8(ascii: "{") ? .nameOrEnd : .valueOrEnd
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if !open.isEmpty { open.removeLast() }
        endValue()
      case UInt8(ascii: ","): expected = open.last?.byte == UInt8(ascii: "{") ? .name : .value
      case UInt8(ascii: ":"): expected = .value
      default:
        while at < offset, Self.isWordByte(bytes[at]) { at += 1 }
        isInWord = at == offset
        endValue()
      }
      token = start..<at
    }
  }

  private mutating func endValue() { expected = open.isEmpty ? .nothing : .commaOrEnd }

  /// Whether a byte can be part of a number or of a word without quotation marks.
  static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
      || [UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
  }
}
