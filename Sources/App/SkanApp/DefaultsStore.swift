public import Foundation
public import SkanMapping

/// What has the shape of `UserDefaults`: bytes by key.
public protocol KeyedDefaults {
  func data(forKey key: String) -> Data?
  func set(_ value: Any?, forKey key: String)
  func removeObject(forKey key: String)
}

extension UserDefaults: KeyedDefaults {}

/// Keeps the state in the defaults of an app, or in what has their shape.
///
/// The system writes defaults to disk a little later, so what happened just before a crash can be lost, and defaults are
/// in backups, which another device may be set up from. ``FileStore`` has neither fault.
public struct DefaultsStore<Defaults: KeyedDefaults>: StateStore {
  private let defaults: Defaults
  private let prefix: String

  /// Takes defaults, such as `UserDefaults.standard`.
  ///
  /// - Parameter prefix: What the keys of items begin with.
  public init(_ defaults: Defaults, prefix: String = "skan.") {
    self.defaults = defaults
    self.prefix = prefix
  }

  public func load(_ item: String) -> [UInt8]? { defaults.data(forKey: prefix + item).map { [UInt8]($0) } }
  public func save(_ bytes: [UInt8], as item: String) { defaults.set(Data(bytes), forKey: prefix + item) }
  public func remove(_ item: String) { defaults.removeObject(forKey: prefix + item) }
}

extension DefaultsStore: Sendable where Defaults: Sendable {}
