/// Who saved a view.
public enum ViewOwner: Hashable, Sendable {
  /// Anyone, where pages need no sign-in.
  case anyone
  /// The holder of a token, by its name.
  case token(String)
  /// A user of a proxy; its name can be that of a token.
  case proxyUser(String)

  /// No token has a colon in its name.
  private static let proxy = "proxy:"

  public init(stored text: String) {
    self =
      text.isEmpty
      ? .anyone
      : text.hasPrefix(Self.proxy) ? .proxyUser(String(text.dropFirst(Self.proxy.count))) : .token(text)
  }

  /// What the database has, which is another text for each owner.
  public var stored: String {
    switch self {
    case .anyone: ""
    case .token(let name): name
    case .proxyUser(let name): Self.proxy + name
    }
  }

  /// The name for people; empty for anyone.
  public var name: String {
    switch self {
    case .anyone: ""
    case .token(let name), .proxyUser(let name): name
    }
  }
}

/// What a page shows, under a name that a person gave it.
public struct SavedView: Equatable, Sendable {
  /// The path of the page.
  public let path: String
  public let owner: ViewOwner
  public let name: String
  /// The query of the address, without a question mark.
  public let query: String
  /// Whether all see it, because an editor saved it.
  public let isShared: Bool

  public init(path: String, owner: ViewOwner, name: String, query: String, isShared: Bool) {
    (self.path, self.owner, self.name) = (path, owner, name)
    (self.query, self.isShared) = (query, isShared)
  }
}

extension SavedView: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "saved_view", groupedBy: ["path", "owner", "name"], values: ["query", "is_shared"]
  ) {
    [.text($0.path), .text($0.owner.stored), .text($0.name), .text($0.query), .integer($0.isShared ? 1 : 0)]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    Self(
      path: row.text(0) ?? "", owner: ViewOwner(stored: row.text(1) ?? ""), name: row.text(2) ?? "",
      query: row.text(3) ?? "",
      isShared: row.count(4) != 0)
  }
}
