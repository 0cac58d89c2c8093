extension Schema {
  /// Tokens of readers can be limited to apps.
  static let thirdStep = """
    -- App Store numbers with commas between them, the only apps that the token shows; NULL for all.
    ALTER TABLE token ADD COLUMN apps TEXT;
    """
}
