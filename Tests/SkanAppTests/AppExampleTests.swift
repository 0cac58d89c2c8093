import Foundation
import SkanApp
import SkanMapping
import Testing

/// The examples of doc comments, line by line; `tools/checks/layout` compares them with the sources.
struct `Examples of the doc comments for apps` {
  @Test func `The example of conversions confirms each update`() throws {
    let (now, store, bytes) = (epoch, MemoryStore(), countingDocument(of: "purchase"))
    var conversions = try AppConversions(mapping: AppMapping(document: bytes), store: store)
    let purchase = AppEvent(name: "purchase", time: now, micros: 4_990_000, currency: "EUR")
    for update in try conversions.launch(at: now) + conversions.record(purchase) {
      // Make the call, then:
      try conversions.confirm(update)
    }
    // What was not confirmed would come again.
    #expect(try conversions.launch(at: now + 1).isEmpty)
    #expect(try conversions.record(purchase).map(\.fine) == [2])
  }

  /// In the place of Apple's frameworks.
  private enum AppleCalls {
    actor Device {
      private(set) var values: [Int?] = []
      func take(_ update: AppUpdate) { values.append(update.fine) }
    }

    static let device = Device()
    static func make(_ update: AppUpdate) async throws { await device.take(update) }
  }

  @Test func `The example of a tracker makes the call for a purchase`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skan-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let mapping = try AppMapping(document: countingDocument(of: "purchase"))
    let product = (name: "coins", price: Decimal(5))
    let tracker = try ConversionTracker(mapping: mapping, store: FileStore(folder: folder)) {
      try await AppleCalls.make($0)
    }
    try await tracker.launch()
    try await tracker.record("purchase", amount: product.price, currency: "EUR")
    #expect(await AppleCalls.device.values == [1])
  }
}
