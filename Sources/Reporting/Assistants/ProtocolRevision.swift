/// The revisions of the Model Context Protocol that assistants can use.
///
/// Source: modelcontextprotocol.io, "Versioning and Compatibility" of the revision 2026-07-28.
enum ProtocolRevision: String, CaseIterable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// The newest of those that begin with a handshake.
  static let newestWithHandshake = Self.november2025

  /// What a request without any word about it is taken for.
  static let unstated = Self.march2025

  /// Whether each request states the revision by itself, and results state that they are complete.
  var isStateless: Bool { self == .july2026 }
}
