import System
package import Values

/// Costly answers, kept for a short time so that pages which show them do not gather them again.
package final class AnswerCache: Sendable {
  private struct Entry: Sendable {
    let value: any Sendable
    /// From when it was asked for: a clock that was put back has answers of later, which are not for now.
    let time: Range<Instant>
  }

  private let capacity: Int
  private let entries = Guarded<[String: Entry]>([:])

  package init(capacity: Int = 64) { self.capacity = capacity }

  /// The answer to a question, made where there is none that is recent enough.
  ///
  /// Two threads may make the same answer at once, which costs time and changes nothing.
  package func value<Value: Sendable>(
    _ question: String, now: Instant, keptSeconds seconds: Int64, _ make: () throws -> Value
  ) rethrows -> Value {
    let kept = entries.withLock { entries -> Value? in
      guard let entry = entries[question], entry.time.contains(now) else { return nil }
      return entry.value as? Value
    }
    if let kept { return kept }
    let value = try make()
    let entry = Entry(value: value, time: now..<now + seconds * 1000)
    entries.withLock { entries in
      // Answers can be large, so that none is kept for longer than it is right to show it.
      entries = entries.filter { $0.value.time.contains(now) }
      if entries.count >= capacity { entries = [:] }
      entries[question] = entry
    }
    return value
  }
}
