/// Numbers for keys of one or several words, in the order in which they come first.
///
/// It takes the place of a dictionary where something is looked up for every postback: keys lie side by side, and a key is
/// found with two looks at memory.
struct NumberedKeys {
  let width: Int
  private var words: [UInt64] = []
  /// Numbers of keys, plus one, at the places that their hashes give; 0 for none.
  private var table = [UInt32](repeating: 0, count: 1 << 10)
  private let factors: [UInt64]
  private(set) var count = 0

  init(width: Int) {
    self.width = width
    // Other factors in every process, so that no sender can choose keys that collide; no result depends on them.
    factors = (0..<max(1, width)).map { place in
      var hasher = Hasher()
      hasher.combine(place)
      return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }
  }

  subscript(number: Int, place: Int) -> UInt64 { words[number * width + place] }

  /// The numbers of keys that lie behind one another.
  ///
  /// It is done in steps, so that looks at memory for one key do not wait for those for another.
  ///
  /// - Parameter count: How many keys there are; without a word, all are one.
  mutating func find(_ keys: [UInt64], count: Int, _ numbers: inout [UInt32]) {
    numbers.removeAll(keepingCapacity: true)
    guard count > 0 else { return }
    let mask = table.count - 1
    if width == 1 {
      let factor = factors[0]
      numbers.append(addingCapacity: count) { numbers in
        for key in keys { numbers.append(table[Self.mixed(key &* factor) & mask]) }
      }
      var numbers = numbers.mutableSpan
      for index in 0..<count {
        let found = numbers[index]
        if found != 0, words[Int(found) - 1] == keys[index] {
          numbers[index] = found - 1
        } else {
          numbers[index] = number(of: keys, at: index)
        }
      }
    } else {
      for index in 0..<count { numbers.append(number(of: keys, at: index * width)) }
    }
  }

  /// The numbers here of all keys of another list.
  mutating func numbers(adding other: Self) -> [UInt32] {
    var numbers: [UInt32] = []
    find(other.words, count: other.count, &numbers)
    return numbers
  }

  private mutating func number(of keys: [UInt64], at first: Int) -> UInt32 {
    let mask = table.count - 1
    var place = hash(keys, first) & mask
    while true {
      let found = Int(table[place]) - 1
      if found < 0 { break }
      if isEqual(keys, first, found) { return UInt32(found) }
      place = (place + 1) & mask
    }
    table[place] = UInt32(count + 1)
    for index in 0..<width { words.append(keys[first + index]) }
    count += 1
    if count * 2 > table.count { grow() }
    return UInt32(count - 1)
  }

  private func isEqual(_ keys: [UInt64], _ start: Int, _ number: Int) -> Bool {
    let first = number * width
    for index in 0..<width where words[first + index] != keys[start + index] { return false }
    return true
  }

  private func hash(_ keys: [UInt64], _ first: Int) -> Int {
    var sum: UInt64 = 0
    for index in 0..<width { sum = sum &+ keys[first + index] &* factors[index] }
    return Self.mixed(sum)
  }

  /// The low bits of a product follow from the low bits of its factors alone.
  private static func mixed(_ product: UInt64) -> Int {
    Int(truncatingIfNeeded: ((product ^ product >> 32) &* 0x9E37_79B9_7F4A_7C15) >> 32)
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    let mask = table.count - 1
    for number in 0..<count {
      var place = hash(words, number * width) & mask
      while table[place] != 0 { place = (place + 1) & mask }
      table[place] = UInt32(number + 1)
    }
  }
}
