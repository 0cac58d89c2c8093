package import Arguments
package import Service
import Values

/// The settings of a service, which `serve`, `doctor` and `config show` share.
enum ServiceSettings {
  static let listen = TypedOption<HostPort>.value(
    "--listen", "HOST:PORT", .hostPort,
    "Address to listen on; port 0 chooses a free port, host * means every address.",
    default: HostPort(host: "127.0.0.1", port: 8080), isSetting: true)
  static let metrics = TypedOption<MetricsPlace>.value(
    "--metrics", "HOST:PORT", MetricsPlace.kind,
    "Address of /metrics and /readyz in plain HTTP; same: the port of --listen; none: closed. "
      + "/healthz is always on the port of --listen.",
    default: .same, isSetting: true)
  static let pages = TypedOption<HostPort?>.value(
    "--pages", "HOST:PORT", .hostPort,
    "Address of pages for browsers; port 0 chooses a free port. They need a sign-in with a token of `skan token create`.",
    defaultNote: "none", isSetting: true)
  static let pagesOpen = TypedOption<Bool>.flag(
    "--pages-open",
    "Show pages without a sign-in, with the rights of an editor; only on an address of this machine.",
    isSetting: true)
  static let pagesPlainHTTP = TypedOption<Bool>.flag(
    "--pages-plain-http",
    "Serve pages in plain HTTP on an address that other machines reach; put a proxy with TLS in front.",
    isSetting: true)
  static let mappings = TypedOption<String?>.value(
    "--mappings", "DIR", .path, "Folder of mapping files.", isSetting: true)
  static let samples = TypedOption<String?>.value(
    "--samples", "DIR", .path, "Folder of events files that the mapping editor tries mappings on.",
    isSetting: true)
  static let appMappings = TypedOption<Bool>.flag(
    "--app-mappings",
    "Serve /v1/apps/APP/mapping to apps without a token: the rules of the mapping in force, without labels and worths.",
    isSetting: true)
  static let appMappingsKey = TypedOption<String?>.value(
    "--app-mappings-key", "FILE", .path,
    "PEM file of a private key on P-256 that signs the mappings of apps, in the header Skan-Mapping-Signature.",
    isSetting: true)
  static let threads = TypedOption<Int>.value(
    "--threads", "N", .integer(1...256), "Number of threads that answer requests.", default: 2,
    isSetting: true)
  static let connectionsPerAddress = TypedOption<Int>.value(
    "--connections-per-address", "N", .integer(0...65_535),
    "Maximum number of open connections per client address (IPv6: per /64 prefix); 0: unlimited. "
      + "With trusted proxies the default is 0, because all connections come from the proxies.",
    default: 256, isSetting: true)
  static let trustedProxy = TypedOption<[String]>.repeatable(
    "--trusted-proxy", "RANGE", .text,
    "Address or range of trusted proxies, such as 10.0.0.0/8. Their X-Forwarded-For header names the "
      + "client.")
  static let tlsCertificate = TypedOption<String?>.value(
    "--tls-certificate", "FILE", .path,
    "PEM file of the server's certificate and its issuers; enables HTTPS.", isSetting: true)
  static let tlsKey = TypedOption<String?>.value(
    "--tls-key", "FILE", .path, "PEM file of the certificate's private key, without a password.",
    isSetting: true)
  static let logFormat = TypedOption<LogFormat>.choice(
    "--log-format", "FORMAT", "Format of the log on standard error.", default: .text, isSetting: true)
  static let alertsInterval = TypedOption<Int>.value(
    "--alerts-interval", "SECONDS", .integer(1...86_400), "Seconds between two checks of the alert rules.",
    default: 60, isSetting: true)

  /// The form of log lines.
  enum LogFormat: String, CaseIterable { case text, json }
}

extension MetricsPlace: ParameterValue {
  package static var kind: ValueKind { .hostPortOr(["same", "none"]) }
  package static var placeholder: String { "HOST:PORT" }

  package init?(parameter text: String) {
    switch text {
    case "same": self = .same
    case "none": self = .none
    default:
      guard let address = HostPort(text) else { return nil }
      self = .address(address)
    }
  }

  package var parameterText: String {
    switch self {
    case .same: "same"
    case .none: "none"
    case .address(let address): address.description
    }
  }
}
