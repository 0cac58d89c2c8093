import Values

/// Finds the name that was probably meant, without a comparison with every name.
///
/// Names are found under their letters and digits, and under those with any one letter left out. So two names meet that
/// differ in case, in punctuation, in the ending of a network's identifier, or in one letter. Names that differ in a digit are
/// of two things, and identifiers of networks are not.
struct NameSearch {
  /// What is found, in the order in which it was added.
  private var meanings: [String] = []
  /// The newest link of each key.
  private var newest: [UInt64: Int32] = [:]
  private var links: [(meaning: Int32, before: Int32)] = []

  /// Adds a name; `meaning` is what is found by it, if that is not the name itself.
  mutating func add(_ name: String, meaning: String? = nil) {
    let place = Int32(meanings.count)
    meanings.append(meaning ?? name)
    for key in Self.keys(of: name) {
      let before = newest.updateValue(Int32(links.count), forKey: key) ?? -1
      links.append((place, before))
    }
  }

  /// The names that were probably meant, the nearest first, at most three; those of equal letters alone, if there are any.
  func nearest(to name: String) -> [String] {
    let keys = Self.keys(of: name)
    for some in [keys.prefix(1), keys.dropFirst()] {
      var found: [String] = []
      for key in some {
        for candidate in meanings(of: key) where candidate != name && !found.contains(candidate) {
          found.append(candidate)
          if found.count == 3 { return found }
        }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  private func meanings(of key: UInt64) -> [String] {
    var found: [String] = []
    var link = newest[key] ?? -1
    while link >= 0 {
      found.append(meanings[Int(links[Int(link)].meaning)])
      link = links[Int(link)].before
    }
    return found.reversed()
  }

  /// The letters and digits of a name, and for a name of at least four those with one left out.
  ///
  /// They are hashes, because a hundred thousand names have millions of keys; two texts with the same hash would only make a
  /// proposal that is not near.
  private static func keys(of name: String) -> [UInt64] {
    let base: UInt64 = 0x9E37_79B9_7F4A_7C15
    var text = name.lowercased()
    var isIdentifier = false
    for ending in [".skadnetwork", ".adattributionkit"] where text.hasSuffix(ending) {
      text.removeLast(ending.count)
      isIdentifier = true
    }
    let letters = letters(of: text)
    // Of the first letters, one more each time.
    var hashes: [UInt64] = [0]
    for letter in letters { hashes.append(hashes[hashes.count - 1] &* base &+ letter.code) }
    guard letters.count >= 4 else { return letters.isEmpty ? [] : [hashes[letters.count]] }
    var keys: [UInt64] = []
    keys.reserveCapacity(letters.count + 1)
    var (rest, power) = (UInt64(0), UInt64(1))
    for index in letters.indices.reversed() {
      if isIdentifier || !letters[index].isNumber { keys.append(hashes[index] &* power &+ rest) }
      rest &+= letters[index].code &* power
      power &*= base
    }
    keys.append(hashes[letters.count])
    return keys.reversed()
  }

  /// The first 64 letters and digits of a text in lower case, each as a number above 0.
  private static func letters(of text: String) -> [(code: UInt64, isNumber: Bool)] {
    var letters: [(code: UInt64, isNumber: Bool)] = []
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 where letters.count < 64 {
        let isNumber = (0x30...0x39).contains(byte)
        if isNumber || (0x61...0x7A).contains(byte) { letters.append((UInt64(byte), isNumber)) }
      }
      return letters
    }
    for character in text where letters.count < 64 && (character.isLetter || character.isNumber) {
      let code =
        character.asciiValue.map { UInt64($0) } ?? UInt64(bitPattern: Int64(character.hashValue)) | 1 << 63
      letters.append((code, character.isNumber))
    }
    return letters
  }
}
