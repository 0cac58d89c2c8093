import Foundation
import SkanApp
import SkanMapping
import Testing

@Suite struct `The tracker of an app` {
  /// A device that notes the calls it takes; the first ones take longest.
  private actor Device {
    private(set) var values: [Int?] = []
    private(set) var isDown = false
    private var calls = 0

    func go(down: Bool) { isDown = down }

    func take(_ update: AppUpdate) async throws {
      calls += 1
      try await Task.sleep(for: .milliseconds(max(0, 20 - calls)))
      if isDown { throw CancellationError() }
      values.append(update.fine)
    }
  }

  private let start = Date(timeIntervalSince1970: Double(epoch) / 1000)

  private func tracker(
    _ device: Device, _ store: MemoryStore = MemoryStore(), protocol name: String = "skan4"
  ) throws -> ConversionTracker<MemoryStore> {
    try ConversionTracker(mapping: countingMapping(protocol: name), store: store) {
      try await device.take($0)
    }
  }

  @Test func `The tracker of an app makes calls in their order, whichever tasks cause them`() async throws {
    let device = Device()
    let tracker = try tracker(device)
    try await tracker.launch(at: start)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask { try await tracker.record("buy", at: start) } }
      try await group.waitForAll()
    }
    #expect(await device.values == Array(1...9))
  }

  @Test func `The tracker of an app makes a call that failed again at the next launch`() async throws {
    let device = Device()
    let folder = FileManager.default.temporaryDirectory.appending(path: "skan-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    func tracker() throws -> ConversionTracker<FileStore> {
      try ConversionTracker(mapping: countingMapping(), store: FileStore(folder: folder)) {
        try await device.take($0)
      }
    }
    let first = try tracker()
    try await first.launch(at: start)
    try await first.record("buy", amount: 4.99, currency: "EUR", at: start)
    await device.go(down: true)
    await #expect(throws: CancellationError.self) { try await first.record("buy", at: start) }
    await device.go(down: false)
    let second = try tracker()
    #expect(await second.recovery == .none)
    try await second.launch(at: start.addingTimeInterval(3600))
    try await second.launch(at: start.addingTimeInterval(7200))
    #expect(await device.values == [1, 2])
  }

  @Test func `The tracker of an app goes on after a call that failed`() async throws {
    let device = Device()
    let tracker = try tracker(device)
    await device.go(down: true)
    await #expect(throws: CancellationError.self) { try await tracker.record("buy", at: start) }
    await device.go(down: false)
    try await tracker.record("buy", at: start)
    #expect(await device.values == [2])
  }

  @Test func `The tracker of an app begins a re-engagement for an address of Apple's alone`() async throws {
    let device = Device()
    let tracker = try tracker(device, protocol: "aak")
    try await tracker.launch(at: start)
    try await tracker.record("buy", at: start)
    let plain = try #require(URL(string: "https://shop.example/?x=1"))
    #expect(try await !tracker.open(plain, at: start))
    try await tracker.record("buy", at: start)
    let back = try #require(URL(string: "https://shop.example/?AdAttributionKitReengagementOpen=tag1&x=1"))
    #expect(try await tracker.open(back, at: start))
    try await tracker.record("buy", at: start)
    #expect(await device.values == [1, 2, 1])
  }
}
