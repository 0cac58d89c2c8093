package import Ledger
package import Routing
package import Values

package struct PagesOptions: Sendable {
  package let database: String
  /// Whose tokens let people in.
  package let access: Access
  package let clock: @Sendable () -> Instant
  /// Whether pages are shown without a sign-in, with the rights of an editor; only for an address on this machine.
  package var isOpen = false
  /// Whether the connection is TLS.
  package var isSecure = false
  /// Proxies whose headers name the client.
  package var proxies = TrustedProxies()
  package var alerts = AlertSnapshot()
  /// Whether keys that are not built in sign for production.
  package var hasAddedProductionKeys = false
  /// The folder of mapping files that versions are published into; `nil` where the database alone has them.
  package var mappings: String?
  /// The folder of events files that mappings are tried on; `nil` where there is none.
  package var samples: String?
  /// How many questions are answered at once, at least 1; others wait.
  package var threads = 2
  /// Seconds after which the database's part of an answer ends.
  package var seconds = 30.0
  /// Takes note of a page that failed: the number on the page, its path, and the reason.
  package var noteFailure: @Sendable (_ id: String, _ path: String, _ reason: String) -> Void = { _, _, _ in }
  /// Takes note of an attempt to sign in.
  package var noteSignIn: @Sendable (SignInResult) -> Void = { _ in }

  package init(database: String, access: Access, clock: @escaping @Sendable () -> Instant) {
    self.database = database
    self.access = access
    self.clock = clock
  }
}
