import Foundation
import SkanApp
import SkanMapping
import Testing

@Suite struct `Stores of an app` {
  /// A folder that is gone after the test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "skan-\(UUID().uuidString)/state")
    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
  }

  /// Defaults without a file.
  private final class Keys: KeyedDefaults {
    var values: [String: Data] = [:]
    func data(forKey key: String) -> Data? { values[key] }
    func set(_ value: Any?, forKey key: String) { values[key] = value as? Data }
    func removeObject(forKey key: String) { values[key] = nil }
  }

  private func expectLaws(_ store: some StateStore, reopened: () throws -> any StateStore) throws {
    var store = store
    #expect(try store.load("state") == nil)
    try store.remove("state")
    try store.save([1, 2, 3], as: "state")
    try store.save([], as: "sent")
    try store.save([0, 255], as: "state")
    #expect(try store.load("state") == [0, 255])
    var later = try reopened()
    #expect(try later.load("state") == [0, 255])
    #expect(try later.load("sent") == [])
    try later.remove("state")
    #expect(try store.load("state") == nil)
    #expect(try store.load("sent") == [])
  }

  @Test func `Stores of an app keep items in files, and find them again`() throws {
    let folder = Folder()
    try expectLaws(try FileStore(folder: folder.url)) { try FileStore(folder: folder.url) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["sent"])
  }

  @Test func `Stores of an app keep items in defaults, under keys with a prefix`() throws {
    let keys = Keys()
    keys.values["state"] = Data([9])
    try expectLaws(DefaultsStore(keys)) { DefaultsStore(keys) }
    #expect(keys.values == ["state": Data([9]), "skan.sent": Data()])
    let name = "skan-test-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    try expectLaws(DefaultsStore(defaults)) { DefaultsStore(defaults) }
  }

  @Test func `Stores of an app that cannot be written are errors, and nothing is counted`() throws {
    let folder = Folder()
    var conversions = try AppConversions(mapping: countingMapping(), store: FileStore(folder: folder.url))
    _ = try conversions.launch(at: epoch)
    try FileManager.default.removeItem(at: folder.url)
    try Data().write(to: folder.url)
    #expect(throws: (any Error).self) { try conversions.record(AppEvent(name: "buy", time: epoch)) }
    try FileManager.default.removeItem(at: folder.url)
    _ = try FileStore(folder: folder.url)
    #expect(try conversions.record(AppEvent(name: "buy", time: epoch)).map(\.fine) == [1])
  }
}
