import CGnuTLS

/// A client's side of TLS, as far as a probe needs one.
enum TLSProbe {
  /// Sends a request over a connected socket and returns what comes back; nil where no TLS is spoken there.
  static func ask(_ request: [UInt8], on descriptor: Int32) -> String? {
    var made: gnutls_session_t?
    unsafe gnutls_init(&made, UInt32(skan_tls_client))
    guard let session = unsafe made else { return nil }
    defer { unsafe gnutls_deinit(session) }
    var held: gnutls_certificate_credentials_t?
    unsafe gnutls_certificate_allocate_credentials(&held)
    guard let credentials = unsafe held else { return nil }
    defer { unsafe gnutls_certificate_free_credentials(credentials) }
    unsafe gnutls_set_default_priority(session)
    unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
    unsafe gnutls_transport_set_int2(session, descriptor, descriptor)
    var code: Int32
    // An alert that is no error lets the handshake go on; silence ends it by the socket's own time limit.
    repeat { code = unsafe gnutls_handshake(session) } while code == skan_tls_warning
    guard code >= 0, unsafe gnutls_record_send(session, request, request.count) == request.count else {
      return nil
    }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while answer.count < 65_536 {
      let count = unsafe gnutls_record_recv(session, &chunk, chunk.count)
      guard count > 0 else { break }
      answer += chunk.prefix(count)
    }
    return String(decoding: answer, as: UTF8.self)
  }
}
