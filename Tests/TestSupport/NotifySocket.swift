import Foundation
import Glibc
import System

/// A socket that receives a service's messages to its manager, as systemd's does.
public final class NotifySocket: Sendable {
  private struct State: Sendable {
    var messages: [String] = []
    var taken = 0
    var hasEnded = false
  }

  private let descriptor: Int32
  private let state = Guarded(State())
  private let worker: Worker

  /// Listens at a path, or at an abstract name that begins with @.
  public init(_ address: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    var name = Array(address.utf8)
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: name) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name[0] == 0 ? 0 : 1))
    let code = withUnsafePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard code == 0 else { throw HTTPClientError(description: "no socket at \(address): \(errno)") }
    self.descriptor = descriptor
    let state = state
    worker = try Worker {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0, errno == EINTR { continue }
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        state.withLock { state in
          if count > 0 { state.messages.append(text) } else { state.hasEnded = true }
        }
        state.wakeAll()
        guard count > 0 else { break }
      }
    }
  }

  deinit {
    // Ends the wait for the next datagram, so that the thread ends before the number belongs to another file.
    shutdown(descriptor, Int32(SHUT_RDWR))
    worker.join()
    close(descriptor)
  }

  /// Waits for the next message.
  public func next() -> String? {
    let found: String?? = state.wait { state in
      if state.taken < state.messages.count {
        state.taken += 1
        return .some(state.messages[state.taken - 1])
      }
      return state.hasEnded ? .some(nil) : nil
    }
    return found ?? nil
  }

  /// Waits for a message that holds a text, and passes over others.
  public func next(containing text: String) -> String? {
    while let message = next() { if message.contains(text) { return message } }
    return nil
  }

  /// How many messages so far were a text.
  public func count(of text: String) -> Int { state.withLock { $0.messages.count { $0 == text } } }
}
