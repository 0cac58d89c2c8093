import Arguments
import HealthChecks
import System
import Tables
import Values
package import CommandSupport

/// `skan doctor`: looks for what would keep the service from working, and names the cure.
package enum DoctorCommand {
  enum Options {
    static let deep = TypedOption<Bool>.flag("--deep", "Read the complete database, whatever its size.")
  }

  package static let entry = Entry(
    command: Command(
      "doctor", "Check keys, database, clock, disk, port and settings, and print a remedy for each failure.",
      discussion: [
        "Each check prints OK, WARN or FAIL. skan writes one row to the database and rolls it back. It "
          + "reads a database of up to 256 MiB completely, a larger one only with --deep; the database may "
          + "be in use. It checks each mapping file by itself and against the loaded ones. The exit code is "
          + "1 if a check fails."
      ],
      examples: [
        .init("Check everything that a service needs", "skan doctor --config skan.json --database skan.db")
      ],
      options: [
        .database(isRequired: false), ServiceSettings.listen.option, ServiceSettings.metrics.option,
        ServiceSettings.mappings.option, .trustTestKeys, ServiceSettings.tlsCertificate.option,
        ServiceSettings.tlsKey.option,
        Options.deep.option, .format(),
      ]), examinesConfiguration: true
  ) { call in
    let findings = DoctorChecks(call).findings
    if call.format == .table {
      for finding in findings { call.console.write(text(finding, call.console)) }
    } else {
      call.print(columns, findings)
    }
    return findings.contains { $0.grade == .fail } ? .failedCheck : .done
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
    let cure = finding.cure.map { "      Try: \(printable($0))\n" } ?? ""
    return "\(word)\(padding)  \(finding.check): \(printable(finding.detail))\n\(cure)"
  }

  private static let columns: [Column<HealthFinding>] = [
    Column("check", "check", "What was checked.", \.check),
    Column("grade", "grade", "ok, warn or fail.") { $0.grade.rawValue.lowercased() },
    Column("detail", "detail", "What was found.", \.detail),
    Column("cure", "cure", "What to do about it; none if nothing is to be done.", \.cure),
  ]
}
