import COpenSSL

/// The two curves that Apple signs postbacks on.
public enum Curve: String, Hashable, Sendable, CaseIterable {
  /// SKAdNetwork 1.0 and 2.0.
  case p192 = "P-192"
  /// SKAdNetwork 2.1 and later, and AdAttributionKit.
  case p256 = "P-256"

  var openSSLName: String {
    switch self {
    case .p192: "prime192v1"
    case .p256: "prime256v1"
    }
  }

  /// The size in bytes of one coordinate, and of each half of a raw signature.
  public var coordinateSize: Int {
    switch self {
    case .p192: 24
    case .p256: 32
    }
  }
}

extension Curve {
  /// The curve of an OpenSSL key, or `nil` when it is not one of Apple's two.
  init?(of key: OpaquePointer) {
    var name = [CChar](repeating: 0, count: 64)
    let code = unsafe name.withUnsafeMutableBufferPointer {
      unsafe EVP_PKEY_get_group_name(key, $0.baseAddress, $0.count, nil)
    }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard code == 1, let curve = Self.allCases.first(where: { $0.openSSLName == text }) else {
      ERR_clear_error()
      return nil
    }
    self = curve
  }
}
