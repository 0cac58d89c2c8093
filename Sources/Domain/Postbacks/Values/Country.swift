/// The country of a postback, which anyone who holds it can have written.
public enum Country {
  /// Stands for whatever is no two letters from A to Z.
  public static let other = "other"

  /// What a `country-code` counts as: itself, or ``other``.
  public static func word(for claimed: String) -> String {
    claimed.utf8.count == 2 && claimed.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? claimed : other
  }
}
