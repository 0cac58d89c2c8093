import Glibc
import Values

/// The service manager that started this process and asked for notifications, such as systemd.
///
/// Source: sd_notify(3). A message is one datagram of `NAME=VALUE` lines to the socket that `NOTIFY_SOCKET` names.
public struct ServiceManager: Sendable {
  /// The socket's address as the system takes it, without the family.
  private let path: [UInt8]
  /// After how many microseconds without ``Message/alive`` the manager ends the process; `nil` for never.
  public let watchdogMicroseconds: UInt64?

  public enum Message: Equatable, Sendable {
    /// It serves now; the text is for people.
    case ready(status: String)
    /// It reads its settings again; ``ready(status:)`` follows. The time is of the clock that never jumps.
    case reloading(monotonicMicroseconds: UInt64)
    case stopping
    case alive

    fileprivate var text: String {
      switch self {
      // A line break would begin another assignment.
      case .ready(let status): "READY=1\nSTATUS=\(printable(status))"
      case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
      case .stopping: "STOPPING=1"
      case .alive: "WATCHDOG=1"
      }
    }
  }

  /// Finds the manager in the variables of the environment; `nil` where none asks for notifications.
  public init?(environment: [String: String]) {
    guard let address = environment["NOTIFY_SOCKET"] else { return nil }
    var path = Array(address.utf8)
    // An abstract socket is written with @ and has a name that begins with NUL; see unix(7).
    if path.first == UInt8(ascii: "@") { path[0] = 0 } else if path.first != UInt8(ascii: "/") { return nil }
    let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    guard path.count > 1, path.count < capacity, !path.dropFirst().contains(0) else { return nil }
    self.path = path
    // The watchdog may be meant for another process of the service.
    let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    watchdogMicroseconds =
      isMeant ? environment["WATCHDOG_USEC"].flatMap { UInt64($0) }.flatMap { $0 > 0 ? $0 : nil } : nil
  }

  /// Sends a message.
  ///
  /// - Returns: Whether the manager's socket took it.
  @discardableResult public func notify(_ message: Message) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    // The length counts the name only: the rest of an abstract name's field would belong to it.
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (path[0] == 0 ? 0 : 1))
    let bytes = Array(message.text.utf8)
    let sent = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe sendto(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), address, size)
        }
      }
    }
    return sent == bytes.count
  }
}
