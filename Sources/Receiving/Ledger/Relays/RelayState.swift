public import Values

/// A place in what is stored: a relay has dealt with all rows up to it.
public struct RelayCursor: Equatable, Sendable {
  /// The last row of first copies.
  public var postback: Int64
  /// The last row of further copies.
  public var copy: Int64

  public init(postback: Int64 = 0, copy: Int64 = 0) {
    self.postback = postback
    self.copy = copy
  }
}

/// Where a relay that is new begins.
public enum RelayStart: Equatable, Sendable {
  case newest
  /// With the first stored postback.
  case beginning
  case moment(Instant)
}

/// How far a relay has come, and what keeps it from going on.
public struct RelayState: Equatable, Sendable {
  public let name: String
  /// Address without its path, which may be shown.
  public var place: String
  public var cursor: RelayCursor
  /// Postbacks that were accepted so far.
  public var delivered: Int64 = 0
  /// When one was accepted last.
  public var deliveredAt: Instant?
  /// Since when every attempt has failed; `nil` where the last one did not.
  public var failingSince: Instant?
  public var attempts: Int64 = 0
  /// No attempt before that; `nil` for now.
  public var nextAt: Instant?
  /// Why the last attempt failed; `nil` where it did not.
  public var failure: String?
  /// Since when the configuration has it no longer; `nil` while it has.
  public var removedAt: Instant?
}

extension RelayState {
  public init(name: String, place: String, cursor: RelayCursor) {
    self.init(name: name, place: place, cursor: cursor, delivered: 0)
  }
}

public struct RelayBacklog: Equatable, Sendable {
  /// Rows behind its cursor, those that it will pass over included.
  public let waiting: Int64
  /// When the oldest of them arrived; `nil` where none waits.
  public let oldest: Instant?
}

public struct RelayFigures: Equatable, Sendable {
  public let name: String
  /// What it has yet to look at; `nil` before the first look.
  public var backlog: RelayBacklog?
  /// How fast it is; `nil` before the first look.
  public var pace: RelayPace?
  /// Postbacks that were accepted, since the start of the process.
  public var delivered: Int64 = 0
  /// Attempts that failed or were declined, since the start of the process.
  public var failures: Int64 = 0
  public var deadLetters: Int64 = 0

  public init(name: String) { self.name = name }
}

/// A postback that a relay does not send in its turn: to be tried once more, or given up.
public struct DeadLetter: Equatable, Sendable {
  /// Its number; 0 before it is stored.
  public let id: Int64
  public let relay: String
  public let postback: Int64
  /// The row of the further copy; `nil` for the first copy.
  public let copy: Int64?
  public let receivedAt: Instant
  /// When the last attempt failed.
  public var failedAt: Instant
  /// The status of the last answer; `nil` where there was none.
  public var status: Int?
  /// Why it was not accepted.
  public var reason: String
  /// When it is tried again; `nil` where it is given up.
  public var nextAt: Instant?

  public init(
    id: Int64 = 0, relay: String, postback: Int64, copy: Int64?, receivedAt: Instant, failedAt: Instant,
    status: Int?, reason: String, nextAt: Instant?
  ) {
    self.id = id
    self.relay = relay
    self.postback = postback
    self.copy = copy
    self.receivedAt = receivedAt
    self.failedAt = failedAt
    self.status = status
    self.reason = reason
    self.nextAt = nextAt
  }
}

public struct RelayProgress: Sendable {
  public var state: RelayState
  public var added: [DeadLetter] = []
  /// Letters with another reason or another moment.
  public var changed: [DeadLetter] = []
  /// Letters that were accepted in the end.
  public var removed: [Int64] = []
}

extension RelayProgress {
  public init(_ state: RelayState) { self.init(state: state) }
}
