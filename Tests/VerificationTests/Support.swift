import Foundation
import JSONText
import OpenSSL
import Testing
import Values
import Verification

/// Reads a file of `Vectors/`.
func vectorFile(_ name: String) throws -> [UInt8] {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")
  return Array(try Data(contentsOf: folder.appending(path: name)))
}

/// An entry of a vector file.
struct Vector: Sendable, CustomTestStringConvertible {
  let object: JSONObject

  init(_ node: JSONNode) { object = node.value.object ?? JSONObject(members: []) }

  func text(_ name: String) -> String { object[name]?.value.string ?? "" }

  var id: String { text("id") }
  var body: [UInt8] { Array(text("raw").utf8) }
  var testDescription: String { id }

  /// The state that the note means: it distinguishes syntax and signature, where `expect` is invalid for both.
  var expectedState: VerdictState {
    let note = text("note")
    if text("expect") == "valid" { return .valid }
    if note.hasPrefix("unverifiable") { return .unverifiable }
    let signature = ["mismatch", "non-DER", "r/s range", "base64", "b64url", "crit", "length", "segments"]
    return signature.contains { note.contains($0) } ? .invalid : .malformed
  }
}

func bytes(hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// A public key that expectations can hold, which need copyable values.
final class KeyBox: Sendable {
  private let key: PublicKey

  init(base64: String) throws {
    key = try PublicKey(spki: try #require(Base64.decode(Array(base64.utf8))))
  }

  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    key.isValid(signature: signature, for: message)
  }
  func isValid(raw signature: [UInt8], for message: [UInt8]) -> Bool {
    key.isValid(rawSignature: signature, for: message)
  }
}
