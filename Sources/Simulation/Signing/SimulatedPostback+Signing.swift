import JSONText
package import Postbacks
package import Simulation
import Values

/// Who appears in the postbacks of a simulation.
package struct SimulatedCast: Equatable, Sendable {
  package var app: AppID
  /// `ad-network-id` of the network whose ads won.
  package var network = "example123.skadnetwork"
  /// `ad-network-id` of the network whose ads did not.
  package var otherNetwork = "other4567.skadnetwork"
  /// The app that showed the ads that the events file names none for.
  package var sourceApp: Int64 = 1_234_567_891

  package init(app: AppID) { self.app = app }
}

extension SigningKeys {
  /// The member, beside those of Apple, with the arrival time of a simulated postback; it is not signed.
  package static let simulatedArrival = "simulated-arrival"

  /// Signs a simulated postback as a device would, and adds when it arrives.
  ///
  /// - Parameters:
  ///   - seed: The simulation's seed, so that other simulations have other identifiers.
  /// - Throws: ``SigningError`` when no private key is there for it.
  package func sign(_ postback: SimulatedPostback, cast: SimulatedCast, seed: UInt64) throws(SigningError)
    -> [UInt8]
  {
    var body = try sign(postback.json(cast, seed: seed))
    body.removeLast()
    body += #","\#(Self.simulatedArrival)":"\#(postback.sentAt)"}"#.utf8
    return body
  }
}

extension SimulatedPostback {
  /// The postback without its signature, as ``SigningKeys`` takes it.
  func json(_ cast: SimulatedCast, seed: UInt64) -> JSONOutput {
    version == .adAttributionKit ? attributionKit(cast, seed) : skAdNetwork(cast, seed)
  }

  private func source(_ cast: SimulatedCast) -> Int64 { sourceApp?.number ?? cast.sourceApp }

  private func network(_ cast: SimulatedCast) -> String { didWin ? cast.network : cast.otherNetwork }

  private func skAdNetwork(_ cast: SimulatedCast, _ seed: UInt64) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("version", .string(version.rawValue)), .init("ad-network-id", .string(network(cast))),
    ]
    switch campaignOnWire {
    case .sourceIdentifier(let source): members.append(.init("source-identifier", .string(source.text)))
    case .campaignID: members.append(.init("campaign-id", .integer(Int64(campaignOnWire.text) ?? 0)))
    }
    members += [
      .init("app-id", .integer(cast.app.number)), .init("transaction-id", .string(identifier(seed))),
      .init("redownload", .bool(kind == .redownload)),
    ]
    if showsSource, didWin { members.append(.init("source-app-id", .integer(source(cast)))) }
    members += [.init("fidelity-type", .integer(1)), .init("did-win", .bool(didWin))]
    if version.hasWindows {
      members.append(.init("postback-sequence-index", .integer(Int64(window.rawValue))))
    }
    return .object(members + valueMembers)
  }

  private func attributionKit(_ cast: SimulatedCast, _ seed: UInt64) -> JSONOutput {
    let type =
      switch kind {
      case .redownload: "redownload"
      case .reengagement: "re-engagement"
      case .install, .assist, .other: "download"
      }
    var members: [JSONOutput.Member] = [
      .init("advertised-item-identifier", .integer(cast.app.number)), .init("conversion-type", .string(type)),
      .init("ad-network-identifier", .string(network(cast))), .init("impression-type", "app-impression"),
      .init("postback-sequence-index", .integer(Int64(window.rawValue))),
      .init("source-identifier", .string(campaignOnWire.text)), .init("did-win", .bool(didWin)),
      .init("postback-identifier", .string(identifier(seed).uppercased())),
    ]
    if tier != 0 { members.append(.init("marketplace-identifier", "com.apple.AppStore")) }
    if showsSource, didWin { members.append(.init("publisher-item-identifier", .integer(source(cast)))) }
    members.append(.init("ad-interaction-type", "click"))
    if let country { members.append(.init("country-code", .string(country))) }
    return .object(members + valueMembers)
  }

  private var valueMembers: [JSONOutput.Member] {
    switch value {
    case .fine(let fine): [.init("conversion-value", .integer(Int64(fine.number)))]
    case .coarse(let coarse): [.init("coarse-conversion-value", .string(coarse.rawValue))]
    case .absent, .rejected: []
    }
  }

  /// An identifier that follows from the simulation's seed, the user and the conversion alone; the windows of one
  /// conversion share it, a network that did not win has one of its own.
  private func identifier(_ seed: UInt64) -> String {
    var random = SplitMix64(
      seed: seed ^ user ^ (UInt64(bitPattern: Int64(conversion)) &* 0x9E37_79B9_7F4A_7C15)
        ^ (didWin ? 0 : 1 << 63))
    let words = (random.next(), random.next())
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for place in 0..<16 {
      if place == 4 || place == 6 || place == 8 || place == 10 { text.append(UInt8(ascii: "-")) }
      let byte = UInt8(truncatingIfNeeded: (place < 8 ? words.0 : words.1) >> UInt64(place % 8 * 8))
      for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
