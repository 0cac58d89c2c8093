package import JSONText
package import Postbacks
import Values

/// A source of random well-formed postbacks for tests, demonstrations and benchmarks.
///
/// The same seed and cast give the same postbacks. They obey Apple's tier table; see "Receiving postbacks in
/// multiple conversion windows".
package struct PostbackGenerator: Sendable {
  /// The names and numbers that occur in the postbacks.
  package struct Cast: Equatable, Sendable {
    /// `ad-network-id` of each network; none may be missing from any of the lists.
    package var networks = ["example123.skadnetwork", "demo456789.skadnetwork", "sample0001.skadnetwork"]
    package var apps: [Int64] = [525_463_029, 1_176_027_022]
    /// The apps that show the ads.
    package var sourceApps: [Int64] = [1_234_567_891, 1_299_956_969, 1_661_087_323]
    /// The domains that show web ads.
    package var sourceDomains = ["example.com", "news.example.org"]
    /// Source identifiers of version 4, 0 through 9999; their last two digits, 0 read as 100, are campaign ids.
    package var campaigns = [5239, 5242, 1007, 1019, 8110]
    /// How often each version occurs, in any unit.
    package var shares: [(version: ProtocolVersion, share: Int)] {
      get { versions.map { ($0.version, $0.share) } }
      set { versions = newValue.map { Share(version: $0.version, share: $0.share) } }
    }

    private struct Share: Hashable {
      let version: ProtocolVersion
      let share: Int
    }

    private var versions = [
      Share(version: .v4_0, share: 70), Share(version: .adAttributionKit, share: 14),
      Share(version: .v3_0, share: 8),
      Share(version: .v2_2, share: 4), Share(version: .v2_1, share: 2), Share(version: .v2_0, share: 1),
      Share(version: .v1_0, share: 1),
    ]

    /// A small cast of invented names, with version 4 dominant.
    package init() {}
  }

  private let cast: Cast
  private var random: SplitMix64

  package init(seed: UInt64, cast: Cast = Cast()) {
    self.cast = cast
    random = SplitMix64(seed: seed)
  }

  /// Returns the next postback, unsigned, as ``SigningKeys/sign(_:keyID:)-(JSONOutput,_)`` takes it.
  package mutating func next() -> JSONOutput {
    let total = cast.shares.reduce(0) { $0 + $1.share }
    var at = random.number(below: max(1, total))
    for (version, share) in cast.shares {
      if at < share { return next(version) }
      at -= share
    }
    return next(.v4_0)
  }

  /// Returns the next postback of one version, unsigned.
  package mutating func next(_ version: ProtocolVersion) -> JSONOutput {
    version == .adAttributionKit ? adAttributionKit() : skAdNetwork(version)
  }

  private mutating func skAdNetwork(_ version: ProtocolVersion) -> JSONOutput {
    let source = pick(cast.campaigns)
    var members: [JSONOutput.Member] = []
    if version != .v1_0 { members.append(.init("version", .string(version.rawValue))) }
    members.append(.init("ad-network-id", .string(pick(cast.networks))))
    let crowd = CrowdDraw(
      drawing: &random, hasWindows: version == .v4_0, knowsLosers: version == .v4_0 || version == .v3_0)
    if version == .v4_0 {
      members.append(.init("source-identifier", .string(digits(of: source, crowd))))
    } else {
      members.append(.init("campaign-id", .integer(Int64(source % 100 == 0 ? 100 : source % 100))))
    }
    members.append(.init("app-id", .integer(pick(cast.apps))))
    members.append(.init("transaction-id", .string(uuid(upperCase: false))))
    guard version != .v1_0 else { return .object(members) }
    members.append(.init("redownload", .bool(random.happens(0.15))))
    if crowd.showsSource {
      if version == .v4_0, random.happens(0.1) {
        members.append(.init("source-domain", .string(pick(cast.sourceDomains))))
      } else {
        members.append(.init("source-app-id", .integer(pick(cast.sourceApps))))
      }
    }
    if version != .v2_0, version != .v2_1 {
      members.append(.init("fidelity-type", .integer(random.happens(0.8) ? 1 : 0)))
    }
    if version == .v3_0 || version == .v4_0 { members.append(.init("did-win", .bool(crowd.didWin))) }
    if version == .v4_0 { members.append(.init("postback-sequence-index", .integer(Int64(crowd.window)))) }
    addValue(of: crowd, hasCoarse: version == .v4_0, to: &members)
    return .object(members)
  }

  private mutating func adAttributionKit() -> JSONOutput {
    let crowd = CrowdDraw(drawing: &random, hasWindows: true, knowsLosers: true)
    let type =
      crowd.didWin && random.happens(0.2) ? "re-engagement" : random.happens(0.15) ? "redownload" : "download"
    var members: [JSONOutput.Member] = [
      .init("advertised-item-identifier", .integer(pick(cast.apps))), .init("conversion-type", .string(type)),
      .init("ad-network-identifier", .string(pick(cast.networks))),
      .init("impression-type", "app-impression"),
      .init("postback-sequence-index", .integer(Int64(crowd.window))),
      .init("source-identifier", .string(digits(of: pick(cast.campaigns), crowd))),
      .init("did-win", .bool(crowd.didWin)), .init("postback-identifier", .string(uuid(upperCase: true))),
    ]
    if crowd.tier > 0 { members.append(.init("marketplace-identifier", "com.apple.AppStore")) }
    if crowd.showsSource {
      members.append(.init("publisher-item-identifier", .integer(pick(cast.sourceApps))))
    }
    members.append(.init("ad-interaction-type", random.happens(0.8) ? "click" : "view"))
    addValue(of: crowd, hasCoarse: true, to: &members)
    if crowd.tier == 3 { members.append(.init("country-code", random.happens(0.7) ? "US" : "DE")) }
    return .object(members)
  }

  private mutating func addValue(of crowd: CrowdDraw, hasCoarse: Bool, to members: inout [JSONOutput.Member])
  {
    guard crowd.didWin, crowd.tier > 0 else { return }
    if crowd.window == 0, crowd.tier > 1 {
      // Most users do little: small values are more frequent than large ones.
      let value = Int64(random.number(below: 64)) * Int64(random.number(below: 64)) / 64
      members.append(.init("conversion-value", .integer(value)))
    } else if hasCoarse {
      members.append(
        .init("coarse-conversion-value", .string(pick(["low", "low", "low", "medium", "high"]))))
    }
  }

  private func digits(of source: Int, _ crowd: CrowdDraw) -> String {
    let text = String(source)
    let four = String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
    return String(four.suffix(crowd.digits))
  }

  private mutating func uuid(upperCase: Bool) -> String {
    let letters = Array((upperCase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    var bits = (random.next(), random.next())
    var text: [UInt8] = []
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
      var digit = Int(bits.0 & 15)
      // Version 4 and its variant. Source: RFC 9562, section 5.4.
      if index == 12 { digit = 4 }
      if index == 16 { digit = 8 | (digit & 3) }
      text.append(letters[digit])
      bits.0 >>= 4
      if index == 15 { bits.0 = bits.1 }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func pick(_ texts: [String]) -> String { texts[random.number(below: texts.count)] }
  private mutating func pick(_ numbers: [Int64]) -> Int64 { numbers[random.number(below: numbers.count)] }
  private mutating func pick(_ numbers: [Int]) -> Int { numbers[random.number(below: numbers.count)] }
}

/// What the privacy threshold allows in a postback.
private struct CrowdDraw {
  let tier: Int
  let window: Int
  let didWin: Bool
  let digits: Int

  var showsSource: Bool { didWin && tier == 3 && window == 0 }

  init(drawing random: inout SplitMix64, hasWindows: Bool, knowsLosers: Bool) {
    didWin = !knowsLosers || random.happens(0.85)
    let tier = random.happens(0.5) ? 3 : 1 + random.number(below: 2)
    window = hasWindows && didWin && random.happens(0.35) ? 1 + random.number(below: 2) : 0
    // The smallest group gets no later postbacks at all.
    self.tier = window == 0 && random.happens(0.12) ? 0 : tier
    digits = window == 0 && self.tier > 1 && didWin ? 2 + random.number(below: 3) : 2
  }
}
