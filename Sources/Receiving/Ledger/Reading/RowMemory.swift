import System
import Values

/// Keeps values that follow from imported rows alone while these are the same, for readers of all threads.
package final class RowMemory: Sendable {
  fileprivate struct Key: Equatable, Sendable {
    let kind: ObjectIdentifier
    /// The database, and what is left out of it.
    let source: String
  }

  /// Differs where imported rows can.
  fileprivate struct State: Equatable, Sendable {
    let file: FileIdentity?
    let rowChanges: Int64
    let sampleMade: Instant?
  }

  private struct Entry: Sendable {
    let key: Key
    let state: State
    let bytes: Int
    let value: any Sendable
  }

  /// Bytes of all values together; one that takes more is not kept.
  private static let mostBytes = 32 << 20

  /// Those that were asked for longest ago first.
  private let entries = Guarded<[Entry]>([])

  package init() {}

  fileprivate func value(_ key: Key, _ state: State) -> (any Sendable)? {
    entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.key == key && $0.state == state }) else { return nil }
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry.value
    }
  }

  fileprivate func keep(_ value: any Sendable, bytes: Int, _ key: Key, _ state: State) {
    guard bytes <= Self.mostBytes else { return }
    entries.withLock { entries in
      entries.removeAll { $0.key == key }
      entries.append(Entry(key: key, state: state, bytes: bytes, value: value))
      while entries.reduce(0, { $0 + $1.bytes }) > Self.mostBytes { entries.removeFirst() }
    }
  }
}

extension LedgerReader {
  /// A value that follows from imported rows alone, as the memory has it, or made now.
  ///
  /// - Parameter bytes: The memory that it takes.
  package func remembered<Value: Sendable>(
    bytes: (Value) -> Int, _ make: () throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    let key = RowMemory.Key(kind: ObjectIdentifier(Value.self), source: source)
    return try consistently { () throws(LedgerError) in
      let state = RowMemory.State(
        file: FileIdentity(path), rowChanges: try rowChanges(), sampleMade: try last(.sampleMade))
      if let value = memory.value(key, state) as? Value { return value }
      let value = try make()
      memory.keep(value, bytes: bytes(value), key, state)
      return value
    }
  }
}
