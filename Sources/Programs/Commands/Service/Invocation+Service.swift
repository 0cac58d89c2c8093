package import Arguments
package import Configuration
import JSONText
import Routing
import System
import Values

extension Invocation {
  /// The settings of the service; those that the command has no option for keep their defaults.
  package func serviceConfiguration() throws -> ServiceConfiguration {
    let proxies = try ServiceConfiguration.trustedProxies(settings, configuration).map { text in
      guard let range = AddressRange(text) else {
        throw mistake("The value \(quoted(text)) of '--trusted-proxy' is not \(AddressRange.expectation).")
      }
      return range
    }
    do throws(ParameterError) {
      return try ServiceConfiguration(settings, configuration, proxies: TrustedProxies(proxies))
    } catch {
      throw mistake(error)
    }
  }

  /// Rejects pages that would be open to others, or where a token would cross a network as it is.
  package func requireSafePages(_ configuration: ServiceConfiguration) throws(UsageError) {
    guard let address = configuration.pages else {
      guard configuration.arePagesOpen else { return }
      throw mistake("--pages-open needs --pages", hint: "add --pages 127.0.0.1:8081")
    }
    if configuration.arePagesOpen, configuration.file.pagesSignIn != nil {
      throw mistake(
        "--pages-open shows everyone everything, and the configuration has a \"pages-sign-in\"",
        hint: "leave one of them out")
    }
    guard !address.isLoopback else { return }
    if configuration.arePagesOpen {
      throw mistake(
        "--pages-open is only for an address of this machine, found \(address)",
        hint: "use --pages 127.0.0.1:\(address.port), or leave --pages-open out and sign in with a token")
    }
    guard configuration.usesTLS || configuration.mayPagesBePlain else {
      throw mistake(
        "Pages on \(address) need TLS, because other machines reach them.",
        hint:
          "add --tls-certificate and --tls-key, use --pages 127.0.0.1:\(address.port), or add --pages-plain-http "
          + "behind a proxy with TLS")
    }
  }

  /// Rejects a certificate without a key, and a key without a certificate.
  package func requireBothTLSFiles(_ configuration: ServiceConfiguration) throws(UsageError) {
    switch (configuration.certificate, configuration.certificateKey) {
    case (nil, nil), (_?, _?): return
    case (_?, nil): throw mistake("--tls-certificate needs --tls-key", hint: "add --tls-key FILE")
    case (nil, _?):
      throw mistake("--tls-key needs --tls-certificate", hint: "add --tls-certificate FILE")
    }
  }
}

extension ServiceConfiguration {
  /// Whether a certificate or key is named.
  package var usesTLS: Bool { certificate != nil || certificateKey != nil }
}
