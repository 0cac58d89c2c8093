/// Returns how many letters have to be inserted, removed or replaced to turn one word into the other.
///
/// - Complexity: The product of both lengths.
func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a)
  let b = Array(b)
  // One row of the table of Wagner and Fischer: the distances from the letters of `a` seen so far to prefixes of `b`.
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in b.enumerated() {
      let replaced = diagonal + (letter == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}

/// Returns the word that was probably meant: the nearest one, the first of equals, if fewer than four letters differ
/// and some letter of both words is kept.
public func nearest(to word: String, among candidates: [String]) -> String? {
  var best: (word: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(word, candidate)
    guard distance < min(4, candidate.count, word.count), distance < best?.distance ?? .max else { continue }
    best = (candidate, distance)
  }
  return best?.word
}
