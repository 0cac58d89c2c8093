import OpenSSL
import Postbacks
import Signing
import Testing
import Values
@testable import Verification

struct `Apple's keys` {
  @Test(arguments: AppleKey.allCases)
  func `Apple's keys load and have their fingerprints`(key: AppleKey) throws {
    let curve = try key.load(as: .production).key.curve
    #expect(curve == (key == .skAdNetwork1And2 ? .p192 : .p256))
  }

  @Test func `Apple's keys are rejected with another fingerprint or another letter`() {
    let key = AppleKey.production
    let other = AppleKey.development0
    #expect(throws: KeyringError.self) {
      try AppleKey.load(key.base64, fingerprint: other.fingerprint, as: .production)
    }
    let slip = key.base64.replacing("EWdp8", with: "EWdq8")
    #expect(slip != key.base64)
    #expect(throws: KeyringError.self) {
      try AppleKey.load(slip, fingerprint: key.fingerprint, as: .production)
    }
    let notOnCurve = Base64.decode(Array(slip.utf8)) ?? []
    #expect(throws: KeyringError.self) {
      try AppleKey.load(slip, fingerprint: SHA256Digest(of: notOnCurve).hex, as: .production)
    }
  }

  @Test func `Apple's keys for development verify marked tests and web ads only, and never production`()
    throws
  {
    let production = try SigningKeys.generate()
    let development = try SigningKeys.generate()
    let keyring = try Keyring(
      old: loaded(production.keys[1], .production), production: loaded(production.keys[0], .production),
      development0: loaded(development.keys[3], .development),
      development1: loaded(development.keys[0], .development), trusting: [])
    let marked = skan(#","source-app-id":0"#)
    // In Developer Mode any web ad can be for development.
    let webAd = skan(#","source-domain":"shop.example""#)
    for round in 0..<3 {
      #expect(try keyring.judge(development.sign(marked)).environment == .development, "\(round)")
      #expect(
        try keyring.judge(development.sign(skan(#","source-app-id":1"#))).reasonCode == "signature-mismatch")
      #expect(try keyring.judge(development.sign(skan(""))).reasonCode == "signature-mismatch")
      #expect(try keyring.judge(development.sign(webAd)).environment == .development)
      #expect(try keyring.judge(production.sign(webAd)).environment == .production)
      #expect(try keyring.judge(production.sign(skan(""))).environment == .production)
      #expect(try keyring.judge(production.sign(aak)).environment == .production)
      #expect(try keyring.judge(production.sign(marked)).environment == .development)
    }
    #expect(throws: KeyringError.self) { try keyring.selfTest() }
  }

  @Test func `Apple's keys for development sign web ads of SKAdNetwork, whichever of the two it was`() throws
  {
    let production = try SigningKeys.generate()
    let development = try [SigningKeys.generate(), SigningKeys.generate()]
    let keyring = try Keyring(
      old: loaded(production.keys[1], .production), production: loaded(production.keys[0], .production),
      development0: loaded(development[0].keys[0], .development),
      development1: loaded(development[1].keys[0], .development), trusting: [])
    let webAd = skan(#","source-domain":"shop.example""#)
    for keys in development + development {
      let judgement = try keyring.judge(keys.sign(webAd))
      #expect(judgement.environment == .development)
      #expect(judgement.warnings.isEmpty)
    }
    let forged = try SigningKeys.generate().sign(webAd)
    #expect(keyring.judge(forged).reasonCode == "signature-mismatch")
  }

  private func loaded(_ key: TrustedKey, _ environment: Environment) throws -> LoadedKey {
    LoadedKey(try PublicKey(spki: key.spki), environment: environment)
  }
}
