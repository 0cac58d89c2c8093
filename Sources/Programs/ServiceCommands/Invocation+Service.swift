import Arguments
import Daemon
import JSONText
import Service
import System
import Values
import CommandSupport

// The settings of a service, which `serve`, `doctor` and `config show` share.

extension Option {
  /// Where to listen.
  static let listen = Option.value(
    "--listen", "HOST:PORT", .hostPort,
    "Address to listen on; port 0 chooses a free port, host * means every address.",
    default: "127.0.0.1:8080", isSetting: true)

  /// Where figures are shown.
  static let metrics = Option.value(
    "--metrics", "HOST:PORT", .hostPortOr(["same", "none"]),
    "Address of /metrics and /readyz in plain HTTP; same: the port of --listen; none: closed. "
      + "/healthz is always on the port of --listen.",
    default: "same", isSetting: true)

  /// The folder of mapping files.
  static let mappings = Option.value(
    "--mappings", "DIR", .path, "Folder of mapping files.", isSetting: true)

  /// How many threads answer.
  static let threads = Option.value(
    "--threads", "N", .integer(1...256), "Number of threads that answer requests.", default: "2",
    isSetting: true)

  /// How many connections one address may have.
  static let connectionsPerAddress = Option.value(
    "--connections-per-address", "N", .integer(0...65_535),
    "Maximum number of open connections per client address (IPv6: per /64 prefix); 0: unlimited. "
      + "With trusted proxies the default is 0, because all connections come from the proxies.",
    default: "256", isSetting: true)

  /// Proxies whose X-Forwarded-For is trusted.
  static let trustedProxy = Option.value(
    "--trusted-proxy", "RANGE", .text,
    "Address or range of trusted proxies, such as 10.0.0.0/8. Their X-Forwarded-For header names the "
      + "client.",
    isRepeatable: true)

  /// The certificates of TLS.
  static let tlsCertificate = Option.value(
    "--tls-certificate", "FILE", .path,
    "PEM file of the server's certificate and its issuers; enables HTTPS.",
    isSetting: true)

  /// The key of TLS.
  static let tlsKey = Option.value(
    "--tls-key", "FILE", .path, "PEM file of the certificate's private key, without a password.",
    isSetting: true)

  /// The form of log lines.
  static let logFormat = Option.value(
    "--log-format", "FORMAT", .choice(["text", "json"]), "Format of the log on standard error.",
    default: "text", isSetting: true)

  /// How often a service judges.
  static let alertsInterval = Option.value(
    "--alerts-interval", "SECONDS", .integer(1...86_400), "Seconds between two checks of the alert rules.",
    default: "60", isSetting: true)
}

extension Invocation {
  /// Where `/metrics` and `/readyz` are.
  var metricsPlace: MetricsPlace {
    if let address = settings.hostPort("--metrics") { return .address(address) }
    return settings.text("--metrics") == "none" ? .none : .same
  }

  /// The proxies that are trusted, as they were written.
  var trustedProxyTexts: [String] {
    let given = settings.texts("--trusted-proxy")
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
    let name = Option.connectionsPerAddress.name
    let isGiven = settings.entries.contains { $0.name == name && $0.source != .programDefault }
    let isForProxies = !isGiven && !trustedProxyTexts.isEmpty
    return (isForProxies ? 0 : settings.integer(name) ?? 0, isForProxies)
  }
}

extension Invocation {
  /// The files of TLS, or nil where neither is named.
  ///
  /// - Throws: ``UsageError`` where one is named without the other.
  func tlsFiles() throws -> TLSFiles? {
    switch (settings.text("--tls-certificate"), settings.text("--tls-key")) {
    case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
    case (nil, nil): return nil
    case (_?, nil): throw mistake("--tls-certificate needs --tls-key", hint: "add --tls-key FILE")
    case (nil, _?):
      throw mistake("--tls-key needs --tls-certificate", hint: "add --tls-certificate FILE")
    }
  }

  /// Whether a certificate or key is named.
  var usesTLS: Bool { settings.text("--tls-certificate") != nil || settings.text("--tls-key") != nil }
}
