/// The digits of a campaign as a small number, which a block of facts has two bytes for: texts of digits by their lengths,
/// then by the numbers that they are, from 0 for no digit.
struct CampaignDigits: Hashable {
  private static let most = 8
  /// How many texts are shorter, by length.
  private static let starts: [Int64] = (0...most).reduce(into: [0]) { starts, length in
    starts.append(starts[length] * 10 + 1)
  }
  private static let powers: [Int64] = (0...most).reduce(into: [1]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }

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

  var count: Int { (Self.starts.firstIndex { $0 > number } ?? Self.most + 1) - 1 }

  private var value: Int64 { number - Self.starts[count] }

  var text: String {
    let digits = String(value)
    return count == 0 ? "" : String(repeating: "0", count: count - digits.utf8.count) + digits
  }

  /// The last digits alone; all, where there are fewer.
  func last(_ digits: Int) -> Self {
    count <= digits ? self : Self(number: Self.starts[digits] + value % Self.powers[digits])
  }

  /// A number in the order of the texts.
  var rank: Int64 { value * Self.powers[Self.most - count] * 16 + Int64(count) }
}
