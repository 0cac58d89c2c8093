public import JSONText
import OpenSSL
public import Postbacks
public import Values

/// Apple's keys and those the operator trusts; it alone decides whether a postback is genuine.
///
/// Which key may have signed what follows from the version or the `kid`; nothing in a body can add a key.
/// A keyring never changes, so any number of threads may ask it.
public final class Keyring: Sendable {
  /// SKAdNetwork 1.0 and 2.0.
  private let skanP192: KeyRow
  /// SKAdNetwork from 2.1.
  private let skanP256: KeyRow
  /// Apple's development keys, for SKAdNetwork postbacks that a device in Developer Mode can have sent.
  private let skanDevelopment: KeyRow
  private let aak: [String: KeyRow]
  /// Keys of others that count as Apple's production keys, by a key file: for a key that Apple published
  /// after this program.
  public let addedProductionKeys: Int

  /// Loads Apple's keys and adds others.
  ///
  /// - Parameter extra: Keys to trust beside Apple's, from ``KeyFile``; a key that Apple has already is left out.
  /// - Throws: ``KeyringError`` when a key can't be loaded, or a built-in one has not its fingerprint.
  public convenience init(trusting extra: [TrustedKey] = []) throws(KeyringError) {
    try self.init(
      old: AppleKey.skAdNetwork1And2.load(as: .production),
      production: AppleKey.production.load(as: .production),
      development0: AppleKey.development0.load(as: .development),
      development1: AppleKey.development1.load(as: .development), trusting: extra)
  }

  /// Puts loaded keys in Apple's places, so that a test can act as Apple.
  init(
    old: LoadedKey, production: LoadedKey, development0: LoadedKey, development1: LoadedKey,
    trusting extra: [TrustedKey]
  ) throws(KeyringError) {
    var p192 = [old]
    var p256 = [production]
    var aak = [
      productionKeyID: [production], "apple-development-identifier/0": [development0],
      "apple-development-identifier/1": [development1],
    ]
    let apples = [old.key.spki, production.key.spki]
    addedProductionKeys =
      Set(extra.filter { $0.environment == .production && !apples.contains($0.spki) }.map(\.spki)).count
    for trusted in extra where trusted.use != .purchases {
      let key: LoadedKey
      do {
        key = LoadedKey(try PublicKey(spki: trusted.spki), environment: trusted.environment)
      } catch {
        throw KeyringError(message: "a trusted key is \(error)")
      }
      switch (trusted.use, key.key.curve) {
      case (.skan, .p192): Self.add(key, to: &p192)
      case (.skan, .p256): Self.add(key, to: &p256)
      case (.aak(let keyID), .p256): Self.add(key, to: &aak[keyID, default: []])
      case (.aak, .p192): throw KeyringError(message: "AdAttributionKit signs on P-256 only")
      case (.purchases, _): break
      }
    }
    skanP192 = KeyRow(p192)
    skanP256 = KeyRow(p256)
    skanDevelopment = KeyRow([development0, development1])
    self.aak = aak.mapValues { KeyRow($0) }
  }

  /// Makes the tables that speed up checks of the keys of SKAdNetwork 2.1 and later, about 30 ms a key.
  ///
  /// Without it each key's table is made after some hundred checks, and one of them waits for it.
  public func prepare() { skanP256.prepare() }

  public func judge(_ body: [UInt8]) -> Judgement { judge(PostbackReading(body)) }

  /// Judges a body that is parsed already, such as one of a batch.
  public func judge(_ node: JSONNode) -> Judgement { judge(PostbackReading(node)) }

  public func judge(_ reading: PostbackReading) -> Judgement {
    var warnings = reading.warnings
    var claim: VerifiedPostback?
    let verdict: Verdict
    switch reading.outcome {
    case .malformed(let defect): verdict = .malformed(defect)
    case .unverifiable(let reason): verdict = .unverifiable(reason)
    case .invalid(let reason): verdict = .invalid(reason)
    case .postback(.skan(let postback)):
      verdict = judge(postback, warnings: &warnings)
      if verdict == .unverifiable(.missingSignature) {
        claim = VerifiedPostback(
          attested: postback.attested, claimed: postback.claimed, environment: .claimed, warnings: warnings)
      }
    case .postback(.aak(let postback)): verdict = judge(postback, warnings: warnings)
    }
    return Judgement(
      kind: reading.kind, version: reading.version, id: reading.id, verdict: verdict, claim: claim,
      warnings: warnings)
  }

  private func judge(_ postback: SKAdNetworkPostback, warnings: inout [PostbackWarning]) -> Verdict {
    guard let text = postback.signature else { return .unverifiable(.missingSignature) }
    guard let signature = Base64.decode(Array(text.utf8)), !signature.isEmpty else {
      return .invalid(.signatureEncoding)
    }
    let message = postback.signedMessage
    let attested = postback.attested
    let isP192 = attested.version == .v1_0 || attested.version == .v2_0
    let row = isP192 ? skanP192 : skanP256
    // Source: Apple, "Verifying an install-validation postback", on source apps that are signed for development.
    let isMarkedAsTest = if case .app(let app) = attested.publisher { app.number == 0 } else { false }
    var signer = row.first { $0.key.isValid(signature: signature, for: message) }
    if signer == nil, !isP192, mayBeOfDevelopment(attested.publisher) {
      // Apple does not state which key signs SKAdNetwork postbacks of a device in Developer Mode. No forged body costs
      // more than one with source app 0: a check by each of the two keys.
      signer = skanDevelopment.first { $0.key.isValid(signature: signature, for: message) }
    }
    guard let signer else { return .invalid(.signatureMismatch) }
    var environment = signer.environment
    if isMarkedAsTest, environment == .production {
      environment = .development
      warnings.append(.testMarker)
    }
    return .valid(
      VerifiedPostback(
        attested: attested, claimed: postback.claimed, environment: environment, warnings: warnings))
  }

  /// Whether a device in Developer Mode can have sent it: with source app 0, or for any web ad.
  ///
  /// Source: Apple, "Testing AdAttributionKit with Developer Mode".
  private func mayBeOfDevelopment(_ publisher: Publisher) -> Bool {
    switch publisher {
    case .app(let app): app.number == 0
    case .web: true
    case .undisclosed: false
    }
  }

  private func judge(_ postback: AdAttributionKitPostback, warnings: [PostbackWarning]) -> Verdict {
    guard let keyID = postback.keyID, let row = aak[keyID] else {
      return .unverifiable(.unknownKey(postback.keyID))
    }
    let signer = row.first { $0.key.isValid(rawSignature: postback.signature, for: postback.signedMessage) }
    guard let signer else { return .invalid(.signatureMismatch) }
    return .valid(
      VerifiedPostback(
        attested: postback.attested, claimed: postback.claimed, environment: signer.environment,
        warnings: warnings))
  }

  private static func add(_ key: LoadedKey, to row: inout [LoadedKey]) {
    if !row.contains(where: { $0.key.spki == key.key.spki }) { row.append(key) }
  }
}

/// What keeps a keyring from being made or trusted.
public struct KeyringError: Error, Equatable, Sendable, CustomStringConvertible {
  public let code = "keyring"
  public let message: String
  public let remedy: String? =
    "Build the program again from an unchanged source, and check the files with trusted keys."

  public var description: String { "\(code): \(message)" }
}

extension KeyringError: UserFacingError {
  /// What it means to the program that started this one.
  public var exitCode: ExitCode { .bug }
}
