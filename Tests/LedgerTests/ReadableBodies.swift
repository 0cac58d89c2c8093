@testable import Ledger
import PostbackFixtures
import Postbacks
import Values
@_spi(Unsigned) import Verification

/// What a drawn postback is about.
struct DrawnPostback {
  let id: String
  let version: ProtocolVersion
  let network: String
  let app: Int64
  let campaign: String
  let window: Int
  let didWin: Bool
  let isRedownload: Bool
  let value: String
  let country: String?
  let interaction: Int
  let publisher: Int64?
  let marketplace: String?

  /// Draws one of all versions, with values that are taken, rejected and missing.
  init(id: String, _ random: inout SplitMix64) {
    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    self.id = id
    version = ProtocolVersion.allCases[pick(ProtocolVersion.allCases.count)]
    network = ["a.skadnetwork", "B.skadnetwork"][pick(2)]
    app = Int64(1 + pick(2))
    campaign = version.hasWindows ? ["5210", "211", "09"][pick(3)] : "\(1 + pick(3))"
    window = version.hasWindows ? pick(3) : 0
    didWin = pick(4) > 0
    isRedownload = pick(3) == 0
    value =
      [
        "", #","conversion-value":0"#, #","conversion-value":63"#, #","conversion-value":99"#,
        #","coarse-conversion-value":"low""#, #","coarse-conversion-value":"medium""#,
        #","coarse-conversion-value":"high""#,
      ][pick(7)]
    country = pick(4) == 0 ? ["US", "cafe\u{301}"][pick(2)] : nil
    interaction = pick(2)
    publisher = pick(3) == 0 ? nil : Int64(100 + pick(4))
    marketplace =
      version == .adAttributionKit && pick(4) > 0
      ? ["com.apple.AppStore", "org.example.store"][pick(2)] : nil
  }

  /// The document, unsigned.
  var body: [UInt8] {
    let country = self.country.map { #","country-code":"\#($0)""# } ?? ""
    guard version == .adAttributionKit else {
      let campaign =
        version == .v4_0 ? #""source-identifier":"\#(campaign)""# : #""campaign-id":\#(campaign)"#
      let source = publisher.map { version == .v1_0 ? "" : #","source-app-id":\#($0)"# } ?? ""
      let window = version == .v4_0 ? #","postback-sequence-index":\#(window)"# : ""
      return Array(
        (#"{"version":"\#(version.rawValue)","ad-network-id":"\#(network)",\#(campaign),"app-id":\#(app)"#
          + #","transaction-id":"\#(id)","redownload":\#(isRedownload),"fidelity-type":\#(interaction)"#
          + #","did-win":\#(didWin)\#(window)\#(value)\#(country)\#(source)}"#).utf8)
    }
    let more =
      (publisher.map { #","publisher-item-identifier":\#($0)"# } ?? "")
      + (marketplace.map { #","marketplace-identifier":"\#($0)""# } ?? "")
    func segment(_ bytes: [UInt8]) -> String { String(decoding: Base64.encodeURL(bytes), as: UTF8.self) }
    let payload =
      #"{"advertised-item-identifier":\#(app),"conversion-type":"\#(isRedownload ? "re-engagement" : "download")""#
      + #","ad-network-identifier":"\#(network)","impression-type":"app-impression","postback-sequence-index":\#(window)"#
      + #","source-identifier":"\#(campaign)","did-win":\#(didWin),"postback-identifier":"\#(id)"\#(more)}"#
    let jws = [
      Array(#"{"alg":"ES256","kid":"k"}"#.utf8), Array(payload.utf8), [UInt8](repeating: 7, count: 64),
    ]
    return Array(
      (#"{"jws-string":"\#(jws.map(segment).joined(separator: "."))","#
        + #""ad-interaction-type":"\#(["view", "click"][interaction])"\#(value)\#(country)}"#).utf8)
  }

  /// The document as it is stored where its signature holds.
  func receipt(at time: Instant, from origin: Origin) -> Receipt {
    let postback = known(PostbackReading(body).postback)
    return Receipt(
      arrival: Arrival(receivedAt: time, origin: origin, quotaSource: "s", body: body),
      finding: .valid(.unsigned(attested: postback.attested, claimed: postback.claimed)))
  }
}
