import COpenSSL

/// Turns `r || s` into DER; `nil` when the length is not that of the curve.
func derSignature(raw: [UInt8], curve: Curve) -> [UInt8]? {
  let size = curve.coordinateSize
  guard raw.count == 2 * size, let pair = unsafe ECDSA_SIG_new() else { return nil }
  defer { unsafe ECDSA_SIG_free(pair) }
  let isSet = unsafe raw.withUnsafeBufferPointer { bytes in
    guard let start = bytes.baseAddress else { return false }
    let r = unsafe BN_bin2bn(start, Int32(size), nil)
    let s = unsafe BN_bin2bn(start + size, Int32(size), nil)
    // ECDSA_SIG_set0 owns both numbers if it succeeds, and neither if it fails.
    guard unsafe ECDSA_SIG_set0(pair, r, s) == 1 else {
      unsafe BN_free(r)
      unsafe BN_free(s)
      return false
    }
    return true
  }
  guard isSet else { return nil }
  return unsafe derBytes { unsafe i2d_ECDSA_SIG(pair, $0) }
}

/// Turns DER into `r || s`; `nil` when the bytes are not a signature.
func rawSignature(der: [UInt8], curve: Curve) -> [UInt8]? {
  let parsed = unsafe der.withUnsafeBufferPointer { bytes in
    var cursor = bytes.baseAddress
    return unsafe d2i_ECDSA_SIG(nil, &cursor, bytes.count)
  }
  guard let pair = unsafe parsed else {
    ERR_clear_error()
    return nil
  }
  defer { unsafe ECDSA_SIG_free(pair) }
  let size = Int32(curve.coordinateSize)
  return unsafe [UInt8](unsafeUninitializedCapacity: Int(2 * size)) { raw, count in
    guard let start = raw.baseAddress else { return }
    let r = unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pair), start, size)
    let s = unsafe BN_bn2binpad(ECDSA_SIG_get0_s(pair), start + Int(size), size)
    count = r == size && s == size ? Int(2 * size) : 0
  }
}

/// Collects what an `i2d_` function writes; empty when it fails.
func derBytes(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
  let size = Int(write(nil))
  guard size > 0 else { return [] }
  return unsafe [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
    var cursor = bytes.baseAddress
    count = max(0, Int(unsafe write(&cursor)))
  }
}
