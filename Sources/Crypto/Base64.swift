import COpenSSL

/// Strict base64: a text has exactly one reading and a reading exactly one text.
///
/// Refused are white space, missing or superfluous padding, letters of the other alphabet and non-zero
/// leftover bits. Decoding and encoding are OpenSSL's; strictness comes from encoding the result again.
/// Source: RFC 4648, sections 3.5, 4 and 5.
public enum Base64 {
  /// Reads the standard alphabet with padding; `nil` when the text is not strict base64.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    guard !text.isEmpty else { return [] }
    let text = Array(text)
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, count in
      let decoded = unsafe text.withUnsafeBufferPointer {
        unsafe EVP_DecodeBlock(bytes.baseAddress, $0.baseAddress, Int32($0.count))
      }
      // EVP_DecodeBlock counts padding as zero bytes; see EVP_EncodeInit(3).
      count = max(0, Int(decoded) - padding)
    }
    return encode(bytes) == text ? bytes : nil
  }

  /// Reads the URL alphabet without padding, as JWS uses it; `nil` when the text is not strict base64url.
  ///
  /// Source: RFC 7515, section 2 (Base64url Encoding).
  public static func decodeURL(_ text: some Collection<UInt8>) -> [UInt8]? {
    var standard: [UInt8] = []
    // An array, because the generic loop is not specialised across modules and costs ten times as much.
    let text = Array(text)
    standard.reserveCapacity(text.count + 3)
    for letter in text {
      switch letter {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: standard.append(letter)
      }
    }
    guard standard.count % 4 != 1 else { return nil }
    while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    return decode(standard)
  }

  /// Writes the standard alphabet with padding.
  public static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let size = (bytes.count + 2) / 3 * 4
    // One byte more for the NUL that EVP_EncodeBlock writes after the text.
    return unsafe [UInt8](unsafeUninitializedCapacity: size + 1) { text, count in
      _ = unsafe bytes.withUnsafeBufferPointer {
        unsafe EVP_EncodeBlock(text.baseAddress, $0.baseAddress, Int32($0.count))
      }
      count = size
    }
  }

  /// Writes the URL alphabet without padding.
  public static func encodeURL(_ bytes: [UInt8]) -> [UInt8] {
    encode(bytes).compactMap { letter in
      switch letter {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: letter
      }
    }
  }
}
