import Postbacks
import Values
import Arguments
import Ledger
import Service
import System
import Tables
import Verification

// Options that several commands share, and how their values become what the commands work with.

extension Option {
  /// The database file.
  static func database(isRequired: Bool = true) -> Option {
    .value(
      "--database", "DB", .path, "Database file.", short: "d", isRequired: isRequired, isSetting: true)
  }

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

  /// Further keys.
  static let trustTestKeys = Option.value(
    "--trust-test-keys", "FILE", .path,
    "File of public keys to trust in addition to Apple's. Postbacks they sign count in the "
      + "environment that the file names for the key, or in test.",
    isSetting: true)

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

  /// The form of rows.
  static func format(_ words: [String] = Format.allCases.map(\.rawValue)) -> Option {
    .value("--format", "FORMAT", .choice(words), "Output format.", default: words[0])
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
    return try naming("cannot read keys from '\(path)'") { try KeyFile.read(bytes) }
  }

  /// The form of rows that was asked for.
  var format: Format { settings.text("--format").flatMap { Format(rawValue: $0) } ?? .table }

  /// Prints rows in the form that was asked for.
  func print<Row>(_ columns: [Column<Row>], _ rows: [Row], noteIfEmpty: String? = nil) {
    let notes = rows.isEmpty ? [noteIfEmpty].compactMap { $0 } : []
    console.write(Table(columns, rows: rows).text(format, notes: notes))
  }

  /// The path of a database that has to exist already.
  func existingDatabase() throws -> String {
    let path = settings.text("--database") ?? ""
    try naming("cannot open the database '\(path)'") { try requirePlainPath(path) }
    do {
      _ = try FileReader(path)
    } catch {
      let remedy =
        error.code == .notFound ? "check the path; `skan serve` and `skan ingest` create a database" : nil
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
