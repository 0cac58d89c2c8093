import OpenSSL
import Postbacks

extension Keyring {
  /// Judges postbacks that Apple published, and a tampered copy of one, as a proof that keys and rules are in order.
  ///
  /// - Throws: ``KeyringError`` when a verdict is not the one it has to be.
  public func selfTest() throws(KeyringError) {
    let expectations: [(String, String, Environment?)] = [
      ("SKAdNetwork 4.0", appleSample4, .production),
      ("SKAdNetwork 2.0", appleSample2, .production),
      ("AdAttributionKit", appleSampleDeveloperSettings, .development),
      ("a tampered copy", tamperedSample, nil),
    ]
    for (name, sample, environment) in expectations {
      let judgement = judge(Array(sample.utf8))
      let isAsExpected =
        judgement.environment == environment && (environment != nil || judgement.state == .invalid)
      guard isAsExpected else {
        throw KeyringError(message: "the self-test with \(name) came to \(judgement.state.rawValue)")
      }
    }
  }
}

/// Source: Apple, "Verifying an install-validation postback", the first postback of a web ad.
private let appleSample4 =
  #"""
  {"version":"4.0","ad-network-id":"com.example","source-identifier":"5239","app-id":525463029,"transa\#
  ction-id":"6aafb7a5-0170-41b5-bbe4-fe71dedf1e30","redownload":false,"source-domain":"example.com","f\#
  idelity-type":1,"did-win":true,"conversion-value":63,"postback-sequence-index":0,"attribution-signat\#
  ure":"MEUCIGRmSMrqedNu6uaHyhVcifs118R5z/AB6cvRaKrRRHWRAiEAv96ne3dKQ5kJpbsfk4eYiePmrZUU6sQmo+7zfP/1Bx\#
  o="}
  """#

/// The sample above, claiming the second window.
private let tamperedSample =
  #"""
  {"version":"4.0","ad-network-id":"com.example","source-identifier":"5239","app-id":525463029,"transa\#
  ction-id":"6aafb7a5-0170-41b5-bbe4-fe71dedf1e30","redownload":false,"source-domain":"example.com","f\#
  idelity-type":1,"did-win":true,"conversion-value":63,"postback-sequence-index":1,"attribution-signat\#
  ure":"MEUCIGRmSMrqedNu6uaHyhVcifs118R5z/AB6cvRaKrRRHWRAiEAv96ne3dKQ5kJpbsfk4eYiePmrZUU6sQmo+7zfP/1Bx\#
  o="}
  """#

/// Source: Apple, "Combining parameters for previous SKAdNetwork postback versions", version 2.0.
private let appleSample2 =
  #"""
  {"version":"2.0","ad-network-id":"com.example","campaign-id":42,"transaction-id":"6aafb7a5-0170-41b5\#
  -bbe4-fe71dedf1e28","app-id":525463029,"attribution-signature":"MDYCGQD0AdGn5gUnSuVGk8Wi0IgxzWiKdBzw\#
  JrQCGQCJfkrI5bda93EC4Xm1H+MtNxstFmnVBn0=","redownload":true,"source-app-id":1234567891,"conversion-v\#
  alue":20}
  """#

/// Source: Apple, "Verifying a postback", made in Developer Settings.
private let appleSampleDeveloperSettings =
  #"""
  {"jws-string":"eyJraWQiOiJhcHBsZS1kZXZlbG9wbWVudC1pZGVudGlmaWVyXC8xIiwiYWxnIjoiRVMyNTYifQ.eyJwb3N0Ym\#
  Fjay1pZGVudGlmaWVyIjoiODU1NDZFQjctRkQzOS00NEJDLTg5OTAtQzk4QTRBQzM2QTQ5IiwicHVibGlzaGVyLWl0ZW0taWRlbn\#
  RpZmllciI6MCwibWFya2V0cGxhY2UtaWRlbnRpZmllciI6ImNvbS5hcHBsZS5BcHBTdG9yZSIsImltcHJlc3Npb24tdHlwZSI6Im\#
  FwcC1pbXByZXNzaW9uIiwiYWQtbmV0d29yay1pZGVudGlmaWVyIjoiZGV2ZWxvcG1lbnQuYWRhdHRyaWJ1dGlvbmtpdCIsImRpZC\#
  13aW4iOnRydWUsInBvc3RiYWNrLXNlcXVlbmNlLWluZGV4IjowLCJjb252ZXJzaW9uLXR5cGUiOiJyZS1lbmdhZ2VtZW50Iiwic2\#
  91cmNlLWlkZW50aWZpZXIiOiIxMjM0IiwiYWR2ZXJ0aXNlZC1pdGVtLWlkZW50aWZpZXIiOjEwNzM4MDI3NzU2fQ.bAdNwKd6OfH\#
  K9tofvjjua4X_JPcFTxXPQSspD9gZkinw97pY7R1aI-LSjl-oxZZF3_K2H5JK5TSEBee4_1U4oQ","conversion-value":24,"\#
  ad-interaction-type":"click","country-code":"US"}
  """#

public var signatureLibrary: String { openSSLVersion }
