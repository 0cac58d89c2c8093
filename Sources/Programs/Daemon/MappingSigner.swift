import OpenSSL
import System
import Values

/// The key with which the mappings that apps get are signed.
final class MappingSigner: Sendable {
  private let key: PrivateKey

  /// Reads a private key on the curve P-256 in PEM form.
  ///
  /// - Throws: ``CommandError`` where the file cannot be read or holds no such key.
  init(file path: String) throws(CommandError) {
    let bytes: [UInt8]
    do { bytes = try FileReader.contents(of: path, limit: 1 << 16) } catch { throw CommandError(error) }
    let labels = ["PRIVATE KEY", "EC PRIVATE KEY"]
    let blocks = PEMBlock.blocks(in: String(decoding: bytes, as: UTF8.self))
    guard let block = blocks.first(where: { labels.contains($0.label) }) else {
      throw Self.mistake(path, "found no private key without a password")
    }
    do { key = try PrivateKey(der: block.bytes) } catch { throw Self.mistake(path, "\(error)") }
    guard key.curve == .p256 else {
      throw Self.mistake(path, "found a key on the curve \(key.curve.rawValue)")
    }
  }

  /// The signature of a body, ECDSA with SHA-256 in DER form, in base64; nil where the system has no randomness.
  func signature(of body: [UInt8]) -> String? {
    guard let signature = try? key.sign(body) else { return nil }
    return String(decoding: Base64.encode(signature), as: UTF8.self)
  }

  private static func mistake(_ path: String, _ found: String) -> CommandError {
    CommandError(
      .data,
      "cannot sign mappings with '\(path)': \(found); a PEM file with a private key on P-256 is allowed",
      remedy: "create one with `openssl ecparam -name prime256v1 -genkey -noout -out FILE`")
  }
}
