import Crypto
import Platform
import Postbacks
import Verification

/// Measures the CPU time of one signature check, and of reading and checking one postback.
struct VerifyBench {
  private struct Sample: Sendable {
    let body: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]
  }

  private let keyring: Keyring
  private let spki: [UInt8]
  private let samples: [Sample]

  init(keyFile: String, bodies: String) throws {
    let keys = try KeyFile.read(try FileReader.contents(of: keyFile))
    keyring = try Keyring(trusting: keys)
    let text = try FileReader.contents(of: bodies)
    samples = text.split(separator: UInt8(ascii: "\n")).prefix(20_000).compactMap { line in
      let body = Array(line)
      guard case .skan(let postback) = PostbackReading(body).postback, let text = postback.signature,
        let signature = Base64.decode(Array(text.utf8))
      else { return nil }
      return Sample(body: body, message: postback.signedMessage, signature: signature)
    }
    guard let key = keys.first(where: { $0.use == .skan && $0.curve == .p256 }), !samples.isEmpty else {
      throw BenchError.noPostbacks
    }
    spki = key.spki
  }

  func run(seconds: Double, threads: Int) throws {
    let evp = try PublicKey(spki: spki, arithmetic: .evp)
    let used = try PublicKey(spki: spki)
    let keyring = keyring
    let evpTime = measure(seconds, threads) { evp.isValid(signature: $0.signature, for: $0.message) }
    let usedTime = measure(seconds, threads) { used.isValid(signature: $0.signature, for: $0.message) }
    let judgeTime = measure(seconds, threads) { keyring.judge($0.body).state == .valid }
    print(
      """
      {"evp":\(hundredths(evpTime)),"check":\(hundredths(usedTime)),"judge":\(hundredths(judgeTime))}
      """)
  }
}
