/// Numbers for keys that are some integers each, in the order in which they come first.
///
/// It takes the place of a dictionary where something is looked up for every postback: keys lie side by side, and a key is
/// found with two looks at memory.
struct NumberedKeys {
  private let width: Int
  private var integers: [Int64] = []
  /// Numbers of keys, plus one, at the places that their hashes give; 0 for none.
  private var table = [UInt32](repeating: 0, count: 1 << 10)
  private let factors: [UInt64]
  private(set) var count = 0

  init(width: Int) {
    self.width = width
    // Other factors in every process, so that no sender can choose keys that collide; no result depends on them.
    factors = (0..<width).map { place in
      var hasher = Hasher()
      hasher.combine(place)
      return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }
  }

  subscript(number: Int, place: Int) -> Int64 { integers[number * width + place] }

  /// The numbers in the order of their keys.
  var sorted: [Int] {
    (0..<count).sorted { a, b in
      for place in 0..<width where self[a, place] != self[b, place] { return self[a, place] < self[b, place] }
      return false
    }
  }

  mutating func number(of key: [Int64]) -> Int { number(of: key, at: 0) }

  /// The numbers of keys that lie behind one another.
  ///
  /// It is done in steps, so that looks at memory for one key do not wait for those for another.
  mutating func find(_ keys: [Int64], _ numbers: inout [Int]) {
    numbers.removeAll(keepingCapacity: true)
    let mask = table.count - 1
    for first in stride(from: 0, to: keys.count, by: width) {
      numbers.append(hash { keys[first + $0] } & mask)
    }
    for index in numbers.indices { numbers[index] = Int(table[numbers[index]]) - 1 }
    for index in numbers.indices where numbers[index] < 0 || !isEqual(keys, index * width, numbers[index]) {
      numbers[index] = number(of: keys, at: index * width)
    }
  }

  private mutating func number(of keys: [Int64], at first: Int) -> Int {
    let mask = table.count - 1
    var place = hash { keys[first + $0] } & mask
    while true {
      let found = Int(table[place]) - 1
      if found < 0 { break }
      if isEqual(keys, first, found) { return found }
      place = (place + 1) & mask
    }
    table[place] = UInt32(count + 1)
    for index in 0..<width { integers.append(keys[first + index]) }
    count += 1
    if count * 2 > table.count { grow() }
    return count - 1
  }

  private func isEqual(_ keys: [Int64], _ start: Int, _ number: Int) -> Bool {
    let first = number * width
    for index in 0..<width where integers[first + index] != keys[start + index] { return false }
    return true
  }

  private func hash(_ integer: (Int) -> Int64) -> Int {
    var sum: UInt64 = 0
    for index in 0..<width { sum = sum &+ UInt64(bitPattern: integer(index)) &* factors[index] }
    // The low bits of a product follow from the low bits of its factors alone.
    sum = (sum ^ sum >> 32) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: sum >> 32)
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    let mask = table.count - 1
    for number in 0..<count {
      var place = hash { integers[number * width + $0] } & mask
      while table[place] != 0 { place = (place + 1) & mask }
      table[place] = UInt32(number + 1)
    }
  }
}
