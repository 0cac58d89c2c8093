package import JSONText
package import Values

/// A JSON Web Signature of the App Store, taken apart; nothing in it is verified yet.
///
/// Its certificates come with it and prove nothing by themselves: what counts is the root that they lead to.
/// Source: Apple, "JWSDecodedHeader"; RFC 7515, section 4.1.6.
package struct AppStoreJWS: Sendable {
  /// The leaf, the certificate that issued it, and the root, in DER form.
  package let certificates: [[UInt8]]
  package let payload: JSONPlace
  package let signedMessage: [UInt8]
  /// `r` and `s`, one after the other.
  package let signature: [UInt8]
  /// When the App Store signed, which is when the certificates have to be valid.
  package let signedAt: Instant

  /// - Throws: ``AppStoreDefect`` where the text is no JWS with ES256, three certificates and a `signedDate`.
  package init(_ text: String) throws(AppStoreDefect) {
    let parts: JWS
    do throws(JWS.Failure) { parts = try JWS(text) } catch {
      switch error {
      case .invalid(.jwsAlgorithm): throw .otherAlgorithm
      case .invalid(let reason): throw .malformed(reason.sentence.english)
      case .malformed(let defect): throw .malformed(defect.description)
      }
    }
    signedMessage = parts.signedMessage
    signature = parts.signature
    payload = JSONPlace(JSONNode(value: .object(parts.payload), range: 0..<0))
    let header = JSONPlace(JSONNode(value: .object(parts.header), range: 0..<0))
    (certificates, signedAt) = try AppStoreDefect.reading { [payload] () throws(JSONProblem) in
      let chain = try header.members().required("x5c")
      let entries = try chain.list(atMost: Self.chainLength)
      guard entries.count == Self.chainLength else {
        throw chain.mistake("has \(entries.count) certificates; \(Self.chainLength) are allowed")
      }
      var certificates: [[UInt8]] = []
      for entry in entries {
        guard let der = Base64.decode(Array(try entry.text().utf8)) else {
          throw entry.mistake("is not base64")
        }
        certificates.append(der)
      }
      return (certificates, try payload.members().required("signedDate").moment())
    }
  }

  private static let chainLength = 3
}

/// Why a body is no notification of the App Store.
package enum AppStoreDefect: Error, Equatable, Sendable {
  /// What is wrong, without a full stop.
  case malformed(String)
  /// A JWS with another algorithm than ES256.
  case otherAlgorithm

  /// Reads members, whose problems become defects.
  static func reading<Value>(_ body: () throws(JSONProblem) -> Value) throws(AppStoreDefect) -> Value {
    do throws(JSONProblem) { return try body() } catch {
      throw .malformed("\(error.path) \(error.predicate)")
    }
  }
}

extension JSONPlace {
  /// A moment as the App Store writes it, in milliseconds since 1970; the years 2008 to 9999.
  func moment() throws(JSONProblem) -> Instant {
    Instant(milliseconds: try integer(in: 1_199_145_600_000...253_402_300_799_999))
  }
}
