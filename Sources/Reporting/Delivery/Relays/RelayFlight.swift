/// What a relay has read of a queue and not dealt with: what may be sent now, what is under way, and what came of it.
///
/// Answers come in any order, outcomes come out in the order of the queue. So everything before the first element is dealt
/// with, and how far the relay is stays one place.
struct RelayFlight<Element: Sendable, Outcome: Sendable>: Sendable {
  private enum Stage: Sendable {
    case waiting
    case underWay
    case ended(Outcome)
  }

  private struct Entry: Sendable {
    let element: Element
    let lane: Int64?
    var stage = Stage.waiting
  }

  /// Those that were dealt with lately are still before `head`.
  private var entries: [Entry] = []
  private var head = 0
  /// The number of the first of `entries`.
  private var base = 0
  /// Behind the last one that was ever sent, as an index.
  private var reach = 0
  /// How many may be sent and were not.
  private(set) var waiting = 0
  private(set) var underWay = 0
  /// The lanes of what is under way.
  private(set) var lanes: Set<Int64> = []

  var count: Int { entries.count - head }
  var isEmpty: Bool { count == 0 }
  /// How many there are from the first to the last one that was sent: what is sent again when the process dies now.
  var span: Int { max(0, reach - head) }

  /// Adds one at the end.
  ///
  /// - Parameter lane: What it must not be sent beside or before others of; `nil` where it may go at any time.
  mutating func append(_ element: Element, lane: Int64? = nil) {
    if head > 256 {
      entries.removeFirst(head)
      (base, reach, head) = (base + head, max(0, reach - head), 0)
    }
    entries.append(Entry(element: element, lane: lane))
    waiting += 1
  }

  /// Takes the first one that may be sent now; it is under way then.
  ///
  /// - Parameters:
  ///   - window: How far behind the first element it may be at most, which counts as 1.
  ///   - busy: Further lanes in which something is under way.
  /// - Returns: The element, and the number that its outcome is noted by; `nil` for none.
  mutating func take(window: Int, beside busy: Set<Int64> = []) -> (number: Int, element: Element)? {
    guard waiting > 0 else { return nil }
    // Behind one that waits for its lane, the next of the lane waits too.
    var passed: Set<Int64> = []
    for index in head..<max(head, min(entries.count, head + window)) {
      guard case .waiting = entries[index].stage else { continue }
      if let lane = entries[index].lane {
        guard !lanes.contains(lane), !busy.contains(lane), !passed.contains(lane) else {
          passed.insert(lane)
          continue
        }
        lanes.insert(lane)
      }
      entries[index].stage = .underWay
      (waiting, underWay, reach) = (waiting - 1, underWay + 1, max(reach, index + 1))
      return (base + index, entries[index].element)
    }
    return nil
  }

  /// Notes what came of one that is under way.
  mutating func note(_ outcome: Outcome, of number: Int) {
    let index = number - base
    guard entries.indices.contains(index), case .underWay = entries[index].stage else { return }
    entries[index].stage = .ended(outcome)
    underWay -= 1
    if let lane = entries[index].lane { lanes.remove(lane) }
  }

  /// The first element with what came of it; `nil` where that is not known yet, or there is none.
  var first: (element: Element, outcome: Outcome)? {
    guard head < entries.count, case .ended(let outcome) = entries[head].stage else { return nil }
    return (entries[head].element, outcome)
  }

  /// Removes the first element, whose outcome is known.
  mutating func removeFirst() {
    guard first != nil else { return }
    head += 1
    if isEmpty { removeAll() }
  }

  /// Whether something came of one that a condition holds for.
  func hasEnded(where condition: (Outcome) -> Bool) -> Bool {
    guard head < reach else { return false }
    return entries[head..<reach].contains {
      if case .ended(let outcome) = $0.stage { condition(outcome) } else { false }
    }
  }

  /// Lets those be sent again that a condition holds for.
  mutating func sendAgain(where condition: (Outcome) -> Bool) {
    for index in head..<max(head, reach) {
      guard case .ended(let outcome) = entries[index].stage, condition(outcome) else { continue }
      entries[index].stage = .waiting
      waiting += 1
    }
  }

  /// Lets everything be sent again that is under way; nothing is noted of that.
  mutating func recall() {
    for index in head..<max(head, reach) {
      guard case .underWay = entries[index].stage else { continue }
      entries[index].stage = .waiting
      waiting += 1
    }
    (underWay, lanes) = (0, [])
  }

  /// Forgets all elements; outcomes of them are no longer noted.
  mutating func removeAll() {
    base += entries.count
    entries.removeAll(keepingCapacity: true)
    (head, reach, waiting, underWay, lanes) = (0, 0, 0, 0, [])
  }
}
