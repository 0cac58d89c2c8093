import Campaigns
import System

/// Values that are made once for each key, by one of the threads that ask; the others wait for it.
final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Content: Sendable {
    var values: [Key: Value] = [:]
    /// Those that were asked for longest ago first.
    var order: [Key] = []
    var underWay: Set<Key> = []

    mutating func use(_ key: Key) {
      order.removeAll { $0 == key }
      order.append(key)
    }
  }

  private enum Found {
    case value(Value)
    /// No thread is at it.
    case nothing
  }

  private let most: Int
  private let content = Guarded(Content())

  /// - Parameter most: How many values are kept; those that were asked for longest ago go.
  init(most: Int = .max) { self.most = most }

  /// - Parameters:
  ///   - mayMake: Whether the thread may make it or wait.
  ///   - isKept: Whether a value that was made is kept.
  /// - Throws: What `make` throws, or ``PartIsMissing`` where it is not there and may not be made.
  func value(
    _ key: Key, mayMake: Bool, where isKept: (Value) -> Bool = { _ in true }, _ make: () throws -> Value
  ) throws -> Value {
    let found = content.wait { content -> Found? in
      if let value = content.values[key] {
        content.use(key)
        return .value(value)
      }
      return !mayMake || content.underWay.insert(key).inserted ? .nothing : nil
    }
    if case .value(let value) = found { return value }
    guard mayMake else { throw PartIsMissing() }
    defer {
      content.withLock { _ = $0.underWay.remove(key) }
      content.wakeAll()
    }
    let value = try make()
    guard isKept(value) else { return value }
    content.withLock { content in
      content.values[key] = value
      content.use(key)
      while content.order.count > most { content.values[content.order.removeFirst()] = nil }
    }
    return value
  }

  func has(_ key: Key) -> Bool { content.withLock { $0.values[key] != nil } }

  var values: [Value] { content.withLock { Array($0.values.values) } }

  /// Forgets the value that was asked for longest ago, unless it is the only one; whether it did.
  func forgetOldest() -> Bool {
    content.withLock { content in
      guard content.order.count > 1 else { return false }
      content.values[content.order.removeFirst()] = nil
      return true
    }
  }
}
