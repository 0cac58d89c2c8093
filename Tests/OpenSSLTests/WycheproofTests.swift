import Foundation
import JSONText
import OpenSSL
import Testing

/// The folder of C2SP's Wycheproof files: `SKAN_WYCHEPROOF`, or beside the package.
private let folder: URL = {
  if let path = ProcessInfo.processInfo.environment["SKAN_WYCHEPROOF"] { return URL(filePath: path) }
  let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return package.appending(path: "../shared/vectors/wycheproof")
}()

private let isThere = FileManager.default.fileExists(
  atPath: folder.appending(path: "ecdsa_secp256r1_sha256_test.json").path)

struct `Wycheproof's P-256 signatures` {
  @Test(
    .enabled(if: isThere),
    arguments: [
      ("ecdsa_secp256r1_sha256_test.json", false, 484), ("ecdsa_secp256r1_sha256_p1363_test.json", true, 262),
    ], [SignatureArithmetic.fixedKey, .evp])
  func `Wycheproof's P-256 signatures get the verdicts of that project`(
    file: (name: String, isRaw: Bool, count: Int), arithmetic: SignatureArithmetic
  ) throws {
    let isRaw = file.isRaw
    let document = try JSONReader.read(Array(try Data(contentsOf: folder.appending(path: file.name))))
    var ran = 0
    for group in try #require(document.value.object?["testGroups"]?.value.array) {
      let spki = try #require(group.value.object?["publicKeyDer"]?.value.string)
      let key = KeyBox(try PublicKey(spki: bytes(hex: spki), arithmetic: arithmetic))
      #expect(key.prepare() == arithmetic)
      for test in try #require(group.value.object?["tests"]?.value.array) {
        let object = try #require(test.value.object)
        let message = bytes(hex: try #require(object["msg"]?.value.string))
        let signature = bytes(hex: try #require(object["sig"]?.value.string))
        let isValid =
          isRaw
          ? key.isValid(rawSignature: signature, for: message)
          : key.isValid(signature: signature, for: message)
        // "acceptable" would mean that either answer is right; these files have none.
        #expect(
          isValid == (object["result"]?.value.string == "valid"),
          "\(object["tcId"]?.value.number?.text ?? "")")
        ran += 1
      }
    }
    #expect(ran == file.count)
  }
}
