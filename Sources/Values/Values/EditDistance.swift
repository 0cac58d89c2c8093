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

/// Returns the word that was probably meant: the nearest one, the first of equals, if about one of some letters differs, at
/// most three, or two neighbours are swapped.
///
/// Short words of different senses have most letters alike, such as `min` and `mid`, so that of two that are as near
/// neither is meant; and `level_1` is no slip for `level_2`.
///
/// - Parameter letters: Of how many letters about one may differ.
public func nearest(
  to word: String, among candidates: [String], oneOf letters: Int = 3
) -> String? {
  var best: (word: String, distance: Int)?
  var isDoubtful = false
  for candidate in candidates {
    let isSwapped = isSwapped(word, candidate)
    let distance = isSwapped ? 1 : editDistance(word, candidate)
    guard distance <= best?.distance ?? .max, candidate != best?.word else { continue }
    let length = max(word.count, candidate.count)
    guard distance <= (length < 3 ? 0 : min(3, (length + 1) / letters)) || isSwapped,
      length >= 12 || !differInDigits(word, candidate)
    else { continue }
    isDoubtful = distance == best?.distance && word.count < 5
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return isDoubtful ? nil : best?.word
}

/// Whether two words differ, and only in digits.
private func differInDigits(_ a: String, _ b: String) -> Bool {
  a != b && a.filter { !$0.isNumber } == b.filter { !$0.isNumber }
}

/// Whether two words differ in the order of two neighbours.
private func isSwapped(_ a: String, _ b: String) -> Bool {
  guard a.count == b.count, a.count > 2 else { return false }
  let places = zip(a, b).enumerated().filter { $1.0 != $1.1 }
  guard places.count == 2, places[0].offset + 1 == places[1].offset else { return false }
  return places[0].element.0 == places[1].element.1 && places[0].element.1 == places[1].element.0
}
