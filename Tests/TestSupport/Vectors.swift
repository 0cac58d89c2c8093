import Foundation

/// Postbacks that lie in the source tree, shared by the tests of several modules.
public enum SharedVectors {
  /// Returns a file of `Tests/VerificationTests/Vectors`.
  public static func file(_ name: String) throws -> [UInt8] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try [UInt8](Data(contentsOf: tests.appending(path: "VerificationTests/Vectors/\(name)")))
  }

  /// Returns the bodies of the vectors whose identifiers begin with a text.
  public static func bodies(_ prefix: String) throws -> [(id: String, body: [UInt8])] {
    let entries = try JSONSerialization.jsonObject(with: Data(file("skan-aak.json"))) as? [[String: Any]]
    return (entries ?? []).compactMap { entry in
      guard let id = entry["id"] as? String, id.hasPrefix(prefix), let raw = entry["raw"] as? String else {
        return nil
      }
      return (id, Array(raw.utf8))
    }
  }

  /// Returns the body of one vector, empty where there is none of that identifier.
  public static func body(_ id: String) throws -> [UInt8] { try bodies(id).first { $0.id == id }?.body ?? [] }
}
