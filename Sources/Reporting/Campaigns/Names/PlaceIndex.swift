/// Finds the places of texts that are elsewhere, without an object in memory for each text.
struct PlaceIndex: Sendable {
  private struct Item {
    let hash: UInt32
    let place: Int32
    /// The item before it with the same slot; negative for none.
    var next: Int32
  }

  private var items: [Item] = []
  /// The last item of each slot, of which there is a power of two; negative for none.
  private var slots: [Int32] = []

  /// The memory that it takes.
  var bytes: Int {
    items.capacity * MemoryLayout<Item>.stride + slots.capacity * MemoryLayout<Int32>.stride
  }

  private static func hash(_ text: String) -> UInt32 { UInt32(truncatingIfNeeded: text.hashValue) }

  private func slot(_ hash: UInt32) -> Int { Int(hash) & (slots.count - 1) }

  mutating func add(_ place: Int32, as text: String) {
    if items.count == slots.count { grow() }
    let hash = Self.hash(text)
    let slot = slot(hash)
    items.append(Item(hash: hash, place: place, next: slots[slot]))
    slots[slot] = Int32(items.count - 1)
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: max(8, 2 * slots.count))
    for index in items.indices {
      let slot = slot(items[index].hash)
      items[index].next = slots[slot]
      slots[slot] = Int32(index)
    }
  }

  /// The places of a text, in the order in which they were added.
  ///
  /// - Parameter isOf: Whether the text is at a place: another one can have its hash.
  func places(of text: String, where isOf: (Int32) -> Bool) -> [Int32] {
    guard !items.isEmpty else { return [] }
    let hash = Self.hash(text)
    var found: [Int32] = []
    var index = slots[slot(hash)]
    while index >= 0 {
      let item = items[Int(index)]
      if item.hash == hash, isOf(item.place) { found.append(item.place) }
      index = item.next
    }
    found.reverse()
    return found
  }
}
