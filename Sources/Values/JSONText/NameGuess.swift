import Values

/// Finds the name that was probably meant by one that is not known.
public enum NameGuess {
  /// The longest name, in bytes, that is compared: that takes the product of the lengths, and names come from outside.
  public static let longest = 40

  /// The name that was probably meant: the same but for case and separators, one with the same sense, or the nearest.
  public static func meant(
    by text: String, among names: [String], synonyms: [String: [String]] = [:]
  ) -> String? {
    guard text.utf8.count <= longest else { return nil }
    let plain = plain(text)
    if let same = names.first(where: { self.plain($0) == plain }) { return same }
    return synonyms[plain]?.first { names.contains($0) } ?? nearest(to: text.lowercased(), among: names)
  }

  private static func plain(_ text: String) -> String {
    text.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
  }
}
