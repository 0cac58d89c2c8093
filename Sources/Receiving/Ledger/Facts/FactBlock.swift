/// The facts of some postbacks in a few bytes each, without their bodies.
///
/// After a byte for the format, each postback is: the milliseconds since the one before it; the number of its source, of
/// its campaign; its value and interaction in one byte; the number of its country, its publisher and its marketplace, or
/// 0 for none. Numbers of sources, campaigns and countries count up in the order in which they come first; there, what
/// they stand for follows. Integers are little-endian in groups of seven bits, signed ones with the sign last.
struct FactBlock {
  /// What `bytes` are not, or no longer.
  struct Malformed: Error {}

  fileprivate static let format: UInt8 = 1
  /// In place of a value and an interaction that no program of this version writes; both follow.
  fileprivate static let spelledOut: UInt8 = 255
  fileprivate static let slots: Int64 = 69

  private(set) var bytes: [UInt8] = [Self.format]
  private var receivedAt: Int64 = 0
  private var sources: [PostbackFacts.Source: UInt64] = [:]
  private var campaigns: [String: UInt64] = [:]
  private var countries: [String: UInt64] = [:]

  mutating func append(_ facts: PostbackFacts) {
    append(signed: facts.receivedAt &- receivedAt)
    receivedAt = facts.receivedAt
    if let number = sources[facts.source] {
      append(number)
    } else {
      append(UInt64(sources.count))
      sources[facts.source] = UInt64(sources.count)
      let source = facts.source
      for code in [
        source.environment, source.app, source.network, source.version, source.window, source.outcome,
      ] { append(signed: code) }
    }
    Self.append(facts.campaign, numbers: &campaigns, offset: 0, to: &bytes)
    appendDetail(facts)
    if let country = facts.country {
      Self.append(country, numbers: &countries, offset: 1, to: &bytes)
    } else {
      append(0)
    }
    append(facts.publisher.map { UInt64(bitPattern: $0) &+ 1 } ?? 0)
    append(facts.marketplace.map { UInt64(bitPattern: $0) &+ 1 } ?? 0)
  }

  private mutating func appendDetail(_ facts: PostbackFacts) {
    let slot: Int64? =
      switch facts.value {
      case nil: 68
      case -1: 67
      case let value?: (0...66).contains(value) ? value : nil
      }
    let interaction: Int64? =
      switch facts.interaction {
      case nil: 0
      case let code?: (0...1).contains(code) ? code + 1 : nil
      }
    if let slot, let interaction {
      bytes.append(UInt8(truncatingIfNeeded: slot + Self.slots * interaction))
      return
    }
    bytes.append(Self.spelledOut)
    for code in [facts.value, facts.interaction] {
      bytes.append(code == nil ? 0 : 1)
      if let code { append(signed: code) }
    }
  }

  private mutating func append(_ number: UInt64) { Self.append(number, to: &bytes) }

  private mutating func append(signed number: Int64) {
    append(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func append(
    _ text: String, numbers: inout [String: UInt64], offset: UInt64, to bytes: inout [UInt8]
  ) {
    if let number = numbers[text] { return append(number + offset, to: &bytes) }
    append(UInt64(numbers.count) + offset, to: &bytes)
    numbers[text] = UInt64(numbers.count)
    append(UInt64(text.utf8.count), to: &bytes)
    bytes += text.utf8
  }
}

extension FactBlock {
  /// Reads the postbacks of a block one after the other.
  struct Cursor {
    private let bytes: [UInt8]
    private var at = 0
    private(set) var sources: [PostbackFacts.Source] = []
    private var campaigns: [Text] = []
    private var countries: [Text] = []

    /// The last postback's source, as a place in ``sources``.
    private(set) var source = 0
    private(set) var receivedAt: Int64 = 0
    private var campaignPlace = 0
    private(set) var interaction: Int64?
    private(set) var value: Int64?
    /// 0 for none.
    private var countryPlace = 0
    private(set) var publisher: Int64?
    private(set) var marketplace: Int64?

    private struct Text {
      let short: ShortText
      let place: Range<Int>
    }

    /// The last postback's campaign.
    var campaign: ShortText { campaigns[campaignPlace].short }
    /// The last postback's country.
    var country: ShortText? { countryPlace == 0 ? nil : countries[countryPlace - 1].short }

    init(_ bytes: [UInt8]) throws(Malformed) {
      self.bytes = bytes
      guard try byte() == FactBlock.format else { throw Malformed() }
    }

    /// Goes on to the next postback; `false` behind the last one.
    mutating func next() throws(Malformed) -> Bool {
      guard at < bytes.count else { return false }
      receivedAt &+= try signed()
      source = try index(sources.count)
      if source == sources.count {
        sources.append(
          PostbackFacts.Source(
            environment: try signed(), app: try signed(), network: try signed(), version: try signed(),
            window: try signed(), outcome: try signed()))
      }
      campaignPlace = try index(campaigns.count)
      if campaignPlace == campaigns.count { campaigns.append(try text()) }
      try readDetail()
      countryPlace = try index(countries.count + 1)
      if countryPlace > countries.count { countries.append(try text()) }
      publisher = try identifier()
      marketplace = try identifier()
      return true
    }

    /// The last postback as a whole.
    var facts: PostbackFacts {
      PostbackFacts(
        receivedAt: receivedAt, source: sources[source], campaign: campaignText, interaction: interaction,
        value: value, country: countryPlace == 0 ? nil : string(countries[countryPlace - 1]),
        publisher: publisher, marketplace: marketplace)
    }

    /// The last postback's campaign as it came.
    var campaignText: String { string(campaigns[campaignPlace]) }

    private func string(_ text: Text) -> String { String(decoding: bytes[text.place], as: UTF8.self) }

    private mutating func readDetail() throws(Malformed) {
      let detail = try byte()
      guard detail == FactBlock.spelledOut else {
        let (interaction, slot) = Int64(detail).quotientAndRemainder(dividingBy: FactBlock.slots)
        self.interaction = interaction == 0 ? nil : interaction - 1
        value = slot == 68 ? nil : slot == 67 ? -1 : slot
        return
      }
      value = try byte() == 0 ? nil : signed()
      interaction = try byte() == 0 ? nil : signed()
    }

    private mutating func byte() throws(Malformed) -> UInt8 {
      guard at < bytes.count else { throw Malformed() }
      defer { at += 1 }
      return bytes[at]
    }

    private mutating func number() throws(Malformed) -> UInt64 {
      let first = try byte()
      guard first >= 0x80 else { return UInt64(first) }
      var number = UInt64(first & 0x7F)
      var shift: UInt64 = 7
      while shift < 64 {
        let next = try byte()
        number |= UInt64(next & 0x7F) << shift
        if next < 0x80 { return number }
        shift += 7
      }
      throw Malformed()
    }

    private mutating func signed() throws(Malformed) -> Int64 {
      let number = try number()
      return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// The number of something that is known, or the one above for something new.
    private mutating func index(_ most: Int) throws(Malformed) -> Int {
      let number = try number()
      guard number <= UInt64(most) else { throw Malformed() }
      return Int(number)
    }

    private mutating func identifier() throws(Malformed) -> Int64? {
      let number = try number()
      return number == 0 ? nil : Int64(bitPattern: number &- 1)
    }

    private mutating func text() throws(Malformed) -> Text {
      let count = try number()
      guard count <= UInt64(bytes.count - at) else { throw Malformed() }
      let place = at..<at + Int(count)
      at = place.upperBound
      return Text(short: ShortText(bytes[place]), place: place)
    }
  }
}
