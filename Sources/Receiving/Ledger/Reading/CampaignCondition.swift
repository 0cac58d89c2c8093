/// What a report includes or leaves out by one dimension.
public struct CampaignCondition: Hashable, Sendable {
  public let dimension: CampaignDimension
  /// Whether what fits is left out instead of included.
  public let isExcluded: Bool
  /// What fits: words as the report writes them, in any case, with `*` for any characters; `none` for postbacks without
  /// the dimension.
  public let patterns: [String]

  public init(_ dimension: CampaignDimension, isExcluded: Bool = false, _ patterns: [String]) {
    self.dimension = dimension
    self.isExcluded = isExcluded
    self.patterns = patterns
  }

  /// Whether the report includes a word of the dimension.
  public func admits(_ word: String) -> Bool {
    Self.fits(word, patterns) != isExcluded
  }

  /// Whether a word is as any of the patterns has it, in any case, where `*` stands for any characters.
  public static func fits(_ word: String, _ patterns: [String]) -> Bool {
    patterns.contains { fits(word.lowercased().utf8[...], $0.lowercased().utf8[...]) }
  }

  /// Whether text is as a pattern has it, where `*` stands for any bytes.
  ///
  /// A star takes as little as it can; where the rest does not fit then, the last star takes more.
  private static func fits(_ text: Substring.UTF8View, _ pattern: Substring.UTF8View) -> Bool {
    var (at, of) = (text.startIndex, pattern.startIndex)
    var retry: (at: Substring.UTF8View.Index, of: Substring.UTF8View.Index)?
    while at < text.endIndex {
      if of < pattern.endIndex, pattern[of] == UInt8(ascii: "*") {
        of = pattern.index(after: of)
        retry = (at, of)
      } else if of < pattern.endIndex, pattern[of] == text[at] {
        (at, of) = (text.index(after: at), pattern.index(after: of))
      } else if let last = retry {
        at = text.index(after: last.at)
        of = last.of
        retry = (at, of)
      } else {
        return false
      }
    }
    return pattern[of...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
