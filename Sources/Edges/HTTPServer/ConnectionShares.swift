import System

/// How the open connections are divided among subscribers, so that none of them takes what others need.
///
/// A value without sockets and clocks: the caller reports what opens and closes.
struct ConnectionShares: Sendable {
  /// Connections that may be open at once.
  let capacity: Int
  /// Connections of one subscriber that may be open at once; 0 for any number, and then nothing is reserved either.
  let perSubscriber: Int
  /// Whether an eighth of the connections is kept for holders of a token or a session.
  let keepsForHolders: Bool

  /// Seconds after the request of a holder within which its subscriber may have what is kept for holders.
  static let secondsKnown = 24 * 3600
  /// Subscribers that are known as holders' at once; beyond it all of them begin again.
  static let mostKnown = 4096
  /// The least time for a head, in seconds.
  static let leastHeadSeconds = 2

  private var openBySubscriber: [IPAddress: Int] = [:]
  private(set) var open = 0
  /// When a holder asked last, in seconds.
  private var holderAskedAt: [IPAddress: Int] = [:]

  init(capacity: Int, perSubscriber: Int, keepsForHolders: Bool = false) {
    self.capacity = capacity
    self.perSubscriber = perSubscriber
    self.keepsForHolders = keepsForHolders
  }

  /// Connections that only subscribers with none open may have: an eighth of all.
  var reserve: Int { perSubscriber == 0 ? 0 : capacity / 8 }

  /// Connections that others than holders may have.
  private var forStrangers: Int { keepsForHolders ? capacity - reserve : capacity }

  /// Decides whether a subscriber may open another connection.
  ///
  /// - Parameters:
  ///   - isProxy: Whether it is a proxy that connects for many, holders among them; no share of such a one is too large.
  ///   - now: Seconds of a clock that never goes back.
  func admits(_ subscriber: IPAddress, isProxy: Bool, at now: Int) -> Bool {
    guard perSubscriber > 0 else { return true }
    let own = openBySubscriber[subscriber, default: 0]
    guard own < perSubscriber else { return false }
    if isProxy || open < forStrangers - reserve { return true }
    if let asked = holderAskedAt[subscriber], now - asked < Self.secondsKnown { return true }
    return own == 0 && open < forStrangers
  }

  /// Takes note that the holder of a token or a session asks; strangers cannot fill this table.
  mutating func noteHolder(at subscriber: IPAddress, _ now: Int) {
    guard keepsForHolders else { return }
    if holderAskedAt.count >= Self.mostKnown { holderAskedAt = [:] }
    holderAskedAt[subscriber] = now
  }

  mutating func add(_ subscriber: IPAddress) {
    openBySubscriber[subscriber, default: 0] += 1
    open += 1
  }

  mutating func remove(_ subscriber: IPAddress) {
    guard let own = openBySubscriber[subscriber] else { return }
    openBySubscriber[subscriber] = own == 1 ? nil : own - 1
    open -= 1
  }

  /// How long a client may take over a head or a body now.
  ///
  /// No client is hurried while half of the connections are free. Beyond that the time shrinks with what is free.
  ///
  /// - Parameter seconds: The usual time.
  /// - Returns: The time now, never more than usual.
  func secondsAllowed(usually seconds: Int) -> Int {
    let free = max(0, capacity - open)
    guard free * 2 < capacity else { return seconds }
    return min(seconds, max(Self.leastHeadSeconds, seconds * 2 * free / capacity))
  }
}
