import COpenSSL

/// A certificate, the one that issued it, and the root that issued that one, as a JWS has them in `x5c`.
@safe package struct CertificateChain: ~Copyable {
  private let leaf: Owned
  private let intermediate: Owned
  private let root: Owned

  /// Reads three X.509 certificates in DER form.
  ///
  /// - Throws: ``ChainDefect/notACertificate`` where one of them is none, or bytes follow it.
  package init(leaf: [UInt8], intermediate: [UInt8], root: [UInt8]) throws(ChainDefect) {
    guard let leaf = Self.certificate(leaf), let intermediate = Self.certificate(intermediate),
      let root = Self.certificate(root)
    else { throw .notACertificate }
    self.leaf = leaf
    self.intermediate = intermediate
    self.root = root
  }

  private static func certificate(_ der: [UInt8]) -> Owned? {
    var consumed = 0
    let parsed = unsafe der.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      let certificate = unsafe d2i_X509(nil, &cursor, bytes.count)
      if let cursor = unsafe cursor, let start = bytes.baseAddress { consumed = unsafe cursor - start }
      return unsafe certificate
    }
    guard let owned = unsafe Owned(parsed, free: X509_free), consumed == der.count else {
      ERR_clear_error()
      return nil
    }
    return owned
  }

  /// The public key of the root, in SubjectPublicKeyInfo DER form.
  package borrowing func rootKey() -> [UInt8] { unsafe Self.key(of: root.pointer) }

  /// The public key of the leaf, in SubjectPublicKeyInfo DER form, once the chain is verified up to the root.
  ///
  /// The C function is `X509_verify_cert`, with its strict checks; revocation is not looked up.
  ///
  /// - Parameters:
  ///   - seconds: The moment at which all three certificates have to be valid, in seconds since 1970.
  ///   - leafMark: The object identifier of an extension that the leaf has to have.
  ///   - intermediateMark: The same for the certificate that issued it.
  /// - Throws: ``ChainDefect`` where the chain doesn't hold.
  package borrowing func leafKey(
    at seconds: Int64, leafMark: String, intermediateMark: String
  ) throws(ChainDefect) -> [UInt8] {
    defer { ERR_clear_error() }
    guard let store = unsafe Owned(X509_STORE_new(), free: X509_STORE_free),
      let others = unsafe Owned(OPENSSL_sk_new_null(), free: OPENSSL_sk_free),
      let context = unsafe Owned(X509_STORE_CTX_new(), free: X509_STORE_CTX_free),
      unsafe X509_STORE_add_cert(store.pointer, root.pointer) == 1,
      unsafe X509_STORE_set_flags(store.pointer, UInt(X509_V_FLAG_X509_STRICT)) == 1,
      unsafe OPENSSL_sk_push(others.pointer, UnsafeRawPointer(intermediate.pointer)) > 0,
      unsafe X509_STORE_CTX_init(context.pointer, store.pointer, leaf.pointer, others.pointer) == 1
    else { throw .untrusted(OpenSSLError.last("X509_STORE_CTX_init").reason) }
    unsafe X509_VERIFY_PARAM_set_time(X509_STORE_CTX_get0_param(context.pointer), time_t(seconds))
    guard unsafe X509_verify_cert(context.pointer) == 1 else {
      let code = unsafe X509_STORE_CTX_get_error(context.pointer)
      guard code != X509_V_ERR_CERT_HAS_EXPIRED, code != X509_V_ERR_CERT_NOT_YET_VALID else { throw .expired }
      throw .untrusted(unsafe String(cString: X509_verify_cert_error_string(Int(code))))
    }
    // A leaf that the root issued itself would do without the intermediate.
    guard unsafe OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context.pointer)) == 3 else {
      throw .untrusted("the second certificate did not issue the first")
    }
    guard unsafe Self.has(leafMark, leaf.pointer) else { throw .unmarked(leafMark) }
    guard unsafe Self.has(intermediateMark, intermediate.pointer) else { throw .unmarked(intermediateMark) }
    return unsafe Self.key(of: leaf.pointer)
  }

  private static func key(of certificate: OpaquePointer) -> [UInt8] {
    guard let key = unsafe X509_get0_pubkey(certificate) else {
      ERR_clear_error()
      return []
    }
    return unsafe derBytes { unsafe i2d_PUBKEY(key, $0) }
  }

  private static func has(_ identifier: String, _ certificate: OpaquePointer) -> Bool {
    guard let object = unsafe OBJ_txt2obj(identifier, 1) else { return false }
    defer { unsafe ASN1_OBJECT_free(object) }
    return unsafe X509_get_ext_by_OBJ(certificate, object, -1) >= 0
  }
}

/// Why a chain of certificates doesn't hold.
package enum ChainDefect: Error, Equatable, Sendable {
  /// Bytes are no certificate in DER form.
  case notACertificate
  /// A certificate was not valid at the moment, no longer or not yet.
  case expired
  /// OpenSSL does not trust it, for the reason that it gives.
  case untrusted(String)
  /// A certificate lacks an extension, given by its object identifier.
  case unmarked(String)
}
