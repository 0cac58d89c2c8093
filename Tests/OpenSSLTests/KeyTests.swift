import OpenSSL
import Testing

struct `Keys on both curves` {
  @Test(arguments: Curve.allCases)
  func `Keys on both curves sign what they verify, in both forms`(curve: Curve) throws {
    let secret = try PrivateKey(generateOn: curve)
    let key = KeyBox(try PublicKey(spki: secret.spki()))
    let message = Array("message".utf8)
    for _ in 0..<20 {
      let signature = try secret.sign(message)
      let raw = try secret.signRaw(message)
      #expect(raw.count == 2 * curve.coordinateSize)
      #expect(key.isValid(signature: signature, for: message))
      #expect(key.isValid(rawSignature: raw, for: message))
      #expect(!key.isValid(signature: signature, for: message + [0]))
      #expect(!key.isValid(rawSignature: raw, for: []))
      #expect(!key.isValid(signature: raw, for: message))
      #expect(!key.isValid(rawSignature: signature, for: message))
      #expect(!key.isValid(signature: signature + [0], for: message))
      #expect(!key.isValid(signature: signature.dropLast(), for: message))
      #expect(!key.isValid(rawSignature: raw + [0], for: message))
    }
    #expect(!key.isValid(signature: [], for: message))
    #expect(!key.isValid(rawSignature: [], for: message))
    #expect(!key.isValid(rawSignature: [UInt8](repeating: 0, count: 2 * curve.coordinateSize), for: message))
  }

  @Test(arguments: Curve.allCases)
  func `Keys on both curves are read back as they were written`(curve: Curve) throws {
    let secret = try PrivateKey(generateOn: curve)
    let again = try PrivateKey(der: secret.der())
    let (found, expected) = (again.spki(), secret.spki())
    #expect(found == expected)
    let foundCurve = again.curve
    #expect(foundCurve == curve)
    let block = PEMBlock(label: "EC PRIVATE KEY", bytes: secret.der())
    #expect(PEMBlock.blocks(in: "a comment\n" + block.text + block.text) == [block, block])
  }

  @Test func `Keys on both curves are rejected in any other form`() throws {
    let spki = try PrivateKey(generateOn: .p256).spki()
    #expect(throws: KeyError.self) { _ = try PublicKey(spki: []) }
    #expect(throws: KeyError.self) { _ = try PublicKey(spki: spki + [0]) }
    #expect(throws: KeyError.self) { _ = try PublicKey(spki: spki.dropLast()) }
    var offCurve = spki
    offCurve[offCurve.count - 1] ^= 1
    #expect(throws: KeyError.self) { _ = try PublicKey(spki: offCurve) }
    #expect(throws: KeyError.self) { _ = try PrivateKey(der: spki) }
    #expect(throws: KeyError.self) { _ = try PrivateKey(scalar: [1], on: .p256) }
    #expect(throws: KeyError.self) {
      _ = try PrivateKey(scalar: [UInt8](repeating: 0xFF, count: 32), on: .p256)
    }
    #expect(throws: KeyError.self) { _ = try PrivateKey(scalar: [UInt8](repeating: 0, count: 24), on: .p192) }
  }

  @Test func `Keys on both curves can be used by eight threads at once`() async throws {
    let secret = try PrivateKey(generateOn: .p256)
    let box = KeyBox(try PublicKey(spki: secret.spki()))
    let message = Array("message".utf8)
    let signature = try secret.sign(message)
    let held = await withTaskGroup(of: Int.self) { group in
      for thread in 0..<8 {
        group.addTask {
          (0..<100).count {
            box.isValid(signature: signature, for: $0 % 2 == 0 ? message : message + [UInt8(thread)])
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(held == 400)
  }
}
