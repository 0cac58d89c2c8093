import JSONText
import OpenSSL
import Postbacks
import Signing
import Testing
import Values

@testable import Verification

/// A notification as the App Store has it before it is signed.
private struct Unsigned {
  var type = "SUBSCRIBED"
  var subtype: String? = "INITIAL_BUY"
  var bundle = "com.example.game"
  var app: Int64? = 525_463_029
  var environment = "Production"
  var transactionBundle = "com.example.game"
  var transactionEnvironment = "Production"
  var signedAt: Int64 = 1_763_700_000_000
  var members: [String: String] = ["price": "4990", "currency": "\"USD\""]

  private var transaction: String {
    let further = members.sorted { $0.key < $1.key }.map { ",\"\($0.key)\":\($0.value)" }.joined()
    return
      #"{"transactionId":"20001","originalTransactionId":"20000","bundleId":"\#(transactionBundle)","productId":"gold","purchaseDate":1763690000000,"environment":"\#(transactionEnvironment)","signedDate":\#(signedAt)\#(further)}"#
  }
  private var renewal: String { #"{"productId":"gold","signedDate":\#(signedAt)}"# }

  func signed(
    by chain: TestChain, transactionBy other: TestChain? = nil, renewalBy third: TestChain? = nil,
    algorithm: String = "ES256"
  ) throws -> [UInt8] {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let inner = text(try (other ?? chain).sign(Array(transaction.utf8)))
    let second = text(try (third ?? chain).sign(Array(renewal.utf8)))
    let number = app.map { #""appAppleId":\#($0),"# } ?? ""
    let word = subtype.map { #""subtype":"\#($0)","# } ?? ""
    let payload =
      #"{"notificationType":"\#(type)",\#(word)"notificationUUID":"002E14D5-51F5-4503-B5A8-C3A1AF68EB20","version":"2.0","signedDate":\#(signedAt),"data":{\#(number)"bundleId":"\#(bundle)","environment":"\#(environment)","signedTransactionInfo":"\#(inner)","signedRenewalInfo":"\#(second)"}}"#
    return Array(
      #"{"signedPayload":"\#(text(try chain.sign(Array(payload.utf8), algorithm: algorithm)))"}"#.utf8)
  }
}

struct `Notifications of the App Store` {
  private let apps = ["com.example.game": AppID(525_463_029)].compactMapValues(\.self)
  private let chain: TestChain
  private let verifier: PurchaseVerifier
  private let root: Root

  /// A root that a test acts as.
  private final class Root: Sendable {
    let key: PrivateKey
    init() throws { key = try PrivateKey(generateOn: .p256) }

    func trusted(_ environment: Environment) -> TrustedKey {
      TrustedKey(use: .purchases, curve: .p256, environment: environment, spki: key.spki())
    }
  }

  init() throws {
    root = try Root()
    chain = try TestChain(root: root.key)
    // As Apple, so that all of its environments can be tried.
    verifier = try PurchaseVerifier(trusting: [root.trusted(.production)])
  }

  private func rejection(_ body: [UInt8]) throws -> PurchaseRejection? {
    do throws(PurchaseRejection) { _ = try verifier.verify(body, of: apps) } catch { return error }
    return nil
  }

  private func event(_ unsigned: Unsigned) throws -> PurchaseEvent? {
    try verifier.verify(unsigned.signed(by: chain), of: apps).event
  }

  @Test func `Apple's own certificates hold on their days and below Apple's root alone`() throws {
    let members = try JSONPlace(try JSONReader.read(vectorFile("app-store-chain.json"))).members()
    func certificate(_ name: String) throws -> [UInt8] {
      try #require(Base64.decode(Array(try members.required(name).text().utf8)))
    }
    let (leaf, middle, root) = (
      try certificate("leaf"), try certificate("intermediate"), try certificate("root")
    )
    #expect(root == (try AppStoreRoot.load()))
    func key(at moment: String, _ leaf: [UInt8], _ mark: String = AppStoreRoot.leafMark) throws -> [UInt8] {
      try CertificateChain(leaf: leaf, intermediate: middle, root: root).leafKey(
        at: try #require(Instant(moment)).seconds, leafMark: mark,
        intermediateMark: AppStoreRoot.intermediateMark)
    }
    #expect(try PublicKey(spki: key(at: "2025-10-31", leaf)).curve == .p256)
    #expect(throws: ChainDefect.expired) { try key(at: "2025-09-01", leaf) }
    #expect(throws: ChainDefect.expired) { try key(at: "2027-10-14", leaf) }
    #expect(throws: ChainDefect.unmarked("1.2.3")) { try key(at: "2025-10-31", leaf, "1.2.3") }
    for place in leaf.indices {
      var other = leaf
      other[place] ^= 1
      #expect(throws: ChainDefect.self) { try key(at: "2025-10-31", other) }
    }
    // The certificate of the App Store is genuine, and its signature of this text is not.
    let entries = [leaf, middle, root].map { "\"\(String(decoding: Base64.encode($0), as: UTF8.self))\"" }
    let header = #"{"alg":"ES256","x5c":[\#(entries.joined(separator: ","))]}"#
    let payload = #"{"notificationType":"TEST","signedDate":1761962975000}"#
    let parts = [Array(header.utf8), Array(payload.utf8), [UInt8](repeating: 1, count: 64)].map {
      String(decoding: Base64.encodeURL($0), as: UTF8.self)
    }
    let body = #"{"signedPayload":"\#(parts.joined(separator: "."))"}"#
    #expect(try rejection(Array(body.utf8)) == .signatureMismatch)
  }

  @Test func `A notification counts in the environment that its root and its signer name`() throws {
    let purchase = try verifier.verify(Unsigned().signed(by: chain), of: apps)
    #expect(purchase.environment == .production && purchase.app.number == 525_463_029)
    var unsigned = Unsigned()
    (unsigned.environment, unsigned.transactionEnvironment, unsigned.app) = ("Sandbox", "Sandbox", nil)
    #expect(try verifier.verify(unsigned.signed(by: chain), of: apps).environment == .sandbox)
    let tester = try PurchaseVerifier(trusting: [root.trusted(.test)])
    #expect(try tester.verify(unsigned.signed(by: chain), of: apps).environment == .test)
    #expect(try tester.verify(Unsigned().signed(by: chain), of: apps).environment == .test)
    (unsigned.environment, unsigned.transactionEnvironment) = ("Xcode", "Xcode")
    #expect(try rejection(unsigned.signed(by: chain)) == .otherEnvironment)
  }

  @Test func `A notification with any changed byte is rejected`() throws {
    let body = try Unsigned().signed(by: chain)
    #expect(try rejection(body) == nil)
    var random = SplitMix64(seed: 32)
    for place in body.indices {
      var other = body
      other[place] ^= UInt8(1 + random.number(below: 255))
      #expect(try rejection(other) != nil, "byte \(place)")
    }
  }

  @Test func `A notification of another signer, algorithm, app or time is rejected with the reason`() throws {
    let stranger = try TestChain(root: try PrivateKey(generateOn: .p256))
    #expect(try rejection(Unsigned().signed(by: stranger)) == .foreignRoot)
    #expect(try rejection(Unsigned().signed(by: chain, transactionBy: stranger)) == .foreignRoot)
    #expect(try rejection(Unsigned().signed(by: chain, renewalBy: stranger)) == .foreignRoot)
    #expect(try rejection(Unsigned().signed(by: chain, algorithm: "HS256")) == .otherAlgorithm)
    #expect(try rejection(Unsigned().signed(by: chain, algorithm: "none")) == .otherAlgorithm)
    var form = TestChain.Form()
    form.validity = Instant(seconds: 1_600_000_000)...Instant(seconds: 1_700_000_000)
    let expired = try TestChain(root: root.key, form)
    #expect(try rejection(Unsigned().signed(by: expired)) == .expiredChain)
    var early = Unsigned()
    early.signedAt = 1_650_000_000_000
    #expect(try rejection(early.signed(by: expired)) == nil, "valid at the signedDate is enough")
    for (leaf, middle) in [(false, true), (true, false)] {
      var form = TestChain.Form()
      (form.marksLeaf, form.marksIntermediate) = (leaf, middle)
      let found = try rejection(Unsigned().signed(by: try TestChain(root: root.key, form)))
      #expect(found?.code == "broken-chain")
    }
    var other = Unsigned()
    other.bundle = "com.example.other"
    #expect(try rejection(other.signed(by: chain))?.code == "other-app")
    other = Unsigned()
    other.app = 1
    #expect(try rejection(other.signed(by: chain))?.code == "other-app")
    other.app = nil
    #expect(try rejection(other.signed(by: chain))?.code == "other-app")
    other = Unsigned()
    other.transactionBundle = "com.example.other"
    #expect(try rejection(other.signed(by: chain))?.code == "other-app")
    other = Unsigned()
    other.transactionEnvironment = "Sandbox"
    #expect(try rejection(other.signed(by: chain)) == .otherEnvironment)
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"signedPayload":1}"#, #"{"signedPayload":"a.b"}"#,
    #"{"signedPayload":"e30.e30.AA"}"#,
    #"{"signedPayload":"eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.AA"}"#,
  ])
  func `A body without the form of a notification is malformed`(body: String) throws {
    #expect(try rejection(Array(body.utf8))?.code == "malformed")
  }

  @Test(
    arguments: [
      ("SUBSCRIBED", "INITIAL_BUY", "", .purchase), ("SUBSCRIBED", "RESUBSCRIBE", "", .purchase),
      ("SUBSCRIBED", "INITIAL_BUY", "FREE_TRIAL", .trialStart), ("ONE_TIME_CHARGE", nil, "", .purchase),
      ("OFFER_REDEEMED", "INITIAL_BUY", "PAY_UP_FRONT", .purchase), ("OFFER_REDEEMED", "DOWNGRADE", "", nil),
      ("DID_CHANGE_RENEWAL_PREF", "UPGRADE", "", .purchase),
      ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", "", nil),
      ("DID_RENEW", nil, "", .renewal), ("DID_RENEW", "BILLING_RECOVERY", "", .renewal),
      ("REFUND", nil, "", .refund), ("REFUND_REVERSED", nil, "", .refundReversal),
      ("REVOKE", nil, "", .revocation), ("EXPIRED", "VOLUNTARY", "", nil),
      ("CONSUMPTION_REQUEST", nil, "", nil),
      ("A_LATER_ONE", nil, "", nil),
    ] as [(String, String?, String, PurchaseType?)])
  func `What a notification counts as follows from its type, its subtype and its offer`(
    type: String, subtype: String?, offer: String, expected: PurchaseType?
  ) throws {
    var unsigned = Unsigned()
    (unsigned.type, unsigned.subtype) = (type, subtype)
    if !offer.isEmpty { unsigned.members["offerDiscountType"] = "\"\(offer)\"" }
    #expect(try event(unsigned)?.type == expected)
  }

  @Test func `Amounts are exact, in millionths, and of the part that was refunded`() throws {
    let dollars = try #require(CurrencyCode("USD"))
    let bought = try #require(try event(Unsigned()))
    #expect(bought.amount == Money(micros: 4_990_000, currency: dollars))
    #expect(bought.at == Instant(milliseconds: 1_763_690_000_000) && bought.product == "gold")
    var unsigned = Unsigned()
    unsigned.type = "REFUND"
    unsigned.members["revocationDate"] = "1763695000000"
    unsigned.members["revocationPercentage"] = "33333"
    let refund = try #require(try event(unsigned))
    #expect(refund.amount == Money(micros: 1_663_316, currency: dollars))
    #expect(refund.at == Instant(milliseconds: 1_763_695_000_000))
    unsigned.members["price"] = nil
    #expect(try event(unsigned)?.amount == nil)
    unsigned.members["price"] = "1000000000000000"
    unsigned.members["revocationPercentage"] = "100000"
    #expect(try event(unsigned)?.amount?.micros == 1_000_000_000_000_000_000)
    for (name, value) in [
      ("price", "-1"), ("price", "1.5"), ("price", "1000000000000001"), ("currency", "\"XXQ\""),
    ] {
      var unsigned = Unsigned()
      unsigned.members[name] = value
      #expect(try rejection(unsigned.signed(by: chain))?.code == "malformed", "\(name) \(value)")
    }
  }

  @Test func `A purchase is not counted twice because a family shares it`() throws {
    var unsigned = Unsigned()
    unsigned.members["inAppOwnershipType"] = "\"FAMILY_SHARED\""
    #expect(try event(unsigned) == nil)
    unsigned.type = "REVOKE"
    #expect(try event(unsigned)?.type == .revocation)
  }
}
