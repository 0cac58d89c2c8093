package import Values

/// How a language writes numbers and days, for readers without scripts; scripts show numbers as the reader's region does.
///
/// Source: Unicode CLDR, the numbers and the Gregorian calendar of each language, with digits 0 to 9 in all of them.
package struct NumberStyle: Sendable {
  private let language: Language

  package init(_ language: Language) { self.language = language }

  /// The style of the page that is being made.
  package static var ofPage: NumberStyle { NumberStyle(Language.ofPage) }

  /// Whether a comma is before decimals and a point between thousands.
  package var hasDecimalComma: Bool { language == .german || language == .spanish }

  /// A whole number with its thousands set apart.
  package func grouped(_ number: Int64) -> String { local(Values.grouped(number)) }

  /// A number such as `1,234.50` or `12.3 %` as the language writes it; other letters stay.
  package func local(_ neutral: String) -> String {
    guard language != .english else { return neutral }
    var text = neutral
    if hasDecimalComma {
      // Spanish does not set four digits apart.
      let isShort = language == .spanish && neutral.prefix { $0 != "." }.count(where: \.isNumber) < 5
      text = String(
        neutral.compactMap { letter -> Character? in
          switch letter {
          case ",": isShort ? nil : "."
          case ".": ","
          default: letter
          }
        })
    }
    switch language {
    case .japanese, .chinese, .arabic: return text.replacing(" %", with: "%")
    default: return text
    }
  }

  /// Whether the year of a day is before its month.
  package var beginsWithYear: Bool { language == .japanese || language == .chinese }

  /// A day such as `12 Nov`, with the year where `hasYear`.
  package func day(_ day: Day, hasYear: Bool = false) -> String {
    let parts = day.description.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]) else { return day.words(hasYear: hasYear) }
    let (year, month, number) = (parts[0], parts[1], parts[2])
    switch language {
    case .german: return "\(number). \(Self.german[month - 1])" + (hasYear ? " \(year)" : "")
    case .spanish: return "\(number) \(Self.spanish[month - 1])" + (hasYear ? " \(year)" : "")
    case .arabic: return "\(number) \(Self.arabic[month - 1])" + (hasYear ? " \(year)" : "")
    case .japanese, .chinese: return (hasYear ? "\(year)年" : "") + "\(month)月\(number)日"
    case .english, .accented, .mirrored: return day.words(hasYear: hasYear)
    }
  }

  /// A moment such as `12 Nov 2026, 14:05 UTC`.
  package func moment(_ moment: Instant) -> String {
    let clock = moment.description.dropFirst(11).prefix(5)
    let separator =
      switch language {
      case .japanese, .chinese: " "
      case .arabic: "، "
      default: ", "
      }
    return "\(day(moment.day, hasYear: true))\(separator)\(clock) UTC"
  }

  private static let german = [
    "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez.",
  ]
  private static let spanish = [
    "ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic",
  ]
  private static let arabic = [
    "يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر",
    "ديسمبر",
  ]
}
