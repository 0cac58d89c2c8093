extension Schema {
  /// People save views of pages.
  static let fourthStep = """
    -- What a page shows under a name: the query of its address.
    CREATE TABLE saved_view(
      path TEXT NOT NULL,                  -- of the page
      owner TEXT NOT NULL,                 -- the name of the token of who saved it; empty without a sign-in
      name TEXT NOT NULL,
      query TEXT NOT NULL,                 -- as it is in the address
      is_shared INTEGER NOT NULL,          -- 1 where all see it, because an editor saved it
      PRIMARY KEY(path, owner, name)
    ) STRICT, WITHOUT ROWID;
    """
}
