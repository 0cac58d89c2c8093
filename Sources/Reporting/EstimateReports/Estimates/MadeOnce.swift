import Campaigns
import System

/// Values that are made once for each key, by one of the threads that ask; the others wait for it.
final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Content: Sendable {
    var values: [Key: Value] = [:]
    /// The oldest first.
    var order: [Key] = []
    var underWay: Set<Key> = []
  }

  private enum Found {
    case value(Value)
    /// No thread is at it.
    case nothing
  }

  private let most: Int
  private let content = Guarded(Content())

  /// - Parameter most: How many values are kept; the oldest go.
  init(most: Int = .max) { self.most = most }

  /// - Parameter mayMake: Whether the thread may make it or wait.
  /// - Throws: What `make` throws, or ``PartIsMissing`` where it is not there and may not be made.
  func value(_ key: Key, mayMake: Bool, _ make: () throws -> Value) throws -> Value {
    let found = content.wait { content -> Found? in
      if let value = content.values[key] { return .value(value) }
      return !mayMake || content.underWay.insert(key).inserted ? .nothing : nil
    }
    if case .value(let value) = found { return value }
    guard mayMake else { throw PartIsMissing() }
    defer {
      content.withLock { _ = $0.underWay.remove(key) }
      content.wakeAll()
    }
    let value = try make()
    content.withLock { content in
      content.values[key] = value
      content.order.append(key)
      while content.order.count > most { content.values[content.order.removeFirst()] = nil }
    }
    return value
  }

  func has(_ key: Key) -> Bool { content.withLock { $0.values[key] != nil } }

  var values: [Value] { content.withLock { Array($0.values.values) } }

  /// Forgets all values but the newest; whether there were any.
  func forgetOlder() -> Bool {
    content.withLock { content in
      guard content.order.count > 1 else { return false }
      while content.order.count > 1 { content.values[content.order.removeFirst()] = nil }
      return true
    }
  }
}
