internal import System

/// What goes wrong with one append of a ``MemoryJournal``.
package enum JournalFault: Equatable, Sendable {
  /// Nothing is stored, and the caller can't know it.
  case failsBefore
  /// The batch is stored, and the answer is lost.
  case failsAfter
  /// The answer comes after some time.
  case isLate(microseconds: UInt32)
}

extension MemoryJournal {
  /// Lets the next appends go wrong, one fault each.
  package func spoilAppends(_ faults: [JournalFault]) { state.withLock { $0.faults += faults } }

  /// Makes every call fail, or work again.
  package func cut(_ isCut: Bool) { state.withLock { $0.isCut = isCut } }

  /// Forgets the newest batch, as a server that fails before its standby has it.
  package func loseNewest() {
    state.withLock { state in
      guard let lost = state.batches.popLast() else { return }
      state.chain = state.batches.last?.chain ?? ChainDigest(start: state.identity)
      if let before = state.batches.last(where: { $0.node == lost.node }) {
        state.nodes[lost.node] = Newest(of: before)
      } else if lost.number > .first {
        // Its batch before was deleted, and its number stays known.
        state.nodes[lost.node]?.progress = NodeProgress(
          number: BatchNumber(lost.number.number - 1), position: .start)
      } else {
        state.nodes[lost.node] = nil
      }
    }
  }

  /// Puts other bytes into a stored batch, as a damaged disk would.
  package func replaceBody(at position: JournalPosition, with body: [UInt8]) {
    replace(at: position) { old in
      JournalBatch(position: position, node: old.node, number: old.number, chain: old.chain, body: body)
    }
  }

  /// Puts another digest beside a stored batch, as a damaged disk would.
  package func replaceChain(at position: JournalPosition, with chain: ChainDigest) {
    replace(at: position) { old in
      JournalBatch(position: position, node: old.node, number: old.number, chain: chain, body: old.body)
    }
  }

  /// Takes a stored batch away, as a damaged disk would.
  package func remove(at position: JournalPosition) { replace(at: position) { _ in nil } }

  private func replace(at position: JournalPosition, by change: (JournalBatch) -> JournalBatch?) {
    state.withLock { state in
      state.batches = state.batches.compactMap { $0.position == position ? change($0) : $0 }
    }
  }
}
