internal import CCurl

/// Posts bodies over HTTP and HTTPS, one after the other, owned by exactly one place in the program.
///
/// Certificates are checked, redirects are not followed, no other protocol is spoken, of an answer no more than 64 KiB
/// are read, and proxies of the environment are left out of account. Source: libcurl, "curl_easy_setopt".
@safe package struct HTTPPoster: ~Copyable {
  private let transfer: PostTransfer

  var handle: UnsafeMutableRawPointer { unsafe transfer.handle }

  /// Sets a client up.
  ///
  /// - Parameters:
  ///   - connectSeconds: How long a connection may take.
  ///   - seconds: The most seconds of a whole request.
  ///   - certificates: A PEM file with the only issuers that are trusted; `nil` for those of the system.
  /// - Throws: ``PostError`` where libcurl rejects the value.
  package init(connectSeconds: Int = 5, seconds: Int = 10, certificates: String? = nil) throws(PostError) {
    transfer = try PostTransfer(connectSeconds: connectSeconds, seconds: seconds, certificates: certificates)
  }

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
    try transfer.prepare(body, for: url, headers: headers)
    return try transfer.answer(endedWith: unsafe curl_easy_perform(handle))
  }
}
