import System

/// Whose bodies are in memory: a subscriber, by whether the head of its request had a token or a session.
///
/// Those who read answers are all alike. So a stranger at the address of a network, as behind a proxy that is not trusted, takes nothing of the network's share.
struct BodySender: Hashable, Sendable {
  let subscriber: IPAddress
  let isKnown: Bool
}

/// How the memory for bodies is divided among senders, so that none of them takes what others need.
///
/// A value without connections and clocks: the caller reports what comes and goes. A body of a request counts from its head, or
/// from the chunk that makes it large, until its request has ended; one of an answer until all of it was read.
struct BodyShares: Sendable {
  /// Bytes of a body that takes no share, because the limits of connections bound such bodies.
  ///
  /// A device's postback is shorter, so none is ever turned away for others.
  static let free = 4096

  /// Bytes of all bodies at once.
  let capacity: Int

  private var heldBySender: [BodySender: Int] = [:]
  /// Bytes of all bodies that are in memory or on their way.
  private(set) var held = 0
  private var heldByStrangers = 0
  /// The most bytes that were held since memory was given back.
  private var most = 0
  /// Bytes that have to have gone before memory is given back.
  private static let worthwhile = 8 << 20

  init(capacity: Int) { self.capacity = capacity }

  /// Bytes that all strangers together, or one sender whose head had a token, may have: half of all.
  private var half: Int { capacity / 2 }
  private var ofStranger: Int { half / 4 }

  /// Gives a sender room for more bytes.
  ///
  /// - Returns: Why it may not; `nil` where it has them now, until it gives them back.
  mutating func take(_ bytes: Int, for sender: BodySender) -> RequestRejection? {
    let own = heldBySender[sender, default: 0]
    guard own + bytes <= (sender.isKnown ? half : ofStranger) else { return .senderHasTooManyBodies }
    guard held + bytes <= capacity, sender.isKnown || heldByStrangers + bytes <= half else {
      return .tooManyBodies
    }
    add(bytes, of: sender)
    return nil
  }

  /// Gives an answer room until it was read.
  ///
  /// One that is larger than a share passes where its reader has no other, so that each can be read at all.
  /// - Returns: Why it may not; `nil` where it has the room, until it gives it back.
  mutating func takeAnswer(_ bytes: Int, for reader: BodySender) -> RequestRejection? {
    let own = heldBySender[reader, default: 0]
    guard own == 0 || own + bytes <= half else { return .clientHasUnreadAnswers }
    guard held == 0 || held + bytes <= capacity else { return .tooManyUnreadAnswers }
    add(bytes, of: reader)
    return nil
  }

  /// Why a client may not ask for more before it has read what was answered; `nil` where it may.
  func rejection(of reader: BodySender) -> RequestRejection? {
    if heldBySender[reader, default: 0] >= half { return .clientHasUnreadAnswers }
    return held >= capacity ? .tooManyUnreadAnswers : nil
  }

  /// Counts bytes that are there in any case, such as of the answer to what was done.
  mutating func add(_ bytes: Int, of sender: BodySender) {
    heldBySender[sender, default: 0] += bytes
    held += bytes
    most = max(most, held)
    if !sender.isKnown { heldByStrangers += bytes }
  }

  /// Whether so much has gone that its memory is worth being given back to the system, which the caller then does.
  mutating func takeRelease() -> Bool {
    guard most - held >= Self.worthwhile else { return false }
    most = held
    return true
  }

  mutating func give(_ bytes: Int, of sender: BodySender) {
    guard let own = heldBySender[sender] else { return }
    heldBySender[sender] = own == bytes ? nil : own - bytes
    held -= bytes
    if !sender.isKnown { heldByStrangers -= bytes }
  }
}
