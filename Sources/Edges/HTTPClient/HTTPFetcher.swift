internal import CCurl

/// What the other side answered to a request whose body is wanted.
package struct FetchedAnswer: Equatable, Sendable {
  package let status: Int
  /// Seconds of the header Retry-After, or those until its date; `nil` where there is none.
  package let retryAfterSeconds: Int64?
  /// Where the answer sends to, as an address in full; `nil` where it is no redirect.
  package let redirect: String?

  package init(status: Int, retryAfterSeconds: Int64? = nil, redirect: String? = nil) {
    self.status = status
    self.retryAfterSeconds = retryAfterSeconds
    self.redirect = redirect
  }
}

/// Fetches bodies over HTTP and HTTPS, one after the other, owned by exactly one place in the program.
///
/// Certificates, redirects, protocols and proxies are as with ``HTTPPoster``: above all no header goes to another host.
/// Source: libcurl, "curl_easy_setopt" and "libcurl-multi".
@safe package struct HTTPFetcher: ~Copyable {
  private let transfer: PostTransfer
  /// By which a request can be ended while it waits.
  private let many: UnsafeMutableRawPointer

  /// Sets a client up.
  ///
  /// - Parameters:
  ///   - connectSeconds: How long a connection may take.
  ///   - seconds: The most seconds of a whole request.
  /// - Throws: ``PostError`` where libcurl rejects the value.
  package init(connectSeconds: Int = 10, seconds: Int = 300) throws(PostError) {
    let made = try PostTransfer(connectSeconds: connectSeconds, seconds: seconds, certificates: nil)
    guard let many = unsafe curl_multi_init() else {
      throw PostError(code: .system, reason: "libcurl could not be set up")
    }
    transfer = made
    unsafe self.many = many
  }

  deinit { unsafe curl_multi_cleanup(many) }

  /// Asks for an address and takes the answer as it comes.
  ///
  /// - Parameters:
  ///   - url: Where to, with `http` or `https`.
  ///   - posting: The body of a POST; `nil` for a GET.
  ///   - headers: Lines of the head; a line break in one is rejected.
  ///   - most: The most bytes of the answer's body.
  ///   - take: Gets the next bytes of the body, and none several times a second while nothing comes; `false` ends the request.
  /// - Returns: `nil` where `take` ended the request.
  /// - Throws: ``PostError`` where there is no answer, or a longer one.
  package borrowing func fetch(
    _ url: String, posting body: [UInt8]?, headers: [(name: String, value: String)], most: Int,
    take: ([UInt8]) -> Bool
  ) throws(PostError) -> FetchedAnswer? {
    try transfer.prepare(body, for: url, headers: headers, keeping: most)
    guard unsafe curl_multi_add_handle(many, transfer.handle) == CURLM_OK else {
      throw PostError(code: .system, reason: "libcurl rejected the request")
    }
    defer { unsafe curl_multi_remove_handle(many, transfer.handle) }
    var code = CURLE_OK
    while true {
      var running: Int32 = 0
      guard unsafe curl_multi_perform(many, &running) == CURLM_OK else {
        throw PostError(code: .system, reason: "libcurl failed")
      }
      guard take(transfer.takeBody()) else { return nil }
      if unsafe skan_curl_next_ended(many, &code) != nil { break }
      _ = unsafe curl_multi_poll(many, nil, 0, 200, nil)
    }
    let answer = try transfer.answer(endedWith: code)
    guard !transfer.isCutOff else {
      throw PostError(code: .tooLong, reason: "the answer is longer than \(most) bytes")
    }
    let redirect = unsafe skan_curl_text_info(transfer.handle, CURLINFO_REDIRECT_URL).map { text in
      unsafe String(cString: text)
    }
    return FetchedAnswer(
      status: answer.status, retryAfterSeconds: answer.retryAfterSeconds, redirect: redirect)
  }
}
