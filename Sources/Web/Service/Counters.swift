import Ledger
import Synchronization
import Verification

/// Figures of the running service, counted since its start.
package final class Counters: Sendable {
  private let valid = Atomic<Int>(0)
  private let invalid = Atomic<Int>(0)
  private let unverifiable = Atomic<Int>(0)
  private let malformed = Atomic<Int>(0)
  private let first = Atomic<Int>(0)
  private let copies = Atomic<Int>(0)
  private let conflicts = Atomic<Int>(0)
  private let notStored = Atomic<Int>(0)

  /// Starts at zero.
  package init() {}

  func count(_ state: VerdictState) {
    switch state {
    case .valid: valid.add(1, ordering: .relaxed)
    case .invalid: invalid.add(1, ordering: .relaxed)
    case .unverifiable: unverifiable.add(1, ordering: .relaxed)
    case .malformed: malformed.add(1, ordering: .relaxed)
    }
  }

  func count(_ commitment: Commitment) {
    switch commitment.novelty {
    case .first: first.add(1, ordering: .relaxed)
    case .copy: copies.add(1, ordering: .relaxed)
    case .conflict: conflicts.add(1, ordering: .relaxed)
    case .keptRejected, .countedRejected: break
    }
  }

  func countFailure() { notStored.add(1, ordering: .relaxed) }

  /// Bodies that could not be stored and were answered 503.
  package var lost: Int { notStored.load(ordering: .relaxed) }

  /// The figures with their labels, for Prometheus and the log.
  package var figures: [(name: String, label: String?, value: Int)] {
    func read(_ counter: borrowing Atomic<Int>) -> Int { counter.load(ordering: .relaxed) }
    return [
      ("postbacks_judged_total", "state=\"valid\"", read(valid)),
      ("postbacks_judged_total", "state=\"invalid\"", read(invalid)),
      ("postbacks_judged_total", "state=\"unverifiable\"", read(unverifiable)),
      ("postbacks_judged_total", "state=\"malformed\"", read(malformed)),
      ("postbacks_stored_total", "novelty=\"first\"", read(first)),
      ("postbacks_stored_total", "novelty=\"copy\"", read(copies)),
      ("postbacks_stored_total", "novelty=\"conflict\"", read(conflicts)),
      ("postbacks_not_stored_total", nil, read(notStored)),
    ]
  }
}
