public import Postbacks

/// What a reader of a ledger sees at most.
public struct ReadLimit: Equatable, Sendable {
  /// The only apps whose conversions count, and whose spend is read, without that of no app.
  ///
  /// Empty for all.
  public let apps: [AppID]
  /// The only networks; empty for all.
  ///
  /// With any, tables that are not of networks are empty, too.
  public let networks: [AdNetworkID]

  /// Leaves out nothing.
  public static let none = ReadLimit()

  public init(apps: [AppID] = [], networks: [AdNetworkID] = []) {
    (self.apps, self.networks) = (apps, networks)
  }

  /// Whether nothing is left out.
  public var isNone: Bool { apps.isEmpty && networks.isEmpty }

  /// The apps of a question that remain; `nil` where it names apps and none of them remains.
  func apps(of asked: [AppID]) -> [AppID]? {
    guard !apps.isEmpty else { return asked }
    guard !asked.isEmpty else { return apps }
    let left = asked.filter(apps.contains)
    return left.isEmpty ? nil : left
  }
}

extension ReadLimit {
  /// Reads what a database has of a limit; `nil` where that is no limit, which must not open everything.
  ///
  /// - Parameters:
  ///   - apps: App Store numbers with commas between them; `nil` for all.
  ///   - networks: Ids of networks with commas between them; `nil` for all.
  init?(apps: String?, networks: String?) {
    let apps = apps.map { Self.parts($0).map { Int64($0).flatMap { AppID($0) } } } ?? []
    let networks = networks.map { Self.parts($0).map { AdNetworkID(String($0)) } } ?? []
    guard apps.allSatisfy({ $0 != nil }), networks.allSatisfy({ $0 != nil }) else { return nil }
    self.init(apps: apps.compactMap(\.self), networks: networks.compactMap(\.self))
  }

  /// At least one part, which is empty where the text is.
  private static func parts(_ text: String) -> [Substring] {
    text.split(separator: ",", omittingEmptySubsequences: false)
  }

  /// What a database keeps of it; `nil` for all.
  var appsText: String? {
    apps.isEmpty ? nil : apps.map { "\($0.number)" }.joined(separator: ",")
  }

  var networksText: String? {
    networks.isEmpty ? nil : networks.map(\.canonical).joined(separator: ",")
  }
}
