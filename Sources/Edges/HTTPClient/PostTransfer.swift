internal import CCurl

/// A handle of libcurl that posts bodies one after the other, with the memory that it reads and writes meanwhile.
@safe final class PostTransfer {
  let handle: UnsafeMutableRawPointer
  private let answer: UnsafeMutablePointer<skan_curl_answer>
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var url = ""

  /// Bytes of an answer's body that are read; of more, the status is enough.
  private static let longestAnswer = 1 << 16

  /// - Parameters:
  ///   - connectSeconds: How long a connection may take.
  ///   - seconds: The most seconds of a whole request.
  ///   - certificates: A PEM file with the only issuers that are trusted; `nil` for those of the system.
  init(connectSeconds: Int, seconds: Int, certificates: String?) throws(PostError) {
    guard isReady, let made = unsafe curl_easy_init() else {
      throw PostError(code: .system, reason: "libcurl could not be set up")
    }
    do throws(PostError) {
      try unsafe Self.configure(made, connectSeconds, seconds, certificates)
    } catch {
      unsafe curl_easy_cleanup(made)
      throw error
    }
    unsafe handle = made
    unsafe answer = .allocate(capacity: 1)
    unsafe answer.initialize(to: skan_curl_answer())
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(headers)
    unsafe skan_curl_forget_body(answer)
    unsafe answer.deallocate()
  }

  private static func configure(
    _ handle: UnsafeMutableRawPointer, _ connectSeconds: Int, _ seconds: Int, _ certificates: String?
  ) throws(PostError) {
    // Signals would be a way to time out that other threads see.
    let numbers = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_CONNECTTIMEOUT, connectSeconds), (CURLOPT_TIMEOUT, seconds),
      (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
    ]
    for (option, number) in numbers { try check(unsafe skan_curl_set_number(handle, option, number)) }
    // An empty proxy is none, also where the environment names one.
    let texts = [
      (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_PROXY, ""), (CURLOPT_USERAGENT, "skan"),
    ]
    for (option, text) in texts { try check(unsafe skan_curl_set_text(handle, option, text)) }
    if let certificates { try check(unsafe skan_curl_set_text(handle, CURLOPT_CAINFO, certificates)) }
  }

  /// Sets the next request up; none must be under way.
  ///
  /// - Parameters:
  ///   - body: The body of a POST; `nil` for a GET.
  ///   - most: The most bytes of an answer whose body is kept until it is taken; `nil` for one of which the beginning is enough.
  func prepare(
    _ body: [UInt8]?, for url: String, headers: [(name: String, value: String)], keeping most: Int? = nil
  ) throws(PostError) {
    // A NUL would end a C string early, a line break would begin another header.
    let texts = headers.flatMap { [$0.name, $0.value] } + [url]
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 } }) else {
      throw PostError(code: .badAddress, reason: "a control character in the address or in a header")
    }
    self.url = url
    try Self.check(unsafe skan_curl_set_text(handle, CURLOPT_URL, url))
    try use(headers)
    try use(body)
    unsafe skan_curl_forget_body(answer)
    unsafe answer.pointee = skan_curl_answer()
    unsafe answer.pointee.most = most ?? Self.longestAnswer
    unsafe answer.pointee.keeps_body = most == nil ? 0 : 1
    try Self.check(unsafe skan_curl_set_answer(handle, answer))
  }

  private func use(_ body: [UInt8]?) throws(PostError) {
    guard let body else { return try Self.check(unsafe skan_curl_set_number(handle, CURLOPT_HTTPGET, 1)) }
    // An empty array may have no address, and libcurl would read the body from standard input.
    let bytes = body.isEmpty ? [0] : body
    let code = unsafe bytes.withUnsafeBytes { buffer in
      unsafe skan_curl_set_body(handle, buffer.assumingMemoryBound(to: CChar.self).baseAddress, body.count)
    }
    try Self.check(code)
  }

  private func use(_ headers: [(name: String, value: String)]) throws(PostError) {
    // Without the empty one libcurl waits a second for leave to send a large body.
    var list = unsafe curl_slist_append(nil, "Expect:")
    for header in headers {
      guard let longer = unsafe curl_slist_append(list, "\(header.name): \(header.value)") else {
        unsafe curl_slist_free_all(list)
        throw PostError(code: .system, reason: "out of memory")
      }
      unsafe list = longer
    }
    let code = unsafe skan_curl_set_headers(handle, list)
    unsafe curl_slist_free_all(self.headers)
    unsafe self.headers = list
    try Self.check(code)
  }

  /// What the other side answered to the post that ended with a code.
  ///
  /// - Throws: ``PostError`` where there is no answer.
  func answer(endedWith code: CURLcode) throws(PostError) -> PostAnswer {
    let known = unsafe answer.pointee
    if code == CURLE_WRITE_ERROR, unsafe known.bytes > known.most { return beginning }
    if code == CURLE_UNSUPPORTED_PROTOCOL, url.hasPrefix("http:") || url.hasPrefix("https:") {
      throw PostError(code: .broken, reason: "the answer is not HTTP")
    }
    try Self.check(code)
    guard unsafe known.has_head != 0 else {
      throw PostError(code: .broken, reason: "the answer ended within its head")
    }
    return beginning
  }

  /// Whether the answer that ended is longer than what was to be read of it.
  var isCutOff: Bool {
    let known = unsafe answer.pointee
    return unsafe known.bytes > known.most
  }

  /// Takes the bytes of the body that came since the last time; none where it was not to be kept.
  func takeBody() -> [UInt8] {
    let known = unsafe answer.pointee
    guard let kept = unsafe known.kept else { return [] }
    unsafe answer.pointee.kept_bytes = 0
    return unsafe Array(UnsafeRawBufferPointer(start: kept, count: known.kept_bytes))
  }

  private var beginning: PostAnswer {
    let count = unsafe answer.pointee.text_bytes
    let text = unsafe withUnsafeBytes(of: &answer.pointee.text) { bytes in
      unsafe Array(bytes.prefix(count))
    }
    let seconds = unsafe skan_curl_retry_after(handle)
    return unsafe PostAnswer(
      status: Int(skan_curl_status(handle)), retryAfterSeconds: seconds > 0 ? Int64(seconds) : nil,
      beginning: text)
  }

  static func check(_ code: CURLcode) throws(PostError) {
    guard code != CURLE_OK else { return }
    let kind: PostError.Code =
      switch code {
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badAddress
      case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
      case CURLE_COULDNT_CONNECT: .notConnected
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .notTrusted
      case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN: .system
      default: .broken
      }
    throw PostError(code: kind, reason: unsafe String(cString: curl_easy_strerror(code)))
  }
}

/// Whether libcurl is set up, which has to happen once in a process.
let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK
