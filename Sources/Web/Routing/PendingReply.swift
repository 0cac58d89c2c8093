package import HTTPServer
import System

/// A reply on its way through the ledger's queue: the code that takes it answers it.
package final class PendingReply: Sendable {
  private let reply: Guarded<MeteredReply?>

  package init(_ reply: consuming MeteredReply) { self.reply = Guarded(reply) }

  package func send(_ response: Response) {
    if let taken = reply.withLock({ $0.take() }) { taken.send(response) }
  }

  package func send(_ response: PreparedResponse) {
    if let taken = reply.withLock({ $0.take() }) { taken.send(response) }
  }
}
