@testable import Ledger
import PostbackFixtures
import Postbacks
@testable import Reports
import Testing
import TestSupport
import Values

struct `A report on purchases` {
  private func lines(_ parameters: [String: String], from path: String) throws -> [String] {
    try printed(PurchaseReport.self, parameters, as: .csv, from: path).split(separator: "\r\n").map(
      String.init)
  }

  @Test func `Is empty and states where the App Store posts, until there are purchases`() throws {
    let folder = try TemporaryFolder()
    try store([], in: folder.file("skan.db"))
    let text = try printed(PurchaseReport.self, [:], as: .table, from: folder.file("skan.db"))
    #expect(text.contains("/v1/purchases/notifications"))
    #expect(
      try lines([:], from: folder.file("skan.db")) == [
        "app,currency,charges,refunds,revocations,charged,refunded,proceeds,saturated"
      ])
    #expect(
      try lines(["by": "day,product"], from: folder.file("skan.db"))[0]
        == "day,product,currency,charges,refunds,revocations,charged,refunded,proceeds,saturated")
  }

  @Test func `Has the largest amount in place of a sum that does not fit, and no proceeds`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    try store([], in: path)
    for number in 0..<UInt8(2) {
      _ = try LedgerFile(path: path).write(
        PurchaseStoring(
          environment: .production, app: known(AppID(7)), type: .purchase,
          at: Day(number: 20_400 + Int32(number)).start, product: "gold", currency: "VND",
          micros: 9_000_000_000_000_000_000,
          digests: .init(account: [1], transaction: [number]), notification: [number]))
    }
    #expect(
      try lines(["app": "7"], from: path).dropFirst() == ["7,VND,2,0,0,9223372036854.775807,0,,true"])
    #expect(
      try lines(["by": "day"], from: path).dropFirst() == [
        "\(Day(number: 20_400)),VND,1,0,0,9000000000000,0,9000000000000,false",
        "\(Day(number: 20_401)),VND,1,0,0,9000000000000,0,9000000000000,false",
      ])
    let text = try printed(PurchaseReport.self, [:], as: .table, from: path)
    #expect(text.contains("larger than the largest amount"))
  }
}
