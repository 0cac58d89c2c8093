/// How the memory for bodies of answers is divided among those who read them, so that who does not read takes nothing that
/// others need.
///
/// A value without sockets and clocks: the caller reports what comes and goes, and ends the connections that it gets. An
/// answer counts until all of it was read. Where there is no room for one, the reader with the most unread bytes loses the
/// oldest of its answers, so that a reader who reads finds room however many others do not. (Source: "longest queue drop",
/// Suter, Lakshman, Stiliadis, Choudhury, "Design Considerations for Supporting TCP with Per-flow Queueing".)
struct AnswerShares<Connection: AnyObject & Sendable>: Sendable {
  private struct Unread: Sendable {
    let bytes: Int
    let reader: RequestSender
    let connection: Connection
  }

  enum Decision {
    case rejected(RequestRejection)
    /// There is room, once these connections are ended.
    case taken(ending: [Connection])
  }

  /// Bytes of all answers at once, beside those by which a single one is larger than its reader's share.
  let capacity: Int
  /// Bytes of the answers of one reader.
  let each: Int

  /// The oldest first.
  private var unread: [Unread] = []
  private var heldByReader: [RequestSender: Int] = [:]
  var held = HeldBytes()

  init(capacity: Int, each: Int) { (self.capacity, self.each) = (capacity, each) }

  /// Whether a reader has to read what was answered before it may ask for more.
  func isFull(for reader: RequestSender) -> Bool { heldByReader[reader, default: 0] >= each }

  /// Gives an answer room until it was read.
  ///
  /// One that is larger than a share passes where its reader has no other, so that each can be read at all.
  ///
  /// - Parameters:
  ///   - connection: Where it is read, one answer at a time.
  ///   - isOwed: Whether it is there in any case, as the answer to what was done.
  mutating func take(
    _ bytes: Int, for reader: RequestSender, on connection: Connection, isOwed: Bool = false
  ) -> Decision {
    let own = heldByReader[reader, default: 0]
    guard isOwed || own == 0 || own + bytes <= each else { return .rejected(.clientHasUnreadAnswers) }
    var after = self
    var ending: [Connection] = []
    while after.held.count + min(bytes, each) > capacity {
      guard let place = after.placeToEnd(for: reader, holding: own) else {
        if isOwed { break }
        return .rejected(.tooManyUnreadAnswers)
      }
      ending.append(after.unread[place].connection)
      after.remove(at: place)
    }
    after.unread.append(Unread(bytes: bytes, reader: reader, connection: connection))
    after.heldByReader[reader] = own + bytes
    after.held.add(bytes)
    self = after
    return .taken(ending: ending)
  }

  /// Takes note that an answer was read, or that its connection is closed; one that lost its room has none to give.
  mutating func give(_ connection: Connection) {
    guard let place = unread.firstIndex(where: { $0.connection === connection }) else { return }
    remove(at: place)
  }

  private mutating func remove(at place: Int) {
    let answer = unread.remove(at: place)
    let left = heldByReader[answer.reader, default: 0] - answer.bytes
    heldByReader[answer.reader] = left > 0 ? left : nil
    held.remove(answer.bytes)
  }

  /// The oldest answer of who has the most, more than the one who needs room has.
  private func placeToEnd(for reader: RequestSender, holding own: Int) -> Int? {
    var found: (place: Int, held: Int)?
    for (place, answer) in unread.enumerated() where answer.reader != reader {
      let held = heldByReader[answer.reader, default: 0]
      if held > max(own, found?.held ?? 0) { found = (place, held) }
    }
    return found?.place
  }
}
