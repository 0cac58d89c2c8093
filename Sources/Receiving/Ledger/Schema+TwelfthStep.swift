extension Schema {
  /// What is stored as it came has a digest beside it, by which a change on the disk is found.
  static let twelfthStep = """
    -- The first 8 bytes of the SHA-256 of the body as it came, XOR received_at; see StoredDigest. NULL for what was stored
    -- before this step.
    ALTER TABLE postback ADD COLUMN digest INTEGER;
    ALTER TABLE rejected ADD COLUMN digest INTEGER;
    -- The same of received, XOR row * 4 + kind.
    ALTER TABLE network_form ADD COLUMN digest INTEGER;
    """
}
