import Simulation

/// A row with numbers for texts, in seven words of memory; users are distinguished by 96 bits of hash.
///
/// Two users are taken for one only where both hashes agree, which among a thousand million users happens with a
/// chance of one in a hundred thousand million.
struct PackedRow {
  /// Words that a row takes.
  static let width = 7
  private static let noInstall: Int64 = 1 << 54

  /// The first hash of the user, which decides the random draws.
  let key: UInt64
  /// A second, independent hash of the user.
  let check: UInt32
  /// The event's number.
  let name: UInt32
  /// The campaign's number; `nil` where the row names none.
  let campaign: UInt32?
  /// The conversion tag's number; `nil` without one.
  let tag: UInt32?
  /// The number of the user's origin; `nil` if the row does not contain it.
  let origin: UInt32?
  /// The currency's number; `nil` without revenue.
  let currency: Int?
  /// The revenue in millionths.
  let micros: Int64
  /// Milliseconds since 1970.
  let time: Int64
  /// When the app was installed, in milliseconds since 1970; `nil` where the row does not report it.
  let installed: Int64?
  /// The line, from 1, exact below 2^40.
  let line: Int

  /// Adds the row to words.
  func append(to words: inout [UInt64]) {
    words.append(key)
    words.append(UInt64(bitPattern: micros))
    // A time has 49 bits and a listed currency eight; 0 stands for none.
    words.append(UInt64(bitPattern: time << 8) | UInt64((currency ?? -1) + 1))
    words.append(
      UInt64(bitPattern: (installed ?? Self.noInstall) << 8) | UInt64(truncatingIfNeeded: line >> 32) & 0xFF)
    words.append(UInt64(check) << 32 | UInt64(name))
    words.append(UInt64(campaign ?? .max) << 32 | UInt64(truncatingIfNeeded: line) & 0xFFFF_FFFF)
    words.append(UInt64(tag ?? .max) << 32 | UInt64(origin ?? .max))
  }

  init(
    key: UInt64, check: UInt32, name: UInt32, campaign: UInt32?, tag: UInt32?, origin: UInt32?,
    currency: Int?,
    micros: Int64, time: Int64, installed: Int64?, line: Int
  ) {
    self.key = key
    self.check = check
    self.name = name
    self.campaign = campaign
    self.tag = tag
    self.origin = origin
    self.currency = currency
    self.micros = micros
    self.time = time
    self.installed = installed
    self.line = line
  }

  /// Reads a row back.
  init(_ words: [UInt64], at row: Int) {
    let start = row * Self.width
    key = words[start]
    micros = Int64(bitPattern: words[start + 1])
    time = Int64(bitPattern: words[start + 2]) >> 8
    currency = words[start + 2] & 0xFF == 0 ? nil : Int(words[start + 2] & 0xFF) - 1
    let install = Int64(bitPattern: words[start + 3]) >> 8
    installed = install == Self.noInstall ? nil : install
    check = UInt32(words[start + 4] >> 32)
    name = UInt32(truncatingIfNeeded: words[start + 4])
    func optional(_ number: UInt64) -> UInt32? { number == UInt64(UInt32.max) ? nil : UInt32(number) }
    campaign = optional(words[start + 5] >> 32)
    tag = optional(words[start + 6] >> 32)
    origin = optional(words[start + 6] & 0xFFFF_FFFF)
    line = Int((words[start + 3] & 0xFF) << 32 | words[start + 5] & 0xFFFF_FFFF)
  }

  /// Returns the second hash of a user's name: other steps than those of ``Cohort/key(of:)``, so that names on which
  /// one agrees are not more likely to agree on the other.
  static func check(of user: Span<UInt8>) -> UInt32 {
    var hash = UInt64(user.count) &* 0x9E37_79B9_7F4A_7C15
    for index in user.indices {
      hash = (hash ^ UInt64(user[index])) &* 0xBF58_476D_1CE4_E5B9
      hash ^= hash >> 32
    }
    return UInt32(hash >> 32)
  }
}
