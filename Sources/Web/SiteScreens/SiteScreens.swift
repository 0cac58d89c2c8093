import EvidenceScreens
package import HealthScreens
import MappingScreens
import OperationScreens
package import Pages
import Screens
package import Verification

/// All screens of the site, of every module that has some; the navigation has them by their own sections and places.
///
/// - Parameters:
///   - keyring: The keys that postbacks are judged by.
///   - certificateEnd: When the certificate of TLS ends; `nil` without one.
/// - Returns: The screens.
package func siteScreens(
  trusting keyring: Keyring, certificateEnd: @escaping CertificateEnd = { nil }
) -> [Screen] {
  allScreens + evidenceScreens(trusting: keyring) + mappingScreens + operationScreens
    + healthScreens(trusting: keyring, certificateEnd: certificateEnd)
}
