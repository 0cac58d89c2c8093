public import Ledger
public import Postbacks
public import System
public import Verification

/// The one way in: judges a body and has the ledger store what came of it.
public final class PostbackIntake: Sendable {
  /// Learns what became of a body, on the ledger's thread; it must not block.
  public typealias Completion = @Sendable (Result<Commitment, LedgerError>) -> Void

  /// The keys that bodies are judged by.
  public let keyring: Keyring
  private let ledger: PostbackLedger
  private let clock: WallClock

  /// Joins keys and a ledger.
  public init(keyring: Keyring, ledger: PostbackLedger, clock: @escaping WallClock = systemClock) {
    self.keyring = keyring
    self.ledger = ledger
    self.clock = clock
  }

  /// Judges a body on the calling thread and hands it to the ledger.
  ///
  /// The completion is called exactly once, also when the ledger turns the body away.
  ///
  /// - Parameters:
  ///   - body: The bytes, as they came.
  ///   - origin: Where they came from.
  ///   - quotaSource: Whose quota of rejected bodies and conflicting copies they draw on; made only for those, on the
  ///     ledger's thread.
  ///   - makeCompletion: Called with the verdict before anything is stored; gives the completion.
  /// - Returns: The verdict.
  @discardableResult
  public func receive(
    _ body: [UInt8], from origin: Origin, quotaSource: @autoclosure @escaping @Sendable () -> String,
    _ makeCompletion: (Judgement) -> Completion
  ) -> Judgement {
    receive(PostbackReading(body), of: body, from: origin, quotaSource: quotaSource(), makeCompletion)
  }

  /// Judges a body that was read already, such as to know its app; the rest as for a body.
  ///
  /// - Parameters:
  ///   - reading: What was read in the body.
  ///   - body: The bytes, as they came.
  ///   - origin: Where they came from.
  ///   - quotaSource: Whose quota of rejected bodies and conflicting copies they draw on; made only for those, on the
  ///     ledger's thread.
  ///   - makeCompletion: Called with the verdict before anything is stored; gives the completion.
  /// - Returns: The verdict.
  @discardableResult
  public func receive(
    _ reading: PostbackReading, of body: [UInt8], from origin: Origin,
    quotaSource: @autoclosure @escaping @Sendable () -> String, _ makeCompletion: (Judgement) -> Completion
  ) -> Judgement {
    let judgement = keyring.judge(reading)
    let completion = makeCompletion(judgement)
    let arrival = Arrival(receivedAt: clock(), origin: origin, quotaSource: quotaSource(), body: body)
    if !ledger.submit(Receipt(arrival, judgement), completion) { completion(.failure(.unavailable)) }
    return judgement
  }
}
