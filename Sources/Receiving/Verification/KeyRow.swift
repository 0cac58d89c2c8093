import OpenSSL
import Postbacks
import Synchronization

final class LoadedKey: Sendable {
  let key: PublicKey
  let environment: Environment

  init(_ key: consuming PublicKey, environment: Environment) {
    self.key = key
    self.environment = environment
  }
}

/// The keys that may have signed a certain kind of postback.
///
/// The one that held last is tried first, so that a stream signed by one key costs one check a postback whatever
/// other keys are trusted.
final class KeyRow: Sendable {
  let keys: [LoadedKey]
  private let lastHeld = Atomic<Int>(0)

  init(_ keys: [LoadedKey]) { self.keys = keys }

  /// The first key for which `holds` is true; `nil` when there is none.
  func first(where holds: (LoadedKey) -> Bool) -> LoadedKey? {
    let hint = lastHeld.load(ordering: .relaxed)
    if hint < keys.count, holds(keys[hint]) { return keys[hint] }
    for index in keys.indices where index != hint && holds(keys[index]) {
      lastHeld.store(index, ordering: .relaxed)
      return keys[index]
    }
    return nil
  }

  func prepare() {
    for loaded in keys { _ = loaded.key.prepare() }
  }
}
