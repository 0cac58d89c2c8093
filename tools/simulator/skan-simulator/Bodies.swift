import JSONText
import Signing
import Values

/// What devices and networks send: new postbacks, repeats of them, copies that contradict, and what no key signed.
struct Bodies {
  private let keys: SigningKeys
  private var random: SplitMix64
  private var made: [[UInt8]] = []

  init(_ keys: SigningKeys, seed: UInt64) {
    self.keys = keys
    random = SplitMix64(seed: seed)
  }

  mutating func new() throws -> [UInt8] {
    let id = uuid()
    let app = [525_463_029, 1_176_027_022][random.number(below: 2)]
    let network = ["example123.skadnetwork", "demo456789.skadnetwork"][random.number(below: 2)]
    let campaign = ["5239", "5242", "17", "108"][random.number(below: 4)]
    let window = random.number(below: 8)
    var text = """
      {"version":"4.0","ad-network-id":"\(network)","source-identifier":"\(campaign)","app-id":\(app),\
      "transaction-id":"\(id)","redownload":\(random.number(below: 6) == 0),"source-app-id":\(1_234_567_891 + random.number(below: 400)),\
      "fidelity-type":1,"did-win":\(random.number(below: 10) > 0),\
      "postback-sequence-index":\(window > 2 ? 0 : window)
      """
    if window > 2, random.number(below: 3) > 0 { text += ",\"conversion-value\":\(random.number(below: 64))" }
    let body = try keys.sign(Array((text + "}").utf8))
    made.append(body)
    return body
  }

  /// The same body as an earlier one.
  mutating func repeated() throws -> [UInt8] {
    made.isEmpty ? try new() : made[random.number(below: made.count)]
  }

  /// A copy that contradicts an earlier postback in what is not signed.
  mutating func contradicting() throws -> [UInt8] {
    let body = String(decoding: try repeated(), as: UTF8.self)
    let other = ",\"conversion-value\":\(random.number(below: 64))"
    let parts = body.split(separator: ",").filter { !$0.contains("conversion-value") }
    return Array((parts.joined(separator: ",").dropLast() + other + "}").utf8)
  }

  /// A postback whose signature does not hold.
  mutating func forged() throws -> [UInt8] {
    let body = String(decoding: try keys.sign(Array(template(uuid()).utf8)), as: UTF8.self)
    return Array(body.replacing("\"app-id\":525463029", with: "\"app-id\":525463030").utf8)
  }

  /// What is no postback.
  mutating func malformed() -> [UInt8] { Array(#"{"version":"4.0","n":\#(random.number(below: 1000))"#.utf8) }

  private func template(_ id: String) -> String {
    """
    {"version":"4.0","ad-network-id":"example123.skadnetwork","source-identifier":"5239","app-id":525463029,\
    "transaction-id":"\(id)","redownload":false,"source-app-id":1234567891,"fidelity-type":1,"did-win":true,\
    "postback-sequence-index":0}
    """
  }

  private mutating func uuid() -> String {
    let digits = Array("0123456789abcdef")
    func word(_ length: Int, _ random: inout SplitMix64) -> String {
      String((0..<length).map { _ in digits[random.number(below: 16)] })
    }
    return [8, 4, 4, 4, 12].map { word($0, &random) }.joined(separator: "-")
  }
}
