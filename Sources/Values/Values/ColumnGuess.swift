/// Finds the column of a file that was probably meant.
public enum ColumnGuess {
  /// The name that can be given with `--columns` and is one of some words but for case and separators, or the nearest to
  /// the first word.
  ///
  /// - Parameters:
  ///   - words: What the column is called, its own name first; after it the likeliest first.
  ///   - names: The names that a file has.
  public static func name(for words: [String], among names: [String]) -> String? {
    // One with a comma or an equals sign cannot be given with --columns.
    let usable = names.prefix(200).filter { $0.utf8.count <= 60 && !$0.contains { ",=\"' ".contains($0) } }
    for word in words {
      if let name = usable.first(where: { plain($0) == plain(word) }) { return name }
    }
    // A wrong column is wrong data: `rate` is no slip for `date`, nor `account` for `amount`.
    return words.first.flatMap { nearest(to: $0, among: usable, oneOf: 6) }
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { !" -_.".contains($0) }
  }
}
