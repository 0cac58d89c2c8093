extension Schema {
  /// Secrets that networks sign with, which have to be kept as they are.
  static let step4 = """
    ALTER TABLE token ADD COLUMN secret TEXT;  -- where use is sign: its text; NULL for all others
    """
}
