import Simulation

/// A row with numbers for texts, in seven words of memory; users are distinguished by 96 bits of hash.
///
/// Two users are taken for one only where both hashes agree, which among a thousand million users happens with a
/// chance of one in a hundred thousand million. What a caller does not ask for is not unpacked.
struct PackedRow {
  /// Words that a row takes.
  static let width = 7
  private static let noInstall: Int64 = 1 << 54

  /// The first hash of the user, which decides the random draws.
  let key: UInt64
  private let amount: UInt64
  /// A time has 49 bits and a listed currency eight; 0 stands for none.
  private let timeAndCurrency: UInt64
  /// The line's upper eight bits are below the install.
  private let installAndLine: UInt64
  private let checkAndName: UInt64
  private let campaignAndLine: UInt64
  private let tagAndOrigin: UInt64

  /// A second, independent hash of the user.
  @inline(__always) var check: UInt32 { UInt32(truncatingIfNeeded: checkAndName >> 32) }
  /// The event's number.
  @inline(__always) var name: UInt32 { UInt32(truncatingIfNeeded: checkAndName) }
  /// The campaign's number; `nil` where the row names none.
  @inline(__always) var campaign: UInt32? { Self.number(campaignAndLine >> 32) }
  /// The conversion tag's number; `nil` without one.
  @inline(__always) var tag: UInt32? { Self.number(tagAndOrigin >> 32) }
  /// The number of the user's origin; `nil` if the row does not contain it.
  @inline(__always) var origin: UInt32? { Self.number(tagAndOrigin) }
  /// The currency's number; `nil` without revenue.
  @inline(__always) var currency: Int? {
    let number = Int(truncatingIfNeeded: timeAndCurrency & 0xFF)
    return number == 0 ? nil : number - 1
  }
  /// The revenue in millionths.
  @inline(__always) var micros: Int64 { Int64(bitPattern: amount) }
  /// Milliseconds since 1970.
  @inline(__always) var time: Int64 { Int64(bitPattern: timeAndCurrency) >> 8 }
  /// When the app was installed, in milliseconds since 1970; `nil` where the row does not report it.
  @inline(__always) var installed: Int64? {
    let install = Int64(bitPattern: installAndLine) >> 8
    return install == Self.noInstall ? nil : install
  }
  /// The line, from 1, exact below 2^40.
  @inline(__always) var line: Int {
    Int(truncatingIfNeeded: (installAndLine & 0xFF) << 32 | (campaignAndLine & 0xFFFF_FFFF))
  }

  @inline(__always) private static func number(_ half: UInt64) -> UInt32? {
    let number = UInt32(truncatingIfNeeded: half)
    return number == .max ? nil : number
  }

  @inline(__always)
  init(
    key: UInt64, check: UInt32, name: UInt32, campaign: UInt32?, tag: UInt32?, origin: UInt32?,
    currency: Int?,
    micros: Int64, time: Int64, installed: Int64?, line: Int
  ) {
    self.key = key
    amount = UInt64(bitPattern: micros)
    timeAndCurrency = UInt64(bitPattern: time << 8) | UInt64((currency ?? -1) + 1)
    installAndLine =
      UInt64(bitPattern: (installed ?? Self.noInstall) << 8) | (UInt64(truncatingIfNeeded: line >> 32) & 0xFF)
    checkAndName = UInt64(check) << 32 | UInt64(name)
    campaignAndLine = UInt64(campaign ?? .max) << 32 | (UInt64(truncatingIfNeeded: line) & 0xFFFF_FFFF)
    tagAndOrigin = UInt64(tag ?? .max) << 32 | UInt64(origin ?? .max)
  }

  /// Reads a row back.
  @inline(__always)
  init(_ words: Span<UInt64>, at row: Int) {
    let start = row * Self.width
    key = words[start]
    amount = words[start + 1]
    timeAndCurrency = words[start + 2]
    installAndLine = words[start + 3]
    checkAndName = words[start + 4]
    campaignAndLine = words[start + 5]
    tagAndOrigin = words[start + 6]
  }

  /// The row with other numbers, and on a line that many lines further down.
  @inline(__always)
  func renumbered(_ numbers: RowNames.Numbers, line before: Int) -> PackedRow {
    PackedRow(
      key: key, check: check, name: numbers.events[Int(name)],
      campaign: campaign.map { numbers.campaigns[Int($0)] }, tag: tag.map { numbers.tags[Int($0)] },
      origin: origin.map { numbers.origins[Int($0)] }, currency: currency.map { numbers.currencies[$0] },
      micros: micros, time: time, installed: installed, line: before + line)
  }

  func append(to words: inout [UInt64]) {
    words.append(key)
    words.append(amount)
    words.append(timeAndCurrency)
    words.append(installAndLine)
    words.append(checkAndName)
    words.append(campaignAndLine)
    words.append(tagAndOrigin)
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
