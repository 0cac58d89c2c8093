import Arguments
import Daemon
import JSONText
import Routing
import System
import Values

extension Invocation {
  /// The proxies that are trusted, as they were written.
  var trustedProxyTexts: [String] {
    let given = self[ServiceSettings.trustedProxy]
    return given.isEmpty ? configuration.trustedProxies : given
  }

  /// The proxies that may name their clients.
  func trustedProxies() throws -> TrustedProxies {
    TrustedProxies(
      try trustedProxyTexts.map { text in
        guard let range = AddressRange(text) else {
          throw mistake("The value \(quoted(text)) of '--trusted-proxy' is not \(AddressRange.expectation).")
        }
        return range
      })
  }

  /// How many connections one address may have, and whether the proxies made it no limit.
  ///
  /// All clients of a proxy share its address, so a limit by default would be the proxy's.
  var connectionsPerAddress: (count: Int, isForProxies: Bool) {
    let option = ServiceSettings.connectionsPerAddress
    let isForProxies = !settings.isGiven(option.option) && !trustedProxyTexts.isEmpty
    return (isForProxies ? 0 : self[option], isForProxies)
  }
}

extension Invocation {
  /// Where pages are; `nil` for nowhere.
  ///
  /// - Throws: ``UsageError`` where they would be open to others, or a token would cross a network as it is.
  func pages() throws -> HostPort? {
    guard let address = self[ServiceSettings.pages] else {
      if self[ServiceSettings.pagesOpen] {
        throw mistake("--pages-open needs --pages", hint: "add --pages 127.0.0.1:8081")
      }
      return nil
    }
    guard !address.isLoopback else { return address }
    if self[ServiceSettings.pagesOpen] {
      throw mistake(
        "--pages-open is only for an address of this machine, found \(address)",
        hint: "use --pages 127.0.0.1:\(address.port), or leave --pages-open out and sign in with a token")
    }
    guard usesTLS || self[ServiceSettings.pagesPlainHTTP] else {
      throw mistake(
        "Pages on \(address) need TLS, because other machines reach them.",
        hint:
          "add --tls-certificate and --tls-key, use --pages 127.0.0.1:\(address.port), or add --pages-plain-http "
          + "behind a proxy with TLS")
    }
    return address
  }

  /// The files of TLS, or nil where neither is named.
  ///
  /// - Throws: ``UsageError`` where one is named without the other.
  func tlsFiles() throws -> TLSFiles? {
    switch (self[ServiceSettings.tlsCertificate], self[ServiceSettings.tlsKey]) {
    case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
    case (nil, nil): return nil
    case (_?, nil): throw mistake("--tls-certificate needs --tls-key", hint: "add --tls-key FILE")
    case (nil, _?):
      throw mistake("--tls-key needs --tls-certificate", hint: "add --tls-certificate FILE")
    }
  }

  /// Whether a certificate or key is named.
  var usesTLS: Bool { self[ServiceSettings.tlsCertificate] != nil || self[ServiceSettings.tlsKey] != nil }
}
