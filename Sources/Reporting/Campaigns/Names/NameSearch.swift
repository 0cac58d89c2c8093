import Values

/// Finds the name that was probably meant, without a comparison with every name.
///
/// Names are found under their letters and digits, and under those with any one letter left out. So two names meet that
/// differ in case, in punctuation, in the ending of a network's identifier, or in one letter. Names that differ in a digit are
/// of two things, and identifiers of networks are not.
struct NameSearch {
  private var names: [String: [String]] = [:]

  /// Adds a name; `meaning` is what is found by it, if that is not the name itself.
  mutating func add(_ name: String, meaning: String? = nil) {
    let meaning = meaning ?? name
    for key in Self.keys(of: name) where names[key]?.last != meaning {
      names[key, default: []].append(meaning)
    }
  }

  /// The names that were probably meant, the nearest first, at most three; those of equal letters alone, if there are any.
  func nearest(to name: String) -> [String] {
    let keys = Self.keys(of: name)
    for some in [keys.prefix(1), keys.dropFirst()] {
      var found: [String] = []
      for key in some {
        for candidate in names[key] ?? [] where candidate != name && !found.contains(candidate) {
          found.append(candidate)
          if found.count == 3 { return found }
        }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The letters and digits of a name, and for a name of at least four those with one left out.
  private static func keys(of name: String) -> [String] {
    var text = name.lowercased()
    var isIdentifier = false
    for ending in [".skadnetwork", ".adattributionkit"] where text.hasSuffix(ending) {
      text.removeLast(ending.count)
      isIdentifier = true
    }
    let letters = Array(text.filter { $0.isLetter || $0.isNumber }.prefix(64))
    guard letters.count >= 4 else { return letters.isEmpty ? [] : [String(letters)] }
    return [String(letters)]
      + letters.indices.filter { isIdentifier || !letters[$0].isNumber }.map { index in
        String(letters[..<index] + letters[(index + 1)...])
      }
  }
}
