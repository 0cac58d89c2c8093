internal import CPostgreSQL
import Glibc

/// A connection to a PostgreSQL server; one thread at a time can use it.
///
/// Statements have no name and no session state, so a pooler that gives each transaction another session serves too.
/// Source: PostgreSQL's manual, chapter 34, "libpq".
@safe package final class PostgreSQLConnection {
  private let handle: OpaquePointer
  private let notices: Notices
  /// Whether the connection can't be used again: it broke, or an answer is still under way.
  package private(set) var isLost = false

  /// What the server notes, where libpq's receiver finds it.
  private final class Notices {
    var all: [PostgreSQLNotice] = []
  }

  /// Used where neither the address nor a service file names another value.
  ///
  /// A dead network is noticed within a minute on an idle connection, and within seconds where something was sent.
  private static let defaults = [
    ("application_name", "skan"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
    ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
  ]

  /// Connects.
  ///
  /// - Parameters:
  ///   - address: A URI, or words such as `service=skan`; each may have several hosts, which are tried in order. What it
  ///     lacks comes from the environment, such as `PGHOST`.
  ///   - seconds: The most for each host, at least 2, where the address has no `connect_timeout`.
  ///   - settings: What holds whatever the address has, such as `target_session_attrs`.
  /// - Throws: ``PostgreSQLError`` where no server takes the connection.
  package init(
    _ address: String, connectSeconds seconds: Int = 3, settings: [(name: String, value: String)] = []
  ) throws(PostgreSQLError) {
    // Of two values for one name, libpq takes the later one, and the address is taken apart where it is.
    let words =
      Self.defaults + [("connect_timeout", "\(max(2, seconds))"), ("dbname", address)]
      + settings.map { ($0.name, $0.value) } + [("client_encoding", "UTF8")]
    guard words.allSatisfy({ !$0.1.utf8.contains(0) }) else {
      throw PostgreSQLError(
        kind: .notConnected, message: "the address has a NUL character", isOutcomeUnknown: false)
    }
    let connected = unsafe Self.withCStrings(words.map(\.0)) { names in
      unsafe Self.withCStrings(words.map(\.1)) { values in unsafe PQconnectdbParams(names, values, 1) }
    }
    guard let handle = unsafe connected else {
      throw PostgreSQLError(kind: .notConnected, message: "out of memory", isOutcomeUnknown: false)
    }
    guard unsafe PQstatus(handle) == CONNECTION_OK, unsafe PQsetnonblocking(handle, 1) == 0 else {
      let message = unsafe String(cString: PQerrorMessage(handle))
      unsafe PQfinish(handle)
      throw PostgreSQLError(kind: .notConnected, message: message, isOutcomeUnknown: false)
    }
    unsafe self.handle = handle
    notices = Notices()
    unsafe PQsetNoticeReceiver(
      handle,
      { context, result in
        guard let context = unsafe context, let result = unsafe result else { return }
        unsafe Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().all.append(
          PostgreSQLNotice(
            severity: unsafe text(skan_pq_severity(result)) ?? "WARNING",
            state: unsafe text(skan_pq_state(result)) ?? "01000",
            message: unsafe text(skan_pq_message(result)) ?? ""))
      }, Unmanaged.passUnretained(notices).toOpaque())
  }

  deinit { unsafe PQfinish(handle) }

  /// The server's version, such as 150020 for 15.20.
  package var serverVersion: Int { unsafe Int(PQserverVersion(handle)) }

  /// Runs one statement in a transaction of its own, unless one is open.
  ///
  /// - Parameters:
  ///   - sql: The text, with `$1` for the first parameter.
  ///   - seconds: How long to wait for the answer; nothing is cancelled then, so the statement may still be done.
  /// - Throws: ``PostgreSQLError``; ``isLost`` is then known.
  package func query(
    _ sql: String, _ parameters: [PostgreSQLValue] = [], withinSeconds seconds: Double = 10
  ) throws(PostgreSQLError) -> PostgreSQLAnswer {
    try exchange(withinSeconds: seconds) { send(sql, parameters) }
  }

  /// Runs several statements without parameters; rows of them are of no interest.
  package func execute(_ script: String, withinSeconds seconds: Double = 10) throws(PostgreSQLError) {
    // Text, because this protocol has no binary form; rows are not read.
    _ = try exchange(withinSeconds: seconds, keepsRows: false) { unsafe PQsendQuery(handle, script) }
  }

  private func exchange(
    withinSeconds seconds: Double, keepsRows: Bool = true, _ send: () -> Int32
  ) throws(PostgreSQLError) -> PostgreSQLAnswer {
    guard !isLost else {
      throw PostgreSQLError(kind: .lost, message: "the connection is closed", isOutcomeUnknown: false)
    }
    let end = ContinuousClock().now + .seconds(max(0, min(seconds, 1e6)))
    notices.all = []
    guard send() == 1 else { throw lost() }
    var rows: [PostgreSQLRow] = []
    var failure: PostgreSQLError?
    // A result of nothing ends the answer; errors before it are reported when all has been read.
    while let result = try unsafe nextResult(before: end) {
      defer { unsafe PQclear(result) }
      switch unsafe PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
      case PGRES_TUPLES_OK:
        guard keepsRows else { break }
        if let read = unsafe Self.rows(of: result) {
          rows += read
        } else {
          failure = failure ?? .unexpectedAnswer("a column has a type that skan does not read")
        }
      case PGRES_FATAL_ERROR: failure = unsafe failure ?? self.failure(of: result)
      default:
        // A copy or a pipeline, which no statement here begins, would never end.
        isLost = true
        throw .unexpectedAnswer("the server begins a transfer that was not asked for")
      }
    }
    if unsafe PQstatus(handle) != CONNECTION_OK { isLost = true }
    if let failure { throw failure }
    if isLost { throw lost() }
    return PostgreSQLAnswer(rows: rows, notices: notices.all)
  }

  /// Sends a statement with its parameters; 1 where it is on its way.
  private func send(_ sql: String, _ parameters: [PostgreSQLValue]) -> Int32 {
    var content: [UInt8] = []
    var offsets: [Int] = []
    for parameter in parameters {
      offsets.append(content.count)
      parameter.write(to: &content)
    }
    let lengths = zip(offsets, offsets.dropFirst() + [content.count]).map { Int32(clamping: $1 - $0) }
    // An empty array may have no address, and an empty value must not become NULL.
    content.append(0)
    let (types, formats) = (parameters.map(\.typeID), parameters.map { _ in Int32(1) })
    return unsafe content.withUnsafeBytes { content in
      let start = unsafe content.assumingMemoryBound(to: CChar.self).baseAddress
      let values = unsafe zip(parameters, offsets).map { parameter, offset in
        unsafe parameter == .null ? nil : start.map { unsafe $0 + offset }
      }
      return unsafe PQsendQueryParams(
        handle, sql, Int32(clamping: parameters.count), types, values, lengths, formats, 1)
    }
  }

  /// Waits for the next result; `nil` where there is no further one.
  private func nextResult(before end: ContinuousClock.Instant) throws(PostgreSQLError) -> OpaquePointer? {
    while true {
      let unsent = unsafe PQflush(handle)
      if unsent == 0, unsafe PQisBusy(handle) == 0 { return unsafe PQgetResult(handle) }
      // Of a broken connection libpq has a result with the reason, and does not wait.
      guard unsafe PQstatus(handle) == CONNECTION_OK else { return unsafe PQgetResult(handle) }
      let left = ContinuousClock().now.duration(to: end)
      let milliseconds = Int32(clamping: Int64(max(0, left / .milliseconds(1)).rounded(.up)))
      // Where something can't be sent, the server may state why, so its answer is read all the same.
      let events = unsent == 1 ? POLLIN | POLLOUT : POLLIN
      var entry = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
      let ready = unsafe poll(&entry, 1, milliseconds)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else {
        isLost = true
        throw PostgreSQLError(kind: .timedOut, message: "no answer in time", isOutcomeUnknown: true)
      }
      guard unsafe PQconsumeInput(handle) == 1 || PQstatus(handle) != CONNECTION_OK else { throw lost() }
    }
  }

  private func lost() -> PostgreSQLError {
    isLost = true
    return unsafe PostgreSQLError(
      kind: .lost, message: String(cString: PQerrorMessage(handle)), isOutcomeUnknown: true)
  }

  private func failure(of result: OpaquePointer) -> PostgreSQLError {
    // An error without a state is libpq's own: the connection broke.
    guard let state = unsafe text(skan_pq_state(result)) else {
      isLost = true
      return unsafe PostgreSQLError(
        kind: .lost, message: String(cString: PQresultErrorMessage(result)), isOutcomeUnknown: true)
    }
    return unsafe PostgreSQLError(
      severity: text(skan_pq_severity(result)) ?? "FATAL", state: state,
      message: text(skan_pq_message(result)) ?? "", detail: text(skan_pq_detail(result)))
  }

  /// The rows of a result in binary form; `nil` where a value is of no known type.
  private static func rows(of result: OpaquePointer) -> [PostgreSQLRow]? {
    let (columns, rows) = unsafe (PQnfields(result), PQntuples(result))
    let types = (0..<columns).map { unsafe PQftype(result, $0) }
    var read: [PostgreSQLRow] = []
    read.reserveCapacity(Int(rows))
    for row in 0..<rows {
      var values: [PostgreSQLValue] = []
      values.reserveCapacity(types.count)
      for column in 0..<columns {
        guard unsafe PQgetisnull(result, row, column) == 0 else {
          values.append(.null)
          continue
        }
        let length = unsafe Int(PQgetlength(result, row, column))
        let bytes = unsafe PQgetvalue(result, row, column).map {
          unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: length))
        }
        guard let bytes, let value = PostgreSQLValue(type: types[Int(column)], bytes: bytes) else {
          return nil
        }
        values.append(value)
      }
      read.append(PostgreSQLRow(values: values))
    }
    return read
  }

  /// Calls `body` with a list of C strings that ends with NULL.
  private static func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    let copies = unsafe texts.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
  }
}

/// A text of libpq; `nil` for NULL.
private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  unsafe pointer.map { unsafe String(cString: $0) }
}
