// The only file of this module that calls libmicrohttpd, beside `RawResponse`.
//
// Ownership: `Daemon` owns the library's threads. An `Exchange` is retained once for the library, from the first
// callback for its request to `onCompleted`, which the library calls exactly once for each request begun.
import CMicroHTTPD
import Glibc
import Synchronization
import System

/// The library's threads and its listening socket.
@safe struct Daemon: ~Copyable, Sendable {
  // Sendable: the library allows these calls from any thread.
  private nonisolated(unsafe) let pointer: OpaquePointer

  /// Takes over a listening socket and starts answering, or returns nil when the system lacks resources.
  ///
  /// `core` has to live until `stop` returns. The C function is `MHD_start_daemon`.
  init?(listeningOn socket: consuming ListeningSocket, core: Core) {
    var settings = unsafe skan_http_settings()
    // "Turbo" reads and writes without asking first whether the socket is ready. It also leaves the socket open for
    // writing when a timeout ends a request, which the answer 408 relies on.
    unsafe settings.flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_TURBO.rawValue
    unsafe settings.listening_socket = socket.descriptor
    unsafe settings.threads = UInt32(clamping: core.options.threads)
    unsafe settings.connections = UInt32(clamping: core.capacity)
    unsafe settings.idle_seconds = UInt32(clamping: core.options.idleSeconds)
    let context = unsafe Unmanaged.passUnretained(core).toOpaque()
    func start() -> OpaquePointer? {
      unsafe skan_http_start(settings, onConnect, onConnection, onTarget, onRequest, onCompleted, context)
    }
    let started: OpaquePointer?
    if let identity = core.options.identity {
      // The library reads these texts while it starts and never again.
      unsafe started = identity.certificateText.withUnsafeBytes { certificates in
        unsafe identity.keyText.withUnsafeBytes { key in
          unsafe TLSIdentity.priorities.withCString { priorities in
            unsafe settings.certificates = certificates.assumingMemoryBound(to: CChar.self).baseAddress
            unsafe settings.key = key.assumingMemoryBound(to: CChar.self).baseAddress
            unsafe settings.priorities = priorities
            return unsafe start()
          }
        }
      }
    } else {
      unsafe started = start()
    }
    guard let pointer = unsafe started else { return nil }
    // From here on the library closes the socket.
    _ = socket.release()
    unsafe self.pointer = pointer
  }

  var connections: Int { unsafe Int(skan_http_connections(pointer)) }

  /// Ends the threads and closes the listening socket and all connections, none of which may be suspended.
  ///
  /// The C function is `MHD_stop_daemon`.
  func stop() { unsafe MHD_stop_daemon(pointer) }
}

/// A client's connection; usable from the first callback of a request until its completion.
@safe struct HTTPConnection: Sendable {
  // Sendable: other threads only resume it, which the library allows.
  fileprivate nonisolated(unsafe) let pointer: OpaquePointer

  /// The places that named values come from.
  enum Source { case headers, query }

  /// Returns the first value of that name, "" where a name is alone, or nil where there is none.
  ///
  /// The C function is `MHD_lookup_connection_value_n`; it compares header names without regard to case.
  func value(of name: StaticString, in source: Source) -> String? {
    var start: UnsafePointer<CChar>?
    var count = 0
    let kind = source == .headers ? MHD_ValueKind.HEADER_KIND : .GET_ARGUMENT_KIND
    let found = unsafe name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) {
      key in
      unsafe MHD_lookup_connection_value_n(
        pointer, kind, key, name.utf8CodeUnitCount, &start, &count)
    }
    guard found == .YES else { return nil }
    guard let start = unsafe start else { return "" }
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: count), as: UTF8.self)
  }

  /// All query parameters, in order.
  ///
  /// The C function is `MHD_get_connection_values_n`.
  var queryItems: [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    unsafe withUnsafeMutablePointer(to: &items) { items in
      _ = unsafe MHD_get_connection_values_n(
        pointer, .GET_ARGUMENT_KIND,
        { items, _, name, nameCount, value, valueCount in
          guard let items = unsafe items else { return .YES }
          func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
            guard let start = unsafe start else { return "" }
            return unsafe String(
              decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: count), as: UTF8.self)
          }
          unsafe items.assumingMemoryBound(to: [(name: String, value: String)].self).pointee.append(
            (text(name, nameCount), text(value, valueCount)))
          return .YES
        }, items)
    }
    return items
  }

  /// Returns the values of all header lines of that name, in order; the name is compared without regard to case.
  ///
  /// The C function is `MHD_get_connection_values_n`.
  func headers(named wanted: String) -> [String] {
    var found = (name: wanted.lowercased(), values: [String]())
    unsafe withUnsafeMutablePointer(to: &found) { found in
      _ = unsafe MHD_get_connection_values_n(
        pointer, .HEADER_KIND,
        { found, _, name, nameCount, value, valueCount in
          guard let found = unsafe found, let name = unsafe name else { return .YES }
          func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
            unsafe String(
              decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: count), as: UTF8.self)
          }
          let search = unsafe found.assumingMemoryBound(to: (name: String, values: [String]).self)
          guard unsafe text(name, nameCount).lowercased() == search.pointee.name else { return .YES }
          unsafe search.pointee.values.append(value.map { unsafe text($0, valueCount) } ?? "")
          return .YES
        }, found)
    }
    return found.values
  }

  /// The client's address; `::` where the system does not report it.
  var client: IPAddress {
    unsafe skan_http_client(pointer).flatMap { unsafe IPAddress(at: $0) } ?? .unspecified
  }

  var open: OpenConnection? {
    guard let kept = unsafe skan_http_kept(pointer) else { return nil }
    return unsafe Unmanaged<OpenConnection>.fromOpaque(kept).takeUnretainedValue()
  }

  /// The encrypted side of the connection, or nil where it is plain.
  fileprivate var session: TLSSession? { unsafe skan_http_session(pointer).map { unsafe TLSSession($0) } }

  /// Takes the connection out of the event loop until `resume`.
  ///
  /// The C function is `MHD_suspend_connection`.
  func suspend() { unsafe MHD_suspend_connection(pointer) }

  /// Resumes a suspended connection, from any thread.
  ///
  /// The C function is `MHD_resume_connection`.
  func resume() { unsafe MHD_resume_connection(pointer) }

  func closeWhenSilent(forSeconds seconds: Int) {
    unsafe skan_http_set_timeout(pointer, UInt32(clamping: seconds))
  }

  /// Hands over the response; allowed before the first byte of the body and after the last.
  ///
  /// Returns false when the library did not take it. The C function is `MHD_queue_response`.
  func queue(_ response: borrowing RawResponse, status: Int) -> Bool {
    unsafe MHD_queue_response(pointer, UInt32(clamping: status), response.pointer) == .YES
  }

  /// Writes bytes past the library and informs the client that no more will come.
  ///
  /// This is sound only while the library has nothing of its own to write, that is before a response is queued.
  /// What the socket's buffer does not take at once is lost; a rejection is small.
  func sendLast(_ bytes: [UInt8]) {
    let socket = unsafe skan_http_socket(pointer)
    guard socket >= 0 else { return }
    if let session {
      // After a piece of a record nothing can follow, so the connection ends where not all of it could be written.
      if !session.sendLast(bytes) { shutdown(socket, Int32(skan_both_directions)) }
      return
    }
    _ = unsafe bytes.withUnsafeBytes { bytes in
      unsafe send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    shutdown(socket, Int32(SHUT_WR))
  }
}

/// Returns the phrase that belongs to a status code.
///
/// The C function is `MHD_get_reason_phrase_for`.
func reasonPhrase(_ status: Int) -> String {
  guard let phrase = unsafe MHD_get_reason_phrase_for(UInt32(clamping: status)) else { return "" }
  return unsafe String(cString: phrase)
}

extension RequestHead {
  fileprivate init(_ read: skan_http_head) {
    let (lengths, codings) = unsafe (read.lengths, read.codings)
    isPlain = unsafe read.at != nil
    isFramingAmbiguous = unsafe read.spaced_names > 0 || lengths + codings > 1
    bodyEnd =
      if codings > 0 {
        unsafe read.is_chunked != 0 ? .chunks : .unknownCoding
      } else {
        .length(lengths > 0 ? unsafe Int(read.length) : 0)
      }
    room = unsafe Int(read.bytes) + Self.roomOfItem * Int(read.items)
  }

  /// A head of which nothing is read but its first line.
  fileprivate static let unread = RequestHead(
    isPlain: true, isFramingAmbiguous: false, bodyEnd: .length(0), room: 0)
}

/// The library calls this when a client connects, and closes the connection without a word where the answer is no.
///
/// While the server stops, this takes the place of `MHD_quiesce_daemon`, which must not be called: it takes the
/// listening socket out of the threads' epoll sets while they may do the same, and the later of the two aborts the
/// process.
private func onConnect(
  _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t
) -> MHD_Result {
  guard let context = unsafe context else { return .NO }
  let core = unsafe Unmanaged<Core>.fromOpaque(context).takeUnretainedValue()
  guard !core.isStopping.load(ordering: .relaxed) else { return .NO }
  let client = unsafe address.flatMap { unsafe IPAddress(at: $0) } ?? .unspecified
  // Counted when the connection is open, because it may fail in between without a word.
  return core.connections.admits(client, isProxy: core.options.isProxy(client)) ? .YES : .NO
}

extension IPAddress {
  /// Reads the address of a socket; nil where it is neither IPv4 nor IPv6.
  fileprivate init?(at address: UnsafePointer<sockaddr>) {
    let family = unsafe Int32(address.pointee.sa_family)
    guard family == AF_INET || family == AF_INET6 else { return nil }
    // The address is after family and port, in IPv6 after the flow label too.
    let (offset, count) = family == AF_INET ? (4, 4) : (8, 16)
    let bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + offset, count: count)
    unsafe self.init(bytes: bytes)
  }
}

/// The library calls this when a connection is open, and before it closes the connection's socket.
private func onConnection(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ change: MHD_ConnectionNotificationCode
) {
  guard let context = unsafe context, let connection = unsafe connection, let kept = unsafe kept else {
    return
  }
  let core = unsafe Unmanaged<Core>.fromOpaque(context).takeUnretainedValue()
  if change == .CONNECTION_NOTIFY_STARTED {
    // The library starts its threads without a word, so each learns it here, however often.
    if core.options.isBackground { skan_http_yield() }
    let identity = core.identity.withLock { $0 }
    let client = unsafe HTTPConnection(pointer: connection).client
    let open = unsafe OpenConnection(
      skan_http_socket(connection), of: client, isProxy: core.options.isProxy(client), identity: identity)
    if let identity, let session = unsafe HTTPConnection(pointer: connection).session {
      identity.present(in: session)
    }
    core.connections.add(open)
    unsafe kept.pointee = Unmanaged.passRetained(open).toOpaque()
  } else if let held = unsafe kept.pointee {
    unsafe kept.pointee = nil
    core.connections.remove(unsafe Unmanaged<OpenConnection>.fromOpaque(held).takeRetainedValue())
  }
}

/// The library calls this when the first line of a request has come, before it decodes the target in place.
private func onTarget(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context, let target = unsafe target, let connection = unsafe connection,
    let open = unsafe HTTPConnection(pointer: connection).open
  else { return nil }
  let length = unsafe strlen(target)
  open.targetEnd.store(unsafe UInt(bitPattern: target + length), ordering: .relaxed)
  let text = unsafe UnsafeRawBufferPointer(start: target, count: length)
  let parameters = unsafe text.count { $0 == UInt8(ascii: "&") }
  let core = unsafe Unmanaged<Core>.fromOpaque(context).takeUnretainedValue()
  let hasSpace = unsafe text.contains(UInt8(ascii: " "))
  guard
    hasSpace || length > core.options.targetBytes || parameters >= RequestHead.mostParameters
      || length + RequestHead.roomOfItem * parameters > RequestHead.mostRoom
  else { return nil }
  // Where the library has no room for all parameters, it never answers. So the answer is given before it tries.
  open.isTurnedAway.store(true, ordering: .relaxed)
  let path = unsafe text.prefix { $0 != UInt8(ascii: "?") }
  let exchange = unsafe Exchange(
    on: HTTPConnection(pointer: connection), method: "", path: String(decoding: path, as: UTF8.self),
    head: .unread, core: core)
  _ = exchange.reject(
    hasSpace
      ? .ambiguousHead
      : .targetTooLong(bytes: core.options.targetBytes, parameters: RequestHead.mostParameters))
  exchange.complete(timedOut: false)
  return nil
}

/// The library calls this when the head of a request has come, for each piece of its body, at the end of the body,
/// and again after a resume.
private func onRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ piece: UnsafePointer<CChar>?, _ pieceCount: UnsafeMutablePointer<Int>?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection, let path = unsafe path,
    let method = unsafe method, let pieceCount = unsafe pieceCount, let slot = unsafe slot
  else { return .NO }
  guard let held = unsafe slot.pointee else {
    if let open = unsafe HTTPConnection(pointer: connection).open, open.isTurnedAway.load(ordering: .relaxed)
    {
      return .NO
    }
    let end = unsafe HTTPConnection(pointer: connection).open?.targetEnd.load(ordering: .relaxed) ?? 0
    let head = unsafe skan_http_read_head(
      connection, method, path, UnsafePointer(bitPattern: end), version)
    let exchange = unsafe Exchange(
      on: HTTPConnection(pointer: connection), method: String(cString: method), path: String(cString: path),
      head: RequestHead(head), core: Unmanaged<Core>.fromOpaque(context).takeUnretainedValue())
    unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return exchange.begin() ? .YES : .NO
  }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(held).takeUnretainedValue()
  guard let piece = unsafe piece, unsafe pieceCount.pointee > 0 else {
    return exchange.proceed() ? .YES : .NO
  }
  let bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(piece), count: pieceCount.pointee)
  unsafe pieceCount.pointee = 0
  return unsafe exchange.take(bytes) ? .YES : .NO
}

/// The library calls this exactly once for each request that began, however it ended.
private func onCompleted(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let slot = unsafe slot, let held = unsafe slot.pointee else { return }
  unsafe slot.pointee = nil
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(held).takeRetainedValue()
  exchange.complete(timedOut: reason == .REQUEST_TERMINATED_TIMEOUT_REACHED)
}

/// The version of the libmicrohttpd library that is linked, such as `0.9.75`.
public var microHTTPDVersion: String { unsafe String(cString: MHD_get_version()) }
