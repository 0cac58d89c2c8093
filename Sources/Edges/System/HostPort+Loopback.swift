public import Values

extension HostPort {
  /// Whether only programs on the same machine reach it.
  public var isLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }
}
