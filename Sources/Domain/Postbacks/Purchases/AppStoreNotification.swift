import JSONText
package import Values

/// What a notification of the App Store states, beside the transaction that is signed apart.
///
/// Source: Apple, "responseBodyV2DecodedPayload".
package struct AppStoreNotification: Equatable, Sendable {
  /// Such as `DID_RENEW`.
  package let type: String
  package let subtype: String?
  /// The 16 bytes of `notificationUUID`.
  package let id: [UInt8]
  package let bundleID: String
  /// `nil` in the sandbox.
  package let app: AppID?
  /// `nil` where the App Store states none.
  package let environment: AppStoreEnvironment?
  package let signedTransaction: String?
  package let signedRenewal: String?
  package let signedAt: Instant

  /// Reads the body that the App Store posts.
  ///
  /// - Throws: ``AppStoreDefect`` where it is no object with one JWS.
  package static func signedPayload(of body: [UInt8]) throws(AppStoreDefect) -> String {
    let node: JSONNode
    do { node = try JSONReader.read(body) } catch {
      throw .malformed("the body is not JSON at \(error.position(in: body))")
    }
    return try AppStoreDefect.reading { () throws(JSONProblem) in
      try JSONPlace(node).members().required("signedPayload").text()
    }
  }

  /// Reads the payload of a verified JWS.
  ///
  /// - Throws: ``AppStoreDefect`` where a member is missing or of another type.
  package init(_ jws: AppStoreJWS) throws(AppStoreDefect) {
    self = try AppStoreDefect.reading { () throws(JSONProblem) in
      try Self(jws.payload.members(), signedAt: jws.signedAt)
    }
  }

  private init(_ members: JSONMembers, signedAt: Instant) throws(JSONProblem) {
    self.signedAt = signedAt
    type = try members.required("notificationType").text()
    subtype = try members["subtype"]?.text()
    id = try members.required("notificationUUID").uuid()
    let others = ["summary", "appData", "externalPurchaseToken"].lazy.compactMap { members[$0] }
    // A notification has one of them, mostly the first.
    let about = if let other = others.first { other } else { try members.required("data") }
    let parts = try about.members()
    bundleID = try parts.required("bundleId").text()
    app = if let place = parts["appAppleId"] { AppID(try place.integer(in: 1...(.max))) } else { nil }
    environment = try parts["environment"]?.word()
    signedTransaction = try parts["signedTransactionInfo"]?.text()
    signedRenewal = try parts["signedRenewalInfo"]?.text()
  }
}

/// The environments that the App Store names.
///
/// Source: Apple, "environment". The last two are of Xcode, which signs with certificates of its own.
package enum AppStoreEnvironment: String, Hashable, Sendable, CaseIterable {
  case production = "Production"
  case sandbox = "Sandbox"
  case xcode = "Xcode"
  case localTesting = "LocalTesting"
}

extension JSONPlace {
  /// The 16 bytes of a UUID.
  fileprivate func uuid() throws(JSONProblem) -> [UInt8] {
    let text = try text()
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let digits = parts.joined().utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    let isForm = parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && digits.allSatisfy { $0 != nil }
    guard isForm else { throw mistake("is not a UUID") }
    let values = digits.compactMap { $0 }
    return stride(from: 0, to: 32, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
