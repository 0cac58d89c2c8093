/// The two curves that Apple signs postbacks on.
public enum Curve: String, Hashable, Sendable, CaseIterable {
  /// SKAdNetwork 1.0 and 2.0.
  case p192 = "P-192"
  /// SKAdNetwork 2.1 and later, and AdAttributionKit.
  case p256 = "P-256"

  /// OpenSSL's name of the curve.
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
