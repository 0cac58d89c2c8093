package import Pages
package import Verification

/// All screens of the site, of every module that has some; the navigation has them by their own sections and places.
///
/// - Parameters:
///   - keyring: The keys that postbacks are judged by.
///   - certificateEnd: When the certificate of TLS ends; `nil` without one.
package func siteScreens(
  trusting keyring: Keyring, certificateEnd: @escaping CertificateEnd = { nil }
) -> [Screen] {
  let simulation = ValueSimulation(
    samples: { SimulatedValues.samples($0) },
    counts: { try SimulatedValues.counts($0, app: $1, version: $2, sample: $3) })
  return figureScreens(simulating: simulation) + evidenceScreens(trusting: keyring) + mappingScreens
    + experimentScreens + operationScreens
    + healthScreens(trusting: keyring, certificateEnd: certificateEnd)
}
