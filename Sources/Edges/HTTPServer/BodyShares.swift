/// How the memory for bodies of requests is divided among senders, so that none of them takes what others need.
///
/// A value without connections and clocks: the caller reports what comes and goes. A body counts from its head, or from the
/// chunk that makes it large, until its request has ended.
struct BodyShares: Sendable {
  /// Bytes of a body that takes no share, because the limits of connections bound such bodies.
  ///
  /// A device's postback is shorter, so none is ever turned away for others.
  static let free = 4096

  /// Bytes of all bodies at once.
  let capacity: Int

  private var heldBySender: [RequestSender: Int] = [:]
  /// Bytes of all bodies that are in memory or on their way.
  var held = HeldBytes()
  private var heldByStrangers = 0

  init(capacity: Int) { self.capacity = capacity }

  /// Bytes that all strangers together, or one holder of a token, may have: half of all.
  private var half: Int { capacity / 2 }
  private var ofStranger: Int { half / 4 }

  /// Gives a sender room for more bytes.
  ///
  /// - Returns: Why it may not; `nil` where it has them now, until it gives them back.
  mutating func take(_ bytes: Int, for sender: RequestSender) -> RequestRejection? {
    let own = heldBySender[sender, default: 0]
    guard own + bytes <= (sender.isStranger ? ofStranger : half) else { return .senderHasTooManyBodies }
    guard held.count + bytes <= capacity, !sender.isStranger || heldByStrangers + bytes <= half else {
      return .tooManyBodies
    }
    heldBySender[sender] = own + bytes
    held.add(bytes)
    if sender.isStranger { heldByStrangers += bytes }
    return nil
  }

  mutating func give(_ bytes: Int, of sender: RequestSender) {
    guard let own = heldBySender[sender] else { return }
    heldBySender[sender] = own == bytes ? nil : own - bytes
    held.remove(bytes)
    if sender.isStranger { heldByStrangers -= bytes }
  }
}
