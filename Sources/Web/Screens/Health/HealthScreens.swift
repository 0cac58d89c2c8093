package import Pages
package import Values
package import Verification

/// Gives when the certificate of TLS ends; `nil` without one.
package typealias CertificateEnd = @Sendable () -> Instant?

/// The screens of health, which try the keys that the service trusts.
package func healthScreens(
  trusting keyring: Keyring, certificateEnd: @escaping CertificateEnd
) -> [Screen] {
  [
    Screen(HealthScreen.self) { screen in
      screen.keyring = keyring
      screen.certificateEnd = certificateEnd
    }
  ]
}
