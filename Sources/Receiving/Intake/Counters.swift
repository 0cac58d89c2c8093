package import Ledger
import Synchronization
package import Verification

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
  private let purchases = Atomic<Int>(0)
  private let purchaseRepeats = Atomic<Int>(0)
  private let purchaseOthers = Atomic<Int>(0)
  private let purchaseRejected = Atomic<Int>(0)

  package init() {}

  package func count(_ state: VerdictState) {
    switch state {
    case .valid: valid.add(1, ordering: .relaxed)
    case .invalid: invalid.add(1, ordering: .relaxed)
    case .unverifiable: unverifiable.add(1, ordering: .relaxed)
    case .malformed: malformed.add(1, ordering: .relaxed)
    }
  }

  package func count(_ commitment: Commitment) {
    switch commitment.effect {
    case .first: first.add(1, ordering: .relaxed)
    case .copy: copies.add(1, ordering: .relaxed)
    case .conflict: conflicts.add(1, ordering: .relaxed)
    case .keptRejected, .countedRejected, .inboxOnly: break
    }
  }

  /// Counts a notification of the App Store by what became of it; other figures are left alone.
  package func count(purchase figure: Figure) {
    switch figure {
    case .purchases: purchases.add(1, ordering: .relaxed)
    case .purchaseRepeats: purchaseRepeats.add(1, ordering: .relaxed)
    case .purchaseOthers: purchaseOthers.add(1, ordering: .relaxed)
    case .purchaseRejected: purchaseRejected.add(1, ordering: .relaxed)
    default: break
    }
  }

  package func countFailure() { notStored.add(1, ordering: .relaxed) }

  /// Bodies that could not be stored and were answered 503.
  package var lost: Int { self[.notStored] }

  /// What is counted; the raw value is the word in the log.
  package enum Figure: String, CaseIterable, Sendable {
    case valid, invalid, unverifiable, malformed
    case first, copy, conflict
    case notStored = "not-stored"
    case purchases
    case purchaseRepeats = "purchase-repeats"
    /// Notifications that have nothing to count.
    case purchaseOthers = "purchase-others"
    case purchaseRejected = "purchase-rejected"
  }

  package subscript(figure: Figure) -> Int {
    switch figure {
    case .valid: valid.load(ordering: .relaxed)
    case .invalid: invalid.load(ordering: .relaxed)
    case .unverifiable: unverifiable.load(ordering: .relaxed)
    case .malformed: malformed.load(ordering: .relaxed)
    case .first: first.load(ordering: .relaxed)
    case .copy: copies.load(ordering: .relaxed)
    case .conflict: conflicts.load(ordering: .relaxed)
    case .notStored: notStored.load(ordering: .relaxed)
    case .purchases: purchases.load(ordering: .relaxed)
    case .purchaseRepeats: purchaseRepeats.load(ordering: .relaxed)
    case .purchaseOthers: purchaseOthers.load(ordering: .relaxed)
    case .purchaseRejected: purchaseRejected.load(ordering: .relaxed)
    }
  }
}
