/// Where the library keeps its state: a few items of bytes by name, such as files of a folder or keys of the defaults.
///
/// Item names consist of lower-case letters, digits and hyphens, at most 24 of them. What is saved has to survive a
/// relaunch, must not survive the removal of the app, and is to be replaced as a whole or not at all. The two items with
/// the state have at most 1,024 bytes together; further items are the app documents in use.
public protocol StateStore {
  /// Returns what was saved as an item; `nil` where nothing was.
  mutating func load(_ item: String) throws -> [UInt8]?
  mutating func save(_ bytes: [UInt8], as item: String) throws
  /// Removes an item; one that is not there is no error.
  mutating func remove(_ item: String) throws
}

/// A store that forgets everything with the process, for tests and trials.
public struct MemoryStore: StateStore, Sendable {
  public var items: [String: [UInt8]] = [:]

  public init() {}

  public mutating func load(_ item: String) -> [UInt8]? { items[item] }
  public mutating func save(_ bytes: [UInt8], as item: String) { items[item] = bytes }
  public mutating func remove(_ item: String) { items[item] = nil }
}
