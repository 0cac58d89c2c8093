/// The messages of a language as bytes, one after the other.
///
/// A message is words in UTF-8, with what is between them behind a control character, as `tools/text` writes it: nothing
/// is parsed but the message that is shown, and six languages take a tenth of a megabyte each.
final class TextTable: Sendable {
  /// What is between the words.
  enum Mark {
    static let end: UInt8 = 1
    /// The place of an argument follows.
    static let argument: UInt8 = 2
    /// The place of a number follows, and its forms.
    static let plural: UInt8 = 3
    /// The letter of a category follows, and the words of its form.
    static let form: UInt8 = 4
    /// The place of an argument follows that is a whole number.
    static let number: UInt8 = 5
    static let close: UInt8 = 6
  }

  let bytes: [UInt8]
  private let starts: [Int32]

  private init(_ language: Language) {
    bytes = Array(TextTables.table(language.rawValue).utf8)
    var starts: [Int32] = [0]
    for (place, byte) in bytes.enumerated() where byte == Mark.end { starts.append(Int32(place) + 1) }
    self.starts = starts
  }

  /// The bytes of a message.
  func message(_ number: Int) -> Range<Int> { Int(starts[number])..<Int(starts[number + 1]) - 1 }

  /// The words of a stretch without marks.
  func words(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The table of a language, which is made when it is first asked for.
  static func of(_ language: Language) -> TextTable {
    switch language {
    case .german: german
    case .spanish: spanish
    case .japanese: japanese
    case .chinese: chinese
    case .arabic: arabic
    case .english, .accented, .mirrored: english
    }
  }

  private static let english = TextTable(.english)
  private static let german = TextTable(.german)
  private static let spanish = TextTable(.spanish)
  private static let japanese = TextTable(.japanese)
  private static let chinese = TextTable(.chinese)
  private static let arabic = TextTable(.arabic)
}
