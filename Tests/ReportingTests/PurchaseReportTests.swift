import Ledger
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
        "app,currency,charges,refunds,revocations,charged,refunded,proceeds"
      ])
    #expect(
      try lines(["by": "day,product"], from: folder.file("skan.db"))[0]
        == "day,product,currency,charges,refunds,revocations,charged,refunded,proceeds")
  }
}
