import OpenSSL
import Values

/// Measures one signature check of one thread under both arithmetics, in turns so that noise meets both alike.
struct SignatureBench {
  private static let checks = 300

  func run(rounds: Int) throws {
    let secret = try PrivateKey(generateOn: .p256)
    let evp = try PublicKey(spki: secret.spki(), arithmetic: .evp)
    let fixed = try PublicKey(spki: secret.spki())
    let message = [UInt8](repeating: 0x61, count: 120)
    let signature = try secret.sign(message)
    let raw = try secret.signRaw(message)
    var isFixed = false
    let prepareTime = time(1) { isFixed = fixed.prepare() == .fixedKey }
    var best = (evp: Double.infinity, fixed: Double.infinity, fixedRaw: Double.infinity)
    for _ in 0..<rounds {
      best.evp = min(best.evp, time(Self.checks) { _ = evp.isValid(signature: signature, for: message) })
      best.fixed = min(
        best.fixed, time(Self.checks) { _ = fixed.isValid(signature: signature, for: message) })
      best.fixedRaw = min(
        best.fixedRaw, time(Self.checks) { _ = fixed.isValid(rawSignature: raw, for: message) })
    }
    print(
      """
      {"fixed_key":\(isFixed),"prepare":\(hundredths(prepareTime)),"evp":\(hundredths(best.evp)),\
      "fixed":\(hundredths(best.fixed)),"fixed_raw":\(hundredths(best.fixedRaw)),\
      "ratio":\(hundredths(best.fixed / best.evp))}
      """)
  }

  /// The time of one iteration in microseconds.
  private func time(_ repetitions: Int, _ body: () -> Void) -> Double {
    let elapsed = ContinuousClock().measure { for _ in 0..<repetitions { body() } }
    return elapsed / .microseconds(1) / Double(repetitions)
  }
}
