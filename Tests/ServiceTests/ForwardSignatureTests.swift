import OpenSSL
import PostbackFixtures
@testable import Routing
@testable import Service
import TestSupport
import Testing
import Values

private let now = noon
private let secret = Array("0123456789abcdef0123456789abcdef".utf8)
private let body = Array(#"{"a":1}"#.utf8)

private func code(_ seconds: Int64, secret: [UInt8] = secret, body: [UInt8] = body) throws -> String {
  hexText(try hmacSHA256(Array("\(seconds).".utf8) + body, secret: secret))
}

private func mistake(_ header: String?, at now: Instant = now, secrets: [[UInt8]] = [secret])
  -> ForwardSignature.Mistake?
{ ForwardSignature.mistake(in: header, of: body, secrets: secrets, now: now) }

struct `A network's signature` {
  @Test func `A network's signature matches another program's`() {
    // printf '1795262400.{"a":1}' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
    #expect(
      mistake("t=1795262400,v1=dd0e5951a93148f2dd52328c985fc6e4904156a84d17575fa4c433062af9efa1") == nil)
  }

  @Test(arguments: [-300_000, -1, 0, 299_999, 300_000] as [Int64])
  func `A network's signature is valid for 300 seconds either way`(distance: Int64) throws {
    #expect(mistake("t=1795262400,v1=\(try code(1_795_262_400))", at: now + distance) == nil)
  }

  @Test(arguments: [-300_001, 300_001, .max / 2] as [Int64])
  func `A network's signature expires after 300 seconds`(distance: Int64) throws {
    let time = Instant(milliseconds: now.milliseconds &+ distance)
    #expect(
      mistake("t=1795262400,v1=\(try code(1_795_262_400))", at: time)
        == .expired(now, now: time))
  }

  @Test func `A network's signature can be among others`() throws {
    let good = try code(1_795_262_400)
    let bad = String(repeating: "0", count: 64)
    #expect(mistake("t=1795262400,v1=\(bad),v1=\(good)") == nil)
    #expect(mistake("t=1795262400, v1=\(good), v0=what") == nil)
    #expect(mistake("v1=\(good.uppercased()),t=1795262400") == nil)
    let old = Array("an older secret of more than 32 letters".utf8)
    #expect(mistake("t=1795262400,v1=\(good)", secrets: [old, secret]) == nil)
    #expect(mistake("t=1795262400,v1=\(bad)") == .mismatch)
    #expect(mistake("t=1795262400,v1=\(try code(1_795_262_400, secret: old))") == .mismatch)
    #expect(mistake("t=1795262401,v1=\(good)") == .mismatch)
    #expect(mistake("t=1795262400,v1=\(try code(1_795_262_400, body: body + [10]))") == .mismatch)
  }

  @Test(arguments: [
    "", "t=1795262400", "v1=", "t=,v1=CODE", "t=1795262400,v1=CODE0", "t=1795262400;v1=CODE",
    "t=-1,v1=CODE", "t=1e9,v1=CODE", "t=1795262400,t=1795262400,v1=CODE", "t=1795262400,v1=CODE,",
    "t=9999999999999,v1=CODE", "t=1795262400,v1=xyz", "T=1795262400,v1=CODE",
    "t=1795262400" + String(repeating: ",v1=CODE", count: 9),
  ])
  func `A network's signature is rejected in any other form`(header: String) throws {
    let header = header.replacing("CODE", with: try code(1_795_262_400))
    #expect(mistake(header) == .malformed)
  }

  @Test func `A network's signature is required`() { #expect(mistake(nil) == .missing) }

  @Test func `A network's signature is invalid after any change of a letter`() throws {
    let header = Array("t=1795262400,v1=\(try code(1_795_262_400))".utf8)
    for index in header.indices {
      for change: UInt8 in [1, 2, 4, 16, 64] {
        var changed = header
        changed[index] ^= change
        // A letter of the code in the other case is the same code.
        guard String(decoding: changed, as: UTF8.self).lowercased() != String(decoding: header, as: UTF8.self)
        else { continue }
        #expect(mistake(String(decoding: changed, as: UTF8.self)) != nil)
      }
    }
  }
}
