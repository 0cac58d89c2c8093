/// Bytes that are in memory, and whether so many have gone that the memory is worth being given back to the system.
struct HeldBytes: Sendable {
  private(set) var count = 0
  /// The most bytes that were held since memory was given back.
  private var most = 0
  /// Bytes that have to have gone before memory is given back.
  private static let worthwhile = 8 << 20

  mutating func add(_ bytes: Int) {
    count += bytes
    most = max(most, count)
  }

  mutating func remove(_ bytes: Int) { count -= bytes }

  /// Whether the caller has to give memory back, which it then does.
  mutating func takeRelease() -> Bool {
    guard most - count >= Self.worthwhile else { return false }
    most = count
    return true
  }
}
