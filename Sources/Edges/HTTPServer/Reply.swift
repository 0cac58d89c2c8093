/// The right to answer one request exactly once, from any thread.
///
/// The compiler rejects a second answer, because sending consumes the reply. A reply that is dropped unanswered
/// sends 500, so that no client waits for ever.
@safe public struct Reply: ~Copyable, Sendable {
  /// Retained once; `discard self` needs a field without a destructor of its own.
  private let exchange: Unmanaged<Exchange>

  init(to exchange: Exchange) { unsafe self.exchange = .passRetained(exchange) }

  /// - Parameter counting: Counts the answer, on a thread of the server; it is not called where the server answers by itself
  ///   instead, because the client has too many answers to read.
  public consuming func send(_ response: Response, counting: @escaping @Sendable () -> Void = {}) {
    finish(.made(response, counting: counting))
  }

  /// Answers with a response that many requests share, which costs no allocation.
  public consuming func send(_ response: PreparedResponse) { finish(.prepared(response)) }

  private consuming func finish(_ answer: Exchange.Answer) {
    let exchange = unsafe exchange.takeRetainedValue()
    discard self
    exchange.answer(answer)
  }

  deinit { unsafe exchange.takeRetainedValue().answer(.made(Response(status: 500), counting: {})) }
}
