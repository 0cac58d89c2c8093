import Foundation
import OpenSSL
import TestSupport
import Testing
import Values

/// How many cases to run: `SKAN_DIFFERENTIAL_CASES`, or as many as an ordinary run can bear.
private let caseCount =
  ProcessInfo.processInfo.environment["SKAN_DIFFERENTIAL_CASES"].flatMap { Int($0) } ?? 20_000

struct `Checks with a table of the key` {
  @Test func `Checks with a table of the key answer as OpenSSL's own check does, whatever the signature`()
    throws
  {
    var tally = Tally()
    let keyCount = max(4, min(16, caseCount / 5_000))
    var random = SplitMix64(seed: 0x5EED)
    for _ in 0..<keyCount { try tally.run(caseCount / keyCount, random: &random) }
    print("differential: \(tally)")
    #expect(tally.mismatches == [])
    #expect(tally.cases >= caseCount - keyCount)
    #expect(tally.valid > caseCount / 5)
    #expect(tally.invalid > caseCount / 6)
    #expect(tally.undecided[.malformed, default: 0] > 0)
    #expect(tally.undecided[.outOfRange, default: 0] > 0)
    #expect(tally.undecided[.secondCoordinate, default: 0] > 0)
    #expect(tally.undecided[.failure] == nil)
    // Every kind of change has to have been drawn, and one that leaves a signature genuine has to pass.
    #expect(tally.acceptedByKind.count == Change.allCases.count)
    for (kind, accepted) in tally.acceptedByKind {
      #expect((accepted > 0) == (kind == .none || kind == .negatedS), "\(kind)")
    }
  }
}

/// What is done to a genuine signature.
private enum Change: CaseIterable {
  case none, negatedS, otherDigest, otherKey, swapped, flippedSignatureBit
  case zeroR, zeroS, orderR, orderS, belowOrderR, belowOrderS, aboveOrderR, aboveOrderS
  case unreducedR, unreducedS, hugeR, hugeS, negativeR, negativeS, smallR, randomHalves
  case truncated, empty, trailingByte, trailingByteInside, paddedInteger, longLength, indefiniteLength
  case flippedDERBit, thirdInteger, wrongTag
}

private struct Tally: CustomStringConvertible {
  var cases = 0
  var valid = 0
  var invalid = 0
  var undecided: [FixedKeyVerdict.Reason: Int] = [:]
  var acceptedByKind: [Change: Int] = [:]
  var mismatches: [String] = []

  var description: String {
    "\(cases) cases, \(valid) valid, \(invalid) invalid, undecided \(undecided), \(mismatches.count) mismatches"
  }

  /// Runs cases of one new key: one of four as it was signed, the others changed.
  mutating func run(_ count: Int, random: inout SplitMix64) throws {
    let reference = try EVPVerifier(spki: spki(scalar: [0] + random.bytes(31)))
    let point = try #require(reference.point)
    let otherPoint = try #require(EVPVerifier(spki: spki(scalar: [0] + random.bytes(31))).point)
    let verifier = try #require(FixedKeyVerifier(point: point))
    var ran = 0
    while ran < count {
      let (u1, u2) = (random.bytes(32), random.bytes(32))
      let genuine = try #require(SignedDigest(by: point, u1: u1, u2: u2))
      for index in 0..<min(4, count - ran) {
        let change = index == 0 ? .none : Change.allCases[random.number(below: Change.allCases.count)]
        let signed =
          change == .otherKey ? try #require(SignedDigest(by: otherPoint, u1: u1, u2: u2)) : genuine
        let candidate = Candidate(signed, change, &random)
        judge(candidate, change, by: verifier, and: reference)
        ran += 1
      }
    }
  }

  private mutating func judge(
    _ candidate: Candidate, _ change: Change, by verifier: FixedKeyVerifier, and reference: EVPVerifier
  ) {
    cases += 1
    let expected = reference.isValid(der: candidate.der, digest: candidate.digest)
    acceptedByKind[change, default: 0] += expected ? 1 : 0
    let verdict = verifier.verdict(der: candidate.der, digest: candidate.digest)
    switch verdict {
    case .valid: valid += 1
    case .invalid: invalid += 1
    case .undecided(let reason): undecided[reason, default: 0] += 1
    }
    compare(verdict, expected, change, candidate)
    // The raw form has no other spellings, so it is judged like its DER form whenever it has one.
    if let raw = candidate.raw {
      compare(verifier.verdict(raw: raw, digest: candidate.digest), expected, change, candidate)
    }
  }

  private mutating func compare(
    _ verdict: FixedKeyVerdict, _ expected: Bool, _ change: Change, _ candidate: Candidate
  ) {
    let isRight =
      switch verdict {
      case .valid: expected
      case .invalid, .undecided(.malformed), .undecided(.outOfRange): !expected
      case .undecided: true
      }
    if !isRight { mismatches.append("\(change): \(verdict), \(hexText(candidate.der))") }
  }
}

/// A signature to judge, in DER form and, where it has one, in the raw form.
private struct Candidate {
  var der: [UInt8]
  var raw: [UInt8]?
  var digest: [UInt8]

  init(_ genuine: SignedDigest, _ change: Change, _ random: inout SplitMix64) {
    var r = Array(genuine.rawSignature.prefix(32))
    var s = Array(genuine.rawSignature.suffix(32))
    digest = genuine.digest
    switch change {
    case .negatedS: s = difference(order, s)
    case .otherDigest: digest[random.number(below: 32)] ^= 1 << UInt8(random.number(below: 8))
    case .swapped: swap(&r, &s)
    case .flippedSignatureBit:
      let (place, bit) = (random.number(below: 32), UInt8(1) << UInt8(random.number(below: 8)))
      if random.happens(0.5) { r[place] ^= bit } else { s[place] ^= bit }
    case .zeroR: r = small(0)
    case .zeroS: s = small(0)
    case .orderR: r = order
    case .orderS: s = order
    case .belowOrderR: r = difference(order, small(1))
    case .belowOrderS: s = difference(order, small(1))
    case .aboveOrderR: r = sum(order, small(UInt8(1 + random.number(below: 200))))
    case .aboveOrderS: s = sum(order, small(UInt8(1 + random.number(below: 200))))
    case .smallR: r = [UInt8](repeating: 0, count: 17) + random.bytes(15)
    case .randomHalves: (r, s) = (random.bytes(32), random.bytes(32))
    default: break
    }
    raw = r + s
    der = derSequence(derInteger(r) + derInteger(s))
    guard let respelled = Self.respell(r, s, der, change, &random) else { return }
    raw = nil
    der = respelled
  }

  /// The changes that only the DER form can show.
  private static func respell(
    _ r: [UInt8], _ s: [UInt8], _ der: [UInt8], _ change: Change, _ random: inout SplitMix64
  ) -> [UInt8]? {
    switch change {
    case .unreducedR: return derSequence(derInteger(sum([0] + r, [0] + order)) + derInteger(s))
    case .unreducedS: return derSequence(derInteger(r) + derInteger(sum([0] + s, [0] + order)))
    case .hugeR:
      return derSequence(derInteger([1] + random.bytes(random.number(below: 20)) + r) + derInteger(s))
    case .hugeS:
      return derSequence(derInteger(r) + derInteger([1] + random.bytes(random.number(below: 20)) + s))
    case .negativeR: return derSequence([0x02, 32, r[0] | 0x80] + r.dropFirst() + derInteger(s))
    case .negativeS: return derSequence(derInteger(r) + [0x02, 32, s[0] | 0x80] + s.dropFirst())
    case .truncated: return Array(der.prefix(random.number(below: der.count)))
    case .empty: return []
    case .trailingByte: return der + random.bytes(1)
    case .trailingByteInside: return derSequence(der.dropFirst(2) + random.bytes(1))
    case .paddedInteger:
      return derSequence([0x02, 34, 0, 0] + r + derInteger(s))
    case .longLength: return [0x30, 0x81] + der.dropFirst()
    case .indefiniteLength: return [0x30, 0x80] + der.dropFirst(2) + [0, 0]
    case .flippedDERBit:
      var bytes = der
      bytes[random.number(below: der.count)] ^= 1 << UInt8(random.number(below: 8))
      return bytes
    case .thirdInteger: return derSequence(der.dropFirst(2) + derInteger(small(1)))
    case .wrongTag: return [UInt8(random.number(below: 0x30))] + der.dropFirst()
    default: return nil
    }
  }
}
