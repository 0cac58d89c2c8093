public import Postbacks
public import Values

/// How a copy of a postback came here, as far as relays distinguish it.
public enum RelayKind: String, Hashable, Sendable, CaseIterable {
  case deviceCopy = "device-copy"
  case networkCopy = "network-copy"
  case file

  init(_ route: Route) {
    self =
      switch route {
      case .networkAddress, .advertiserCopy: .deviceCopy
      case .forwarded: .networkCopy
      case .file: .file
      }
  }
}

public struct RelaySelection: Equatable, Sendable {
  /// The advertised apps; none for all.
  public var apps: Set<AppID> = []
  /// The ad networks, in lower case; none for all.
  public var networks: Set<String> = []
  public var kinds: Set<RelayKind> = [.deviceCopy, .networkCopy]
  public var environments: Set<Environment> = [.production]
  /// Whether of each conversion only the first copy of these kinds is chosen, for receivers that would count it twice.
  public var isOncePerConversion = false

  public init() {}
}

public struct RelayPostback: Sendable {
  public let row: Int64
  /// The row of the further copy; `nil` for the first copy.
  public let copy: Int64?
  public let receivedAt: Instant
  public let origin: Origin
  public let environment: Environment
  /// The number of the advertised app.
  public let app: Int64
  /// Its bytes as they came; `nil` where they are no longer kept.
  public let body: [UInt8]?
  /// Up to where all is done once this is.
  public var cursor = RelayCursor()
}

/// The next postbacks of a relay, in order.
public struct RelayBatch: Sendable {
  public internal(set) var postbacks: [RelayPostback] = []
  /// Up to where all is done once these are.
  public internal(set) var end: RelayCursor
  /// Whether there were further rows to look at.
  public internal(set) var hasMore = false
}
