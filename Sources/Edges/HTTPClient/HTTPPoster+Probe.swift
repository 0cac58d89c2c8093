internal import CCurl

/// What is known of an answer and of the connection that it came over.
package struct ProbeAnswer: Equatable, Sendable {
  package let status: Int
  /// The header `Content-Type`; nil for none.
  package let contentType: String?
  /// Where the answer sends to, as an address in full; nil where it is no redirect.
  package let redirect: String?
  package let address: String
  package let milliseconds: Int
  /// Certificates that the other side showed, its own first; none without TLS.
  package let certificates: [ShownCertificate]
}

package struct ShownCertificate: Equatable, Sendable {
  /// Whose it is, as OpenSSL writes names.
  package let subject: String
  /// The moment of its end as OpenSSL writes it, such as `Nov 20 12:00:00 2027 GMT`.
  package let end: String
}

extension HTTPPoster {
  /// Posts a body and returns what an operator wants to know of the way to the server.
  ///
  /// - Throws: ``PostError`` with libcurl's detailed reason where there is no answer.
  package borrowing func probe(
    _ body: [UInt8], at url: String, headers: [(name: String, value: String)] = []
  ) throws(PostError) -> ProbeAnswer {
    try PostTransfer.check(unsafe skan_curl_set_number(handle, CURLOPT_CERTINFO, 1))
    var detail = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let result = unsafe detail.withUnsafeMutableBufferPointer { buffer -> Result<Int, PostError> in
      _ = unsafe skan_curl_set_text(handle, CURLOPT_ERRORBUFFER, buffer.baseAddress)
      defer { _ = unsafe skan_curl_set_text(handle, CURLOPT_ERRORBUFFER, nil) }
      return Result { () throws(PostError) in try post(body, to: url, headers: headers) }
    }
    let status: Int
    switch result {
    case .success(let answered): status = answered
    case .failure(let error):
      let reason = String(decoding: detail.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw reason.isEmpty ? error : PostError(code: error.code, reason: reason)
    }
    return ProbeAnswer(
      status: status, contentType: text(CURLINFO_CONTENT_TYPE), redirect: text(CURLINFO_REDIRECT_URL),
      address: text(CURLINFO_PRIMARY_IP) ?? "",
      milliseconds: unsafe Int(skan_curl_microseconds(handle) / 1000), certificates: certificates)
  }

  private borrowing func text(_ info: CURLINFO) -> String? {
    guard let text = unsafe skan_curl_text_info(handle, info) else { return nil }
    return unsafe String(cString: text)
  }

  private var certificates: [ShownCertificate] {
    guard let chain = unsafe skan_curl_certificates(handle) else { return [] }
    return unsafe (0..<Int(chain.pointee.num_of_certs)).compactMap { number in
      var fields: [String: String] = [:]
      var line = unsafe chain.pointee.certinfo[number]
      while let here = unsafe line {
        if let data = unsafe here.pointee.data {
          let parts = unsafe String(cString: data).split(separator: ":", maxSplits: 1)
          if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
        unsafe line = here.pointee.next
      }
      guard let subject = fields["Subject"], let end = fields["Expire date"] else { return nil }
      return ShownCertificate(subject: subject, end: end)
    }
  }
}
