import Ledger
import System

/// Hands the postbacks of a batch out to several senders, and gives what became of them back in the order of the batch.
final class RelayTurns: Sendable {
  /// What became of a postback: what the other side answered; `nil` where its body is no longer kept.
  typealias Outcome = RelayVerdict?

  private struct State: Sendable {
    /// The lane of each postback: of those with the same one, no two are under way at a time.
    let lanes: [Int64]
    /// How many may be taken that were not given back.
    let window: Int
    var outcomes: [Outcome?]
    var isTaken: [Bool]
    var busyLanes: Set<Int64> = []
    /// Everything before it is taken.
    var firstFree = 0
    /// Everything before it was given back.
    var firstLeft = 0
    var isEnding = false

    /// The first postback whose lane is free.
    mutating func take() -> Int? {
      while firstFree < lanes.count, isTaken[firstFree] { firstFree += 1 }
      // Those of a lane keep their order: behind one that waits, the next of its lane waits too.
      var waiting: Set<Int64> = []
      for index in firstFree..<max(firstFree, min(lanes.count, firstLeft + window)) where !isTaken[index] {
        let lane = lanes[index]
        guard !busyLanes.contains(lane), !waiting.contains(lane) else {
          waiting.insert(lane)
          continue
        }
        isTaken[index] = true
        busyLanes.insert(lane)
        return index
      }
      return nil
    }

    /// Whether nothing is left, after ``take()`` found nothing.
    var isOver: Bool { isEnding || firstFree == lanes.count }
  }

  private let state: Guarded<State>

  /// - Parameters:
  ///   - lanes: For each postback, what it must not be sent beside; numbers of their own where any may go at once.
  ///   - window: How many may be sent before the first of them is given back.
  init(lanes: [Int64], window: Int) {
    state = Guarded(
      State(
        lanes: lanes, window: window, outcomes: Array(repeating: nil, count: lanes.count),
        isTaken: Array(repeating: false, count: lanes.count)))
  }

  /// The next postback to send, waiting for it; `nil` where there is none left.
  func take() -> Int? {
    state.wait { state in
      if state.isEnding { return .some(nil) }
      if let index = state.take() { return .some(index) }
      return state.isOver ? .some(nil) : nil
    }
  }

  /// Notes what became of a postback that was taken.
  func note(_ outcome: Outcome, of index: Int) {
    state.withLock { state in
      state.outcomes[index] = .some(outcome)
      state.busyLanes.remove(state.lanes[index])
      // What the other side could not take it is not asked for again at once.
      if case .failed? = outcome { state.isEnding = true }
    }
    state.wakeAll()
  }

  /// What became of the next postback, in the order of the batch, waiting for it; `nil` at the end.
  func next() -> (index: Int, outcome: Outcome)? {
    defer { state.wakeAll() }
    return state.wait { state in
      guard state.firstLeft < state.lanes.count else { return .some(nil) }
      if let outcome = state.outcomes[state.firstLeft] {
        defer { state.firstLeft += 1 }
        return .some((state.firstLeft, outcome))
      }
      return state.isEnding && !state.isTaken[state.firstLeft] ? .some(nil) : nil
    }
  }

  /// Lets no further postback be taken; those that are under way are waited for.
  func end() {
    state.withLock { $0.isEnding = true }
    state.wakeAll()
  }
}
