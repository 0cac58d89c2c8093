import OpenSSL
import TestSupport
import Testing
import Values

/// Keys whose secret is 1 and -1, so that u1 * G and u2 * Q meet or cancel as the test likes.
struct `A table of a key that is the generator itself` {
  private static let one = small(1)
  private static let minusOne = difference(order, small(1))
  private static let factors: [[UInt8]] = {
    var random = SplitMix64(seed: 7)
    return [small(1), small(2), difference(order, small(1))] + (0..<20).map { _ in [0] + random.bytes(31) }
  }()

  @Test(arguments: [one, minusOne], factors)
  func `A table of a key that is the generator itself doubles when both products are the same point`(
    secret: [UInt8], factor: [UInt8]
  ) throws {
    let pair = try Pair(scalar: secret)
    // With secret 1 the products are equal when the factors are, with -1 when they are opposite.
    let other = secret == Self.one ? factor : difference(order, factor)
    let genuine = try #require(SignedDigest(by: pair.point, u1: factor, u2: other))
    #expect(genuine.digest == (secret == Self.one ? r(genuine) : difference(order, r(genuine))))
    #expect(pair.verdicts(genuine.rawSignature, genuine.digest) == [.valid, .valid])
    #expect(pair.isAcceptedByEVP(genuine.rawSignature, genuine.digest))
  }

  @Test(arguments: [one, minusOne], factors)
  func `A table of a key that is the generator itself leaves the point at infinity to OpenSSL's own check`(
    secret: [UInt8], factor: [UInt8]
  ) throws {
    let pair = try Pair(scalar: secret)
    let genuine = try #require(SignedDigest(by: pair.point, u1: factor, u2: small(5)))
    // The digest is r or -r, so that the products cancel out whatever s is.
    let digest = secret == Self.one ? difference(order, r(genuine)) : r(genuine)
    let infinity = FixedKeyVerdict.undecided(.infinity)
    #expect(pair.verdicts(genuine.rawSignature, digest) == [infinity, infinity])
    #expect(!pair.isAcceptedByEVP(genuine.rawSignature, digest))
    #expect(!pair.key.isValid(rawSignature: genuine.rawSignature, digest: digest))
  }

  private func r(_ genuine: SignedDigest) -> [UInt8] { Array(genuine.rawSignature.prefix(32)) }
}

struct `A table of a key` {
  @Test func `A table of a key handles digests of every range`() throws {
    let pair = try Pair(scalar: small(77))
    // u1 = 0 makes the digest 0, and the order as a digest means 0 as well.
    let zero = try #require(SignedDigest(by: pair.point, u1: small(0), u2: small(5)))
    #expect(zero.digest == small(0))
    for digest in [zero.digest, order] {
      #expect(pair.verdicts(zero.rawSignature, digest) == [.valid, .valid])
      #expect(pair.isAcceptedByEVP(zero.rawSignature, digest))
    }
    for digest in [
      small(1), difference(order, small(1)), sum(order, small(1)), [UInt8](repeating: 0xFF, count: 32),
    ] {
      #expect(pair.verdicts(zero.rawSignature, digest) == [.invalid, .invalid])
      #expect(!pair.isAcceptedByEVP(zero.rawSignature, digest))
    }
  }

  @Test func `A table of a key sorts numbers by their range`() throws {
    let pair = try Pair(scalar: small(77))
    let digest = SHA256Digest(of: []).bytes
    // The field's prime less the order: below it, r could stand for two coordinates.
    let excess = [UInt8](repeating: 0, count: 16) + bytes(hex: "43190553 58e8617b 0c46353d 039cdaae")
    let last = difference(order, small(1))
    let table: [([UInt8], [UInt8], FixedKeyVerdict)] = [
      (small(0), last, .undecided(.outOfRange)), (last, small(0), .undecided(.outOfRange)),
      (order, last, .undecided(.outOfRange)), (last, order, .undecided(.outOfRange)),
      (last, last, .invalid), (last, small(1), .invalid), (excess, last, .invalid),
      (difference(excess, small(1)), last, .undecided(.secondCoordinate)),
      (small(1), small(1), .undecided(.secondCoordinate)),
    ]
    for (r, s, verdict) in table {
      #expect(pair.verdicts(r + s, digest) == [verdict, verdict], "\(hexText(r + s))")
      #expect(!pair.isAcceptedByEVP(r + s, digest))
      #expect(!pair.key.isValid(rawSignature: r + s, digest: digest))
    }
    let malformed = FixedKeyVerdict.undecided(.malformed)
    #expect(pair.verifier.verdict(raw: [], digest: digest) == malformed)
    #expect(pair.verifier.verdict(raw: last + last + [0], digest: digest) == malformed)
    #expect(pair.verifier.verdict(der: [UInt8](repeating: 0x30, count: 5_000), digest: digest) == malformed)
  }

  @Test(arguments: smallHalves.indices)
  func `A table of a key leaves a second possible coordinate to OpenSSL's own check`(index: Int) throws {
    let row = smallHalves[index]
    let object = bytes(hex: "3059301306072a8648ce3d020106082a8648ce3d03010703420004")
    let key = KeyBox(try PublicKey(spki: object + bytes(hex: row.x + row.y)))
    let verifier = try #require(FixedKeyVerifier(point: [4] + bytes(hex: row.x + row.y)))
    let (signature, message) = (bytes(hex: row.signature), bytes(hex: row.message))
    #expect(verifier.verdict(der: signature, digest: SHA256Digest(of: message).bytes) == row.verdict)
    #expect(key.isValid(signature: signature, for: message) == row.isValid)
    #expect(key.prepare() == .fixedKey)
    #expect(key.isValid(signature: signature, for: message) == row.isValid)
  }

  @Test func `A table of a key is rejected if it belongs to another key`() throws {
    let pair = try Pair(scalar: small(77))
    #expect(pair.verifier.agrees(with: pair.reference))
    #expect(!pair.verifier.agrees(with: try EVPVerifier(spki: spki(scalar: small(78)))))
    #expect(FixedKeyVerifier(point: []) == nil)
    #expect(FixedKeyVerifier(point: [4] + small(1) + small(1)) == nil)
    #expect(FixedKeyVerifier(point: [0]) == nil)
  }

  @Test(arguments: Curve.allCases, [SignatureArithmetic.fixedKey, .evp])
  func `A table of a key is made for P-256 on request`(curve: Curve, arithmetic: SignatureArithmetic) throws {
    let secret = try PrivateKey(generateOn: curve)
    let key = KeyBox(try PublicKey(spki: secret.spki(), arithmetic: arithmetic))
    #expect(key.prepare() == (curve == .p256 ? arithmetic : .evp))
    #expect(key.prepare() == (curve == .p256 ? arithmetic : .evp))
    let (signature, raw) = (try secret.sign([1]), try secret.signRaw([1]))
    #expect(key.isValid(signature: signature, for: [1]))
    #expect(key.isValid(rawSignature: raw, for: [1]))
    #expect(!key.isValid(signature: signature, for: [2]))
    #expect(!key.isValid(rawSignature: raw, for: [2]))
  }

  @Test func `A table of a key is made and used by eight threads at once`() async throws {
    let secret = try PrivateKey(generateOn: .p256)
    let box = KeyBox(try PublicKey(spki: secret.spki()))
    let message = Array("message".utf8)
    let (signature, raw) = (try secret.sign(message), try secret.signRaw(message))
    let accepted = await withTaskGroup(of: Int.self) { group in
      for thread in 0..<8 {
        group.addTask {
          (0..<200).count {
            // Four threads run into the limit of patience, the others ask for the table halfway.
            if $0 == 100, thread % 2 == 0 { _ = box.prepare() }
            let text = $0 % 2 == 0 ? message : message + [UInt8(thread)]
            return $0 % 3 == 0
              ? box.isValid(rawSignature: raw, for: text) : box.isValid(signature: signature, for: text)
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(accepted == 800)
    #expect(box.prepare() == .fixedKey)
  }
}

/// One key under both arithmetics.
private struct Pair {
  let reference: EVPVerifier
  let point: [UInt8]
  let verifier: FixedKeyVerifier
  let key: KeyBox

  init(scalar: [UInt8]) throws {
    let spki = try spki(scalar: scalar)
    reference = try EVPVerifier(spki: spki)
    point = try #require(reference.point)
    verifier = try #require(FixedKeyVerifier(point: point))
    key = KeyBox(try PublicKey(spki: spki))
    #expect(key.prepare() == .fixedKey)
  }

  /// What the table reports about both forms of a signature.
  func verdicts(_ raw: [UInt8], _ digest: [UInt8]) -> [FixedKeyVerdict] {
    [verifier.verdict(raw: raw, digest: digest), verifier.verdict(der: der(raw), digest: digest)]
  }

  func isAcceptedByEVP(_ raw: [UInt8], _ digest: [UInt8]) -> Bool {
    reference.isValid(der: der(raw), digest: digest)
  }

  private func der(_ raw: [UInt8]) -> [UInt8] {
    derSequence(derInteger(Array(raw.prefix(32))) + derInteger(Array(raw.suffix(32))))
  }
}

/// Five signatures whose `r` is so small that it could stand for two coordinates.
///
/// Source: C2SP's Wycheproof, ecdsa_secp256r1_sha256_test.json, tests 350, 475, 476, 479, 480.
private let smallHalves:
  [(x: String, y: String, signature: String, message: String, verdict: FixedKeyVerdict, isValid: Bool)] = [
    (
      x: "0ad99500288d466940031d72a9f5445a4d43784640855bf0a69874d2de5fe103",
      y: "c5011e6ef2c42dcd50d5d3d29f99ae6eba2c80c9244f4c5422f0979ff0c3ba5e",
      signature: "303502104319055358e8617b0c46353d039cdaab022100ffffffff0"
        + "0000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254e",
      message: "313233343030", verdict: .undecided(.secondCoordinate), isValid: true
    ),
    (
      x: "264d796a0dab9b376d34eea6fe297dde1c7b73e53944bc96c8f1e8a6850bb6c9",
      y: "cf5308020eed460c649ddae61d4ef8bb79958113f106befaf4f18876d12a5e64",
      signature: "3026020105022100ffffffff00000000ffffffff"
        + "ffffffffbce6faada7179e84f3b9cac2fc63254e",
      message: "68656c6c6f2c20776f726c64", verdict: .valid, isValid: true
    ),
    (
      x: "add76677e54a92e79bbee36a70e1754838273ec4b39295e4018a587290a7fc73",
      y: "f240d625642c943e610d80d953c5c6b8a12760a624ba3b90a0b7902755e1ae79",
      signature: "3026020106022100ffffffff00000000ffffffff"
        + "ffffffffbce6faada7179e84f3b9cac2fc63254e",
      message: "68656c6c6f2c20776f726c64", verdict: .undecided(.secondCoordinate), isValid: false
    ),
    (
      x: "ce24c99032d52ac6ead23c0ae3ec68ef41e51a281fd457808c83136d7dcce90e",
      y: "8f7a154b551e9f39c59279357aa491b2a62bdebc2bb78613883fc72936c057e0",
      signature: "3026020103022100ffffffff00000000ffffffff"
        + "ffffffffbce6faada7179e84f3b9cac2fc63254e",
      message: "68656c6c6f2c20776f726c64", verdict: .undecided(.secondCoordinate), isValid: true
    ),
    (
      x: "c981c75ddfd3910387eb147098fe5658c43aaaa34c681cd6d514b6ad5b6baa6d",
      y: "14fbddb53a6e6db18e90602bc60f2e736d625765f7f2cca4be76f4eeccf12c18",
      signature: "3026020104022100ffffffff00000000ffffffff"
        + "ffffffffbce6faada7179e84f3b9cac2fc63254e",
      message: "68656c6c6f2c20776f726c64", verdict: .undecided(.secondCoordinate), isValid: false
    ),
  ]
