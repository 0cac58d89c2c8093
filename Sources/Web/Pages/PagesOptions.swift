package import Campaigns
package import HTTPServer
package import Ledger
package import Routing
package import Values
package import Verification

package struct PagesOptions: Sendable {
  /// The database, and where changes of it go.
  package let changes: any ChangeWriter & Sendable
  /// Whose tokens allow a sign-in.
  package let access: Access
  /// The keys that postbacks are judged by.
  package let keyring: Keyring
  package let clock: @Sendable () -> Instant
  /// Whether pages are shown without a sign-in, with the rights of an editor; only for an address on this machine.
  package var isOpen = false
  /// The certificates and key of TLS; `nil` for plain HTTP.
  package var identity: TLSIdentity?
  /// How a proxy signs persons in; `nil` where tokens alone do.
  package var proxySignIn: ProxySignIn?
  /// Proxies whose headers name the client.
  package var proxies = TrustedProxies()
  package var alerts = AlertSnapshot()
  /// Keeps what figures are estimated from.
  package var keeper = PartKeeper()
  /// How long ago the database last had all of the journal that it follows, in seconds; `nil` where it follows none.
  package var secondsBehind: @Sendable () -> Double? = { nil }
  /// When the certificate of TLS ends, which a new one changes; `nil` without one.
  package var certificateEnd: @Sendable () -> Instant? = { nil }
  /// The folder of mapping files that versions are published into; `nil` where the database alone has them.
  package var mappings: String?
  /// The folder of events files that mappings are tried on; `nil` where there is none.
  package var samples: String?
  /// Takes note of a page that failed: the number on the page, its path, and the reason.
  package var noteFailure: @Sendable (_ id: String, _ path: String, _ reason: String) -> Void = { _, _, _ in }
  /// Takes note of an attempt to sign in.
  package var noteSignIn: @Sendable (SignInResult) -> Void = { _ in }

  package init(
    _ changes: any ChangeWriter & Sendable, access: Access, keyring: Keyring,
    clock: @escaping @Sendable () -> Instant
  ) {
    self.changes = changes
    self.access = access
    self.keyring = keyring
    self.clock = clock
  }
}
