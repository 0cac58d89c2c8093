import Arguments
import Configuration
import Health
import System
import Tables
import Values

/// `skan doctor`: looks for what would keep the service from working, and names the cure.
enum DoctorCommand {
  enum Options {
    static let domain = TypedOption<String?>.value(
      "--domain", "HOST", .text,
      "Domain of the addresses in the app's Info.plist; skan checks it from outside, and nothing else.")
    static let caFile = TypedOption<String?>.value(
      "--ca-file", "FILE", .path, "PEM file with the only issuers to trust for --domain.",
      defaultNote: "those of the system")
    static let deep = TypedOption<Bool>.flag(
      "--deep",
      "Read the complete database and, with --journal, the complete journal; verify every signature.")
  }

  static let entry = Entry(
    command: Command(
      "doctor", "Check keys, database, clock, disk, port and settings, and print a remedy for each failure.",
      discussion: [
        "Each check prints OK, WARN or FAIL. skan writes one row to the database and rolls it back. It "
          + "reads a database of up to 256 MiB completely, a larger one only with --deep; the database may "
          + "be in use. It checks each mapping file by itself and against the loaded ones. If the configuration file cannot be "
          + "used, that check fails, and the others are of options and defaults. The exit code is 1 if a check fails.",
        "With --deep, skan also digests every stored body again and verifies the signature of every postback and copy, as `skan rebuild "
          + "--check` does, and with --journal reads the complete journal, as `skan journal verify` does.",
        "With --journal, skan asks the journal's server what it promises for a commit, whether clocks agree, and whether the "
          + "database follows it and had the figures of other nodes.",
        "With --domain, skan posts to Apple's paths as a device would, from the machine on which the command runs: "
          + "with and without the last slash. It reports the address, the certificate and its last day, redirects "
          + "(devices do not follow them), the status and the time. The body is a probe, which skan answers with 400 "
          + "and does not store; a device treats only 200 as done. Run it outside your network, where devices are.",
      ],
      examples: [
        .init("Check from outside what devices reach", "skan doctor --domain example.com"),
        .init("Check everything that a service needs", "skan doctor --config skan.json --database skan.db"),
      ],
      options: [.database(isRequired: false)]
        + ServiceConfiguration.options(
          "listen", "metrics", "mappings", "trust-test-keys", "tls-certificate", "tls-key", "journal") + [
          Options.deep.option, Options.domain.option, Options.caFile.option, .format(),
        ]), examinesConfiguration: true
  ) { call in
    let findings =
      try call[Options.domain].map {
        try [DoctorChecks.unusableConfiguration(of: call)].compactMap(\.self) + domainFindings($0, call)
      }
      ?? DoctorChecks(call, call.serviceConfiguration()).findings
    if call.format == .table {
      for finding in findings { call.console.write(text(finding, call.console)) }
    } else {
      call.print(columns, findings)
    }
    return findings.contains { $0.grade == .fail } ? .failedCheck : .done
  }

  private static func domainFindings(_ domain: String, _ call: Invocation) throws -> [HealthFinding] {
    guard HostPort(domain) != nil || HostPort("\(domain):443") != nil else {
      throw call.mistake(
        "The value '\(printable(domain))' of '--domain' is not HOST or HOST:PORT.",
        hint: "write the domain without https:// and without a path, such as example.com")
    }
    return DomainChecks(domain, certificates: call[Options.caFile], now: call.world.clock()).findings
  }

  private static func text(_ finding: HealthFinding, _ console: Console) -> String {
    let color: Color =
      switch finding.grade {
      case .ok: .green
      case .warn: .yellow
      case .fail: .red
      }
    let word = console.paint(finding.grade.rawValue, color)
    let padding = String(repeating: " ", count: 4 - finding.grade.rawValue.count)
    let cure = finding.cure.map { "      Try: \($0)\n" } ?? ""
    return "\(word)\(padding)  \(finding.check.rawValue): \(finding.detail)\n\(cure)"
  }

  private static let columns: [Column<HealthFinding>] = [
    Column("check", "check", "What was checked.", \.check.rawValue),
    Column("grade", "grade", "ok, warn or fail.") { $0.grade.rawValue.lowercased() },
    Column("detail", "detail", "What was found.", \.detail.english),
    Column("cure", "cure", "What to do about it; none if nothing is to be done.", \.cure?.english),
  ]
}
