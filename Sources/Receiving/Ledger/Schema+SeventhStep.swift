extension Schema {
  /// Tokens of readers can be limited to networks.
  static let seventhStep = """
    -- Ids of ad networks in lower case with commas between them, the only ones that the token shows; NULL for all.
    ALTER TABLE token ADD COLUMN networks TEXT;
    """
}
