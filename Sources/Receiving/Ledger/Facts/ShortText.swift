/// A text of a few letters, such as the digits of a campaign, as one number: a report compares it for every postback.
struct ShortText: Hashable {
  private static let most = 7

  /// The last seven bytes at most, from the left, so that numbers are in the order of text.
  let number: Int64
  /// The bytes of the whole text.
  let count: Int

  init(_ bytes: some BidirectionalCollection<UInt8>) {
    count = bytes.count
    var number: Int64 = 0
    for byte in bytes.suffix(Self.most) { number = number << 8 | Int64(byte) }
    self.number = number << Int64(8 * (Self.most - min(count, Self.most)))
  }

  /// The number of the last bytes alone; of all, where there are fewer.
  func number(ofLast bytes: Int) -> Int64 {
    let extra = min(count, Self.most) - bytes
    return extra <= 0 ? number : number << Int64(8 * extra) & (1 << Int64(8 * Self.most) - 1)
  }

  static func text(_ number: Int64) -> String {
    let bytes = (0..<Int64(most)).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
  }
}
