/// What a page shows, under a name that a person gave it.
public struct SavedView: Equatable, Sendable {
  /// The path of the page.
  public let path: String
  /// The name of the token of who saved it; empty without a sign-in.
  public let owner: String
  public let name: String
  /// The query of the address, without a question mark.
  public let query: String
  /// Whether all see it, because an editor saved it.
  public let isShared: Bool

  public init(path: String, owner: String, name: String, query: String, isShared: Bool) {
    (self.path, self.owner, self.name) = (path, owner, name)
    (self.query, self.isShared) = (query, isShared)
  }
}

extension SavedView: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "saved_view", groupedBy: ["path", "owner", "name"], values: ["query", "is_shared"]
  ) {
    [.text($0.path), .text($0.owner), .text($0.name), .text($0.query), .integer($0.isShared ? 1 : 0)]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    Self(
      path: row.text(0) ?? "", owner: row.text(1) ?? "", name: row.text(2) ?? "", query: row.text(3) ?? "",
      isShared: row.count(4) != 0)
  }
}
