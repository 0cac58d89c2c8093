/// What has to be replaced in one text to get another: one stretch, without what both begin and end with.
public struct TextChange: Equatable, Sendable {
  /// The bytes to replace.
  public let range: Range<Int>
  /// What takes their place.
  public let text: String

  /// Compares two texts in UTF-8.
  public init(from old: [UInt8], to new: [UInt8]) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    // A letter is replaced as a whole.
    while start > 0, Self.continues(old, start) || Self.continues(new, start) { start -= 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    while end > 0, Self.continues(old, old.count - end) { end -= 1 }
    range = start..<old.count - end
    text = String(decoding: new[start..<new.count - end], as: UTF8.self)
  }

  /// The range as scripts of a browser count it, in units of UTF-16.
  public func rangeInUTF16(of old: [UInt8]) -> Range<Int> {
    let start = Self.units(old[..<range.lowerBound])
    return start..<start + Self.units(old[range])
  }

  private static func continues(_ bytes: [UInt8], _ index: Int) -> Bool {
    index < bytes.count && bytes[index] & 0xC0 == 0x80
  }

  private static func units(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
  }
}
