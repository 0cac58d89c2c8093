internal import CCurl

/// What the other side answered to a request whose body is wanted as a whole.
package struct FetchedAnswer: Equatable, Sendable {
  package let status: Int
  /// Seconds of the header Retry-After, or those until its date; `nil` where there is none.
  package let retryAfterSeconds: Int64?
  /// Where the answer sends to, as an address in full; `nil` where it is no redirect.
  package let redirect: String?
  package let body: [UInt8]
}

/// Fetches whole bodies over HTTP and HTTPS, one after the other, owned by exactly one place in the program.
///
/// Certificates, redirects, protocols and proxies are as with ``HTTPPoster``: above all no header goes to another host.
/// Source: libcurl, "curl_easy_setopt".
@safe package struct HTTPFetcher: ~Copyable {
  private let transfer: PostTransfer

  /// Sets a client up.
  ///
  /// - Parameters:
  ///   - connectSeconds: How long a connection may take.
  ///   - seconds: The most seconds of a whole request.
  /// - Throws: ``PostError`` where libcurl rejects the value.
  package init(connectSeconds: Int = 10, seconds: Int = 300) throws(PostError) {
    transfer = try PostTransfer(connectSeconds: connectSeconds, seconds: seconds, certificates: nil)
  }

  /// Asks for an address and waits for the whole answer.
  ///
  /// - Parameters:
  ///   - url: Where to, with `http` or `https`.
  ///   - posting: The body of a POST; `nil` for a GET.
  ///   - headers: Lines of the head; a line break in one is rejected.
  ///   - most: The most bytes of the answer's body.
  /// - Throws: ``PostError`` where there is no answer, or a longer one.
  package borrowing func fetch(
    _ url: String, posting body: [UInt8]?, headers: [(name: String, value: String)], most: Int
  ) throws(PostError) -> FetchedAnswer {
    try transfer.prepare(body, for: url, headers: headers, keeping: most)
    let answer = try transfer.answer(endedWith: unsafe curl_easy_perform(transfer.handle))
    guard !transfer.isCutOff else {
      throw PostError(code: .tooLong, reason: "the answer is longer than \(most) bytes")
    }
    let redirect = unsafe skan_curl_text_info(transfer.handle, CURLINFO_REDIRECT_URL).map { text in
      unsafe String(cString: text)
    }
    return FetchedAnswer(
      status: answer.status, retryAfterSeconds: answer.retryAfterSeconds, redirect: redirect,
      body: transfer.body)
  }
}
