import JSONText
import Values

/// A JSON Web Signature in its compact form, taken apart.
///
/// Only what Apple uses is accepted: three segments, strict base64url, ES256. Keys in a header
/// (`jwk`, `x5c`) are never used, because anyone can put theirs there; the key is found by `kid` alone.
/// Source: RFC 7515, sections 4 and 7.1; RFC 7518, section 3.4.
struct JWS {
  let header: JSONObject
  let payload: JSONObject
  let keyID: String?
  let signedMessage: [UInt8]
  let signature: [UInt8]

  /// Why a text is no JWS that could be checked.
  enum Failure: Error {
    case invalid(InvalidReason)
    case malformed(PostbackDefect)
  }

  init(_ text: String) throws(Failure) {
    let bytes = Array(text.utf8)
    let segments = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard segments.count == 3 else { throw .invalid(.jwsSegments) }
    guard let headerBytes = Base64.decodeURL(segments[0]), let payloadBytes = Base64.decodeURL(segments[1]),
      let signature = Base64.decodeURL(segments[2])
    else { throw .invalid(.jwsEncoding) }
    do {
      header = try readObject(headerBytes, part: .jwsHeader)
      var members = MemberReader(header, part: .jwsHeader)
      let algorithm = try members.string(.algorithm)
      keyID = try members.optionalString(.keyID)
      // An extension that must be understood, and none is. Source: RFC 7515, section 4.1.11.
      if members.has(.critical) { throw Failure.invalid(.jwsCritical) }
      guard haveSameBytes(algorithm, "ES256") else { throw Failure.invalid(.jwsAlgorithm) }
      guard signature.count == 64 else { throw Failure.invalid(.jwsSignatureLength) }
      payload = try readObject(payloadBytes, part: .jwsPayload)
    } catch let defect as PostbackDefect {
      throw .malformed(defect)
    } catch let rejection as Failure {
      throw rejection
    } catch {
      preconditionFailure("Only the two errors above are thrown.")
    }
    signedMessage = Array(bytes[..<segments[1].endIndex])
    self.signature = signature
  }

  /// The `postback-identifier` of a payload, as far as one can be found in a JWS that was rejected.
  static func identifier(inRejected text: String) -> String? {
    let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard segments.count > 1, let payload = Base64.decodeURL(Array(segments[1])),
      let node = try? JSONReader.read(payload, allowingDuplicates: true)
    else { return nil }
    return node.value.object?[MemberName.postbackIdentifier.rawValue]?.value.string
  }
}

func readObject(_ bytes: [UInt8], part: PostbackPart) throws(PostbackDefect) -> JSONObject {
  let node: JSONNode
  do {
    node = try JSONReader.read(bytes)
  } catch {
    throw error.reason == .duplicateMember ? .duplicateMember(part, error) : .brokenJSON(part, error)
  }
  guard case .object(let object) = node.value else { throw .notAnObject(part, found: node.value.sort) }
  return object
}
