/// The digits of a campaign as a small number, which a block of facts has two bytes for: texts of digits by their lengths,
/// then by the numbers that they are, from 0 for no digit.
struct CampaignDigits: Equatable {
  private static let most = 8
  // Written out, so that they are part of the program: they are looked at for each postback.
  /// How many texts are shorter, by length.
  private static let starts: [Int64] = [
    0, 1, 11, 111, 1111, 11_111, 111_111, 1_111_111, 11_111_111, 111_111_111,
  ]
  private static let powers: [Int64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]

  let number: Int64

  init(number: Int64) { self.number = number }

  /// - Returns: No digits for a text that no campaign has.
  init(_ text: String) {
    var value: Int64 = 0
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte), text.utf8.count <= Self.most else {
        number = 0
        return
      }
      value = value * 10 + Int64(byte - 0x30)
    }
    number = Self.starts[text.utf8.count] + value
  }

  var count: Int {
    var count = 0
    while count < Self.most, Self.starts[count + 1] <= number { count += 1 }
    return count
  }

  private var value: Int64 { number - Self.starts[count] }

  var text: String {
    let digits = String(value)
    return count == 0 ? "" : String(repeating: "0", count: count - digits.utf8.count) + digits
  }

  /// The last digits alone; all, where there are fewer.
  func last(_ digits: Int) -> Self {
    let count = count
    return count <= digits
      ? self : Self(number: Self.starts[digits] + (number - Self.starts[count]) % Self.powers[digits])
  }

  /// The code of the campaign by the last digits of a source identifier, `nil` for all: the digits, and in the lowest bit whether
  /// they are a source identifier's.
  func code(isSourceIdentifier: Bool, keeping digits: Int?) -> Int64 {
    guard isSourceIdentifier else { return number << 1 }
    return (digits.map { last($0).number } ?? number) << 1 | 1
  }

  /// A number in the order of the texts.
  var rank: Int64 { value * Self.powers[Self.most - count] * 16 + Int64(count) }
}
