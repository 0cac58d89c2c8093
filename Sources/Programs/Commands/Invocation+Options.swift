import Arguments
import Ledger
import Reporting
import Service
import System
import Verification

// Options that several commands share, and how their values become what the commands work with.

extension Option {
  /// The database file.
  static func database(isRequired: Bool = true) -> Option {
    .value(
      "--database", "DB", .path, "The database file.", short: "d", isRequired: isRequired, isSetting: true)
  }

  /// Where to listen.
  static let listen = Option.value(
    "--listen", "HOST:PORT", .hostPort,
    "Where to listen; port 0 takes a free one, host * means every address.",
    default: "127.0.0.1:8080", isSetting: true)

  /// Where figures are shown.
  static let metrics = Option.value(
    "--metrics", "HOST:PORT", .hostPortOr(["same", "none"]),
    "Where /metrics and /readyz are, in plain HTTP; same is the port of --listen, none closes them. /healthz stays on that port too.",
    default: "same", isSetting: true)

  /// The folder of mapping files.
  static let mappings = Option.value(
    "--mappings", "DIR", .path, "The folder with the mapping files.", isSetting: true)

  /// Further keys.
  static let trustTestKeys = Option.value(
    "--trust-test-keys", "FILE", .path,
    "A file with keys that are trusted besides Apple's; what they sign counts in the environment that the file names for each key, test where it names none.",
    isSetting: true)

  /// How many threads answer.
  static let threads = Option.value(
    "--threads", "N", .integer(1...256), "How many threads answer requests.", default: "2", isSetting: true)

  /// How many connections one address may have.
  static let connectionsPerAddress = Option.value(
    "--connections-per-address", "N", .integer(0...65_535),
    "How many connections one client's address (of IPv6 its first 64 bits) may have open, 0 for any number; with trusted proxies 0 is the default, because all come from theirs.",
    default: "256", isSetting: true)

  /// The proxies that may say for whom they ask.
  static let trustedProxy = Option.value(
    "--trusted-proxy", "RANGE", .text,
    "An address or range, such as 10.0.0.0/8, of proxies whose X-Forwarded-For names the client.",
    isRepeatable: true)

  /// The certificates of TLS.
  static let tlsCertificate = Option.value(
    "--tls-certificate", "FILE", .path,
    "A PEM file with the server's certificate and those of its issuers; with it the service speaks HTTPS.",
    isSetting: true)

  /// The key of TLS.
  static let tlsKey = Option.value(
    "--tls-key", "FILE", .path, "A PEM file with the certificate's private key, without a password.",
    isSetting: true)

  /// The form of log lines.
  static let logFormat = Option.value(
    "--log-format", "FORMAT", .choice(["text", "json"]), "The form of the log on standard error.",
    default: "text", isSetting: true)

  /// The form of rows.
  static func format(_ words: [String] = OutputFormat.allCases.map(\.rawValue)) -> Option {
    .value("--format", "FORMAT", .choice(words), "The form of what is printed.", default: words[0])
  }
}

extension Invocation {
  /// Where `/metrics` and `/readyz` are.
  var metricsPlace: MetricsPlace {
    if let address = settings.hostPort("--metrics") { return .address(address) }
    return settings.text("--metrics") == "none" ? .none : .same
  }

  /// Apple's keys and those that the user trusts.
  func keyring() throws -> Keyring { try Keyring(trusting: trustedKeys()) }

  /// The keys that the user trusts besides Apple's.
  func trustedKeys() throws -> [TrustedKey] {
    guard let path = settings.text("--trust-test-keys") else { return [] }
    return try Self.keys(in: path)
  }

  /// The keys of a file.
  static func keys(in path: String) throws -> [TrustedKey] {
    let bytes = try FileReader.contents(of: path, limit: 1 << 20)
    return try naming("cannot take keys from '\(path)'") { try KeyFile.read(bytes) }
  }

  /// The form of rows that was asked for.
  var format: OutputFormat { settings.text("--format").flatMap { OutputFormat(rawValue: $0) } ?? .table }

  /// The path of a database that has to exist already.
  func existingDatabase() throws -> String {
    let path = settings.text("--database") ?? ""
    try naming("cannot open the database '\(path)'") { try requirePlainPath(path) }
    do {
      _ = try FileReader(path)
    } catch {
      let remedy =
        error.code == .notFound ? "check the path; `skan serve` and `skan ingest` make a database" : nil
      throw CommandError(
        .inputOutput, "cannot open the database '\(path)': \(error.reason)", remedy: remedy ?? error.remedy)
    }
    return path
  }

  /// A reader of the database, which has to exist already.
  func reader() throws -> LedgerReader {
    let path = try existingDatabase()
    return try naming("cannot read the database '\(path)'") { try LedgerReader(path: path) }
  }
}
