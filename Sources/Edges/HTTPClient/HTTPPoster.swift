internal import CCurl

/// Posts bodies over HTTP and HTTPS, one after the other, owned by exactly one place in the program.
///
/// Certificates are checked, redirects are not followed, no other protocol is spoken, of an answer no more than 64 KiB
/// are read, and proxies of the environment are left out of account. Source: libcurl, "curl_easy_setopt".
@safe package struct HTTPPoster: ~Copyable {
  let handle: UnsafeMutableRawPointer

  /// Bytes of an answer's body that are read; of more, the status is enough.
  private static let longestAnswer = 1 << 16

  /// Sets a client up.
  ///
  /// - Parameters:
  ///   - connectSeconds: How long a connection may take.
  ///   - seconds: The most seconds of a whole request.
  ///   - certificates: A PEM file with the only issuers that are trusted; `nil` for those of the system.
  /// - Throws: ``PostError`` where libcurl rejects the value.
  package init(connectSeconds: Int = 5, seconds: Int = 10, certificates: String? = nil) throws(PostError) {
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

  deinit { unsafe curl_easy_cleanup(handle) }

  /// Posts a body and waits for the answer.
  ///
  /// - Parameters:
  ///   - body: The bytes.
  ///   - url: Where to, with `http` or `https`.
  ///   - headers: Lines of the head; a line break in one is rejected.
  /// - Returns: The status of the answer.
  /// - Throws: ``PostError`` where there is no answer.
  package borrowing func post(
    _ body: [UInt8], to url: String, headers: [(name: String, value: String)]
  ) throws(PostError) -> Int {
    try answer(to: body, at: url, headers: headers).status
  }

  /// Posts a body as ``post(_:to:headers:)`` does, and returns what else is known of the answer.
  ///
  /// A connection stays open for the next post of this client to the same host.
  package borrowing func answer(
    to body: [UInt8], at url: String, headers: [(name: String, value: String)]
  ) throws(PostError) -> PostAnswer {
    // A NUL would end a C string early, a line break would begin another header.
    let texts = headers.flatMap { [$0.name, $0.value] } + [url]
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 } }) else {
      throw PostError(code: .badAddress, reason: "a control character in the address or in a header")
    }
    try Self.check(unsafe skan_curl_set_text(handle, CURLOPT_URL, url))
    // Without the empty one libcurl waits a second for leave to send a large body.
    var list = unsafe curl_slist_append(nil, "Expect:")
    defer { unsafe curl_slist_free_all(list) }
    for header in headers {
      guard let longer = unsafe curl_slist_append(list, "\(header.name): \(header.value)") else {
        throw PostError(code: .system, reason: "out of memory")
      }
      unsafe list = longer
    }
    try Self.check(unsafe skan_curl_set_headers(handle, list))
    // An empty array may have no address, and libcurl would read the body from standard input.
    let bytes = body.isEmpty ? [0] : body
    var answer = skan_curl_answer()
    answer.most = Self.longestAnswer
    let code = unsafe withUnsafeMutablePointer(to: &answer) { answer in
      unsafe bytes.withUnsafeBytes { buffer in
        let start = unsafe buffer.assumingMemoryBound(to: CChar.self).baseAddress
        var code = unsafe skan_curl_set_body(handle, start, body.count)
        if code == CURLE_OK { code = unsafe skan_curl_set_answer(handle, answer) }
        return unsafe code == CURLE_OK ? curl_easy_perform(handle) : code
      }
    }
    if code == CURLE_WRITE_ERROR, answer.bytes > answer.most { return known(of: &answer) }
    if code == CURLE_UNSUPPORTED_PROTOCOL, url.hasPrefix("http:") || url.hasPrefix("https:") {
      throw PostError(code: .broken, reason: "the answer is not HTTP")
    }
    try Self.check(code)
    guard answer.has_head != 0 else {
      throw PostError(code: .broken, reason: "the answer ended within its head")
    }
    return known(of: &answer)
  }

  private borrowing func known(of answer: inout skan_curl_answer) -> PostAnswer {
    let count = answer.text_bytes
    let text = unsafe withUnsafeBytes(of: &answer.text) { bytes in unsafe Array(bytes.prefix(count)) }
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
private let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK
