import Foundation
import Intake
import Ledger
import Postbacks
@testable import Routing
@testable import Service
import System
import TestSupport
import Testing
import Verification

struct `The tag of a client for its quota` {
  /// Hands a body in and waits until it is stored; gives the verdict and how often the tag was made.
  private func tags(_ body: [UInt8], _ intake: PostbackIntake) throws -> (state: VerdictState, made: Int) {
    let quota = try ClientTag()
    let client = ClientAddress(address: try #require(IPAddress("192.0.2.7")))
    let made = Guarded(0)
    let isStored = Guarded(false)
    @Sendable func tag() -> String {
      made.withLock { $0 += 1 }
      return quota.tag(of: client)
    }
    let judgement = intake.judge(PostbackReading(body))
    intake.store(judgement, of: body, from: Origin(.advertiserCopy), quotaSource: tag()) { _ in
      isStored.withLock { $0 = true }
      isStored.wakeAll()
    }
    _ = isStored.wait { $0 ? true : nil }
    return (judgement.state, made.withLock { $0 })
  }

  @Test(.timeLimit(.minutes(1)))
  func `The tag of a client for its quota is computed for no valid postback, and once for an invalid one`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skan-quota-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let ledger = try PostbackLedger(path: folder.appending(path: "skan.db").path)
    defer { ledger.close() }
    let intake = PostbackIntake(keyring: try Keyring(), ledger: ledger)
    let genuine = try SharedVectors.body("apple-4.0-web-fine")
    let forged = String(decoding: genuine, as: UTF8.self).replacing("\"did-win\"", with: "\"did-won\"")
    for _ in 0..<2 { #expect(try tags(genuine, intake) == (.valid, 0)) }
    let rejected = try tags(Array(forged.utf8), intake)
    #expect(rejected.state == .malformed)
    #expect(rejected.made == 1)
    #expect(try tags(Array("{".utf8), intake).made == 1)
  }
}
