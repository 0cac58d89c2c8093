import OpenSSL
import Postbacks
import Testing
import Values
import Verification

struct `A key that a file names for production` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  @Test(arguments: [Environment.production, .test])
  func `A key that a file names for production is named on every page with production figures and in health`(
    environment: Environment
  ) throws {
    let key = try PrivateKey(generateOn: .p256)
    let keys = try Keyring(trusting: [
      TrustedKey(use: .skan, curve: .p256, environment: environment, spki: key.spki())
    ])
    let site = try OpenSite(at: now, keys: keys)
    let isNamed = environment == .production
    for path in ["/", "/campaigns", "/postbacks", "/alerts"] {
      #expect(try site.page(path).contains("A key that is not Apple") == isNamed, "\(path)")
    }
    #expect(try !site.page("/?environment=test").contains("A key that is not Apple"))
    #expect(try site.page("/alerts").contains("1 further key") == isNamed)
  }
}
