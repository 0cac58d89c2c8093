extension FixedKeyVerifier {
  /// Whether this verifier and `reference` accept the same genuine signatures and reject the same false ones.
  package func agrees(with reference: EVPVerifier) -> Bool {
    guard let point = reference.point else { return false }
    return (0..<8 as Range<UInt8>).allSatisfy { round in
      let u1 = SHA256Digest(of: [1, round] + point).bytes
      let u2 = SHA256Digest(of: [2, round] + point).bytes
      guard let genuine = SignedDigest(by: point, u1: u1, u2: u2),
        let der = derSignature(raw: genuine.rawSignature, curve: .p256)
      else { return false }
      var otherDigest = genuine.digest
      otherDigest[Int(round)] ^= 1
      return verdict(raw: genuine.rawSignature, digest: genuine.digest) == .valid
        && verdict(der: der, digest: genuine.digest) == .valid
        && verdict(raw: genuine.rawSignature, digest: otherDigest) == .invalid
        && reference.isValid(der: der, digest: genuine.digest)
        && !reference.isValid(der: der, digest: otherDigest)
    }
  }
}
