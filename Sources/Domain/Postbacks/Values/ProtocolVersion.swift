/// The version a postback follows; AdAttributionKit's postbacks carry none.
public enum ProtocolVersion: String, Hashable, Sendable, CaseIterable {
  case v1_0 = "1.0"
  case v2_0 = "2.0"
  case v2_1 = "2.1"
  case v2_2 = "2.2"
  case v3_0 = "3.0"
  case v4_0 = "4.0"
  case adAttributionKit = "aak"

  public var kind: PostbackKind { self == .adAttributionKit ? .aak : .skan }

  /// Whether postbacks arrive for three windows, with coarse values if the group is small.
  public var hasWindows: Bool { self == .v4_0 || self == .adAttributionKit }
}

/// Which of Apple's two frameworks made a postback.
public enum PostbackKind: String, Hashable, Sendable, CaseIterable {
  case skan
  case aak
}
