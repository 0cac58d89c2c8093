import Foundation
import JSONText
import TestSupport
import Testing

struct `The App Store that posts notifications` {
  private let path = "/v1/purchases/notifications"
  private let configuration = #"{"purchases":[{"app":525463029,"bundle-id":"com.example.game"}]}"#

  private func unsigned(
    _ type: String, transaction: Int, at moment: Int64 = 1_763_690_000_000,
    bundle: String = "com.example.game",
    price: Int = 4990,
    further: String = ""
  ) -> [UInt8] {
    Array(
      """
      {"notificationType":"\(type)","notificationUUID":"\(UUID().uuidString)","version":"2.0",
       "signedDate":1763700000000,"data":{"appAppleId":525463029,"bundleId":"\(bundle)","environment":"Production",
       "signedTransactionInfo":{"transactionId":"\(transaction)","originalTransactionId":"1","bundleId":"\(bundle)",
        "productId":"gold","purchaseDate":\(moment),"environment":"Production","signedDate":1763700000000,
        "price":\(price),"currency":"USD"\(further)},
       "signedRenewalInfo":{"productId":"gold","signedDate":1763700000000}}}
      """.utf8)
  }

  private func report(_ database: String, _ arguments: String...) throws -> String {
    try Subprocess.run(
      "skan", ["report", "purchases", "-d", database, "--environment", "test", "--format", "csv"] + arguments
    ).output
  }

  @Test func `It is answered 200 once a purchase is on disk, and each transaction counts once`() throws {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let database = folder.file("skan.db")
    let config = try folder.write(configuration, to: "skan.json")
    let daemon = try Daemon(database, ["--config", config, "--trust-test-keys", keys.publicFile])
    func post(_ body: [UInt8]) throws -> HTTPAnswer { try daemon.post(body, path) }
    let trial = try keys.keys.sign(
      unsigned("SUBSCRIBED", transaction: 1, price: 0, further: #","offerDiscountType":"FREE_TRIAL""#))
    let first = try post(trial)
    #expect(first.status == 200 && first.text.contains(#""type":"trial-start""#))
    #expect(try number(database, "SELECT sum(counted) FROM purchase_total") == 1)
    let renewal = try keys.keys.sign(unsigned("DID_RENEW", transaction: 2, at: 1_763_695_000_000))
    #expect(try post(renewal).text.contains(#""type":"trial-conversion""#))
    #expect(try post(renewal).text.contains(#""effect":"repeated""#))
    // Another notification of the same transaction.
    #expect(
      try post(keys.keys.sign(unsigned("DID_RENEW", transaction: 2))).text.contains(#""effect":"repeated""#))
    #expect(
      try post(keys.keys.sign(unsigned("EXPIRED", transaction: 2))).text.contains(#""effect":"not-counted""#))
    let refund = unsigned("REFUND", transaction: 2, further: #","revocationDate":1763790000000"#)
    #expect(try post(keys.keys.sign(refund)).status == 200)
    daemon.send(SIGKILL)
    _ = daemon.waitForEnd()
    let again = try Daemon(database, ["--config", config, "--trust-test-keys", keys.publicFile])
    #expect(try again.post(renewal, path).text.contains(#""effect":"repeated""#))
    let metrics = try again.get("/metrics").text
    #expect(metrics.contains(#"skan_purchase_notifications_total{state="repeated"} 1"#))
    #expect(again.end(SIGTERM).exitCode == 0)
    #expect(
      try report(database, "--by", "app,type")
        == "app,type,currency,charges,refunds,revocations,charged,refunded,proceeds,saturated\r\n"
        + "525463029,refund,USD,0,1,0,0,4.99,-4.99,false\r\n"
        + "525463029,trial-conversion,USD,1,0,0,4.99,0,4.99,false\r\n"
        + "525463029,trial-start,USD,1,0,0,0,0,0,false\r\n")
    let production = try Subprocess.run("skan", ["report", "purchases", "-d", database])
    #expect(production.output.contains("no purchases"))
    // Nothing of an account is in the file in the clear.
    #expect(try number(database, "SELECT count(*) FROM purchase WHERE length(account) <> 32") == 0)
  }

  @Test func `It is answered with the reason where a notification is not accepted, and nothing counts`()
    throws
  {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let database = folder.file("skan.db")
    let config = try folder.write(configuration, to: "skan.json")
    let daemon = try Daemon(database, ["--config", config])
    let body = try keys.keys.sign(unsigned("DID_RENEW", transaction: 2))
    let foreign = try daemon.post(body, path)
    #expect(foreign.status == 403 && foreign.text.contains(#""code":"foreign-root""#))
    let broken = try daemon.post(Array("{}".utf8), path)
    #expect(broken.status == 400 && broken.text.contains("signedPayload"))
    #expect(try daemon.get(path).status == 405)
    #expect(try number(database, "SELECT count(*) FROM purchase_total") == 0)
    #expect(
      try daemon.get("/metrics").text.contains(#"skan_purchase_notifications_total{state="rejected"} 2"#))
    _ = daemon.end(SIGTERM)
    let trusting = try Daemon(database, ["--config", config, "--trust-test-keys", keys.publicFile])
    let other = try keys.keys.sign(unsigned("DID_RENEW", transaction: 2, bundle: "com.example.other"))
    #expect(try trusting.post(other, path).text.contains(#""code":"other-app""#))
    #expect(try trusting.post(body, path).status == 200)
    _ = trusting.end(SIGTERM)
    let pruned = try Subprocess.run(
      "skan", ["prune", "-d", database, "--older-than", "1d", "--format", "json"])
    #expect(pruned.output.contains(#""purchases":1"#))
    let afterwards = try Daemon(database, ["--config", config, "--trust-test-keys", keys.publicFile])
    #expect(try afterwards.post(body, path).status == 410)
    _ = afterwards.end(SIGTERM)
    #expect(try number(database, "SELECT sum(counted) FROM purchase_total") == 1)
    // Without an app there is no such path.
    let closed = try Daemon(database)
    #expect(try closed.post(body, path).status == 404)
    _ = closed.end(SIGTERM)
  }
}
