public import Ledger
public import Postbacks
public import System
import Values
public import Verification

/// The one way in: judges a body and has the ledger store what came of it.
public final class PostbackIntake: Sendable {
  /// Learns what became of a body, on the ledger's thread; it must not block.
  public typealias Completion = @Sendable (Result<Commitment, LedgerError>) -> Void

  /// The keys that bodies are judged by.
  public let keyring: Keyring
  private let ledger: PostbackLedger
  private let clock: WallClock

  public init(keyring: Keyring, ledger: PostbackLedger, clock: @escaping WallClock = systemClock) {
    self.keyring = keyring
    self.ledger = ledger
    self.clock = clock
  }

  /// Judges what was read in a body, on the calling thread.
  public func judge(_ reading: PostbackReading) -> Judgement { keyring.judge(reading) }

  /// Hands a judged body to the ledger.
  ///
  /// - Parameters:
  ///   - body: The bytes, as they came.
  ///   - origin: Where they came from.
  ///   - quotaSource: Whose quota of rejected bodies and conflicting copies they draw on; made only for those, on the
  ///     ledger's thread.
  ///   - completion: Called exactly once, also when the ledger turns the body away.
  public func store(
    _ judgement: Judgement, of body: [UInt8], from origin: Origin,
    quotaSource: @autoclosure @escaping @Sendable () -> String, _ completion: @escaping Completion
  ) {
    let arrival = Arrival(receivedAt: clock(), origin: origin, quotaSource: quotaSource(), body: body)
    submit(Receipt(arrival, judgement), completion)
  }

  /// Hands a body that came to a test inbox to the ledger.
  ///
  /// - Parameters:
  ///   - body: The bytes, as they came.
  ///   - quotaSource: Whose quota of conflicting copies it draws on.
  ///   - completion: Called exactly once, also when the ledger turns the body away.
  package func store(
    _ judgement: Judgement, of body: [UInt8], inInbox inbox: Int64,
    quotaSource: @autoclosure @escaping @Sendable () -> String, _ completion: @escaping Completion
  ) {
    let arrival = Arrival(
      receivedAt: clock(), origin: Origin(.advertiserCopy, name: "test-inbox"), quotaSource: quotaSource(),
      body: body)
    submit(Receipt(arrival: arrival, finding: .inbox(InboxFinding(inbox: inbox, judgement))), completion)
  }

  /// Hands a receipt that was made now to the ledger; the completion is called exactly once.
  func submit(_ receipt: Receipt, _ completion: @escaping Completion) {
    if !ledger.submit(receipt, completion) { completion(.failure(.unavailable)) }
  }

  var now: Instant { clock() }
}
