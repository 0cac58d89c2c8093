public import Values

/// A failure to start listening, with what to do about it.
public struct ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case addressInUse = "address-in-use"
    /// Ports below 1024 need a privilege.
    case notPermitted = "not-permitted"
    /// The host has no address on this machine.
    case unknownHost = "unknown-host"
    case system
  }

  public let code: Code
  public let address: HostPort
  /// The system's own words.
  public let reason: String

  public var description: String { "cannot listen on \(address): \(reason)" }

  public var remedy: String? {
    switch code {
    case .addressInUse:
      "stop the program that listens on port \(address.port), or choose another port; 0 finds one"
    case .notPermitted: "choose a port above 1023 and put a proxy in front, or grant CAP_NET_BIND_SERVICE"
    case .unknownHost: "use an address of this machine, such as 127.0.0.1, or * for all of them"
    case .system: "check the limits of open files and memory, then try again"
    }
  }
}

extension ListenError: UserFacingError {
  /// What it means to the program that started this one.
  public var exitCode: ExitCode { .unavailable }
}
