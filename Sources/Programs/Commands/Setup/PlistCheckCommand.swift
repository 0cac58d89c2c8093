import Health
import Arguments
import Ledger
import System
import Tables
import Values

/// `skan plist check`: reports what in an app's `Info.plist` keeps postbacks from coming.
enum PlistCheckCommand {
  enum Options {
    static let networks = TypedOption<String?>.value(
      "--networks", "LIST", .text,
      "Ids of the ad networks whose ads the app shows: a file with one on each line, a list that a network publishes "
        + "(property list or JSON), or ids with commas between them.")
    static let domain = TypedOption<String?>.value(
      "--domain", "HOST", .text, "Domain that device copies should go to.",
      defaultNote: "any but those of partners")
    static let strict = TypedOption<Bool>.flag("--strict", "Treat warnings as errors.")
  }

  static let entry = Entry(
    command: Command(
      "plist check", "Check an app's Info.plist for what postbacks and their copies need.",
      discussion: [
        "skan reads XML and binary property lists. It checks the two addresses for device copies, the opt-in for "
          + "copies of re-engagement postbacks, the ids of ad networks, and the attribution windows and cooldowns: "
          + "whether each key has Apple's spelling, place and type, and each value Apple's form and range.",
        "Check the Info.plist inside the built app: only there, build variables have their values, and what a "
          + "build script or a plug-in adds is included.",
        "Copies that go to the address of a partner, or with --domain to any other domain, are an error: a device sends one "
          + "copy, to one address.",
        "With --database, skan also lists the networks that sent production postbacks and that the file does not "
          + "have; an app needs the ids of networks whose ads it shows, not of those that advertise it.",
        "Each finding has the file, the line (in XML), the path in the file, a stable code, what was found, what is "
          + "allowed and a remedy. The exit code is 1 if there is an error, or with --strict a warning.",
      ],
      examples: [
        .init("Check the file of a built app", "skan plist check Payload/Shop.app/Info.plist"),
        .init("Check ids of networks too", "skan plist check Info.plist --networks networks.txt"),
        .init("Check that copies come to you", "skan plist check Info.plist --domain example.com"),
      ],
      positionals: [
        Positional("FILE", .path, "Property list; -: standard input.", isRepeatable: true)
      ],
      options: [
        Options.networks.option, Options.domain.option, .database(isRequired: false), Options.strict.option,
        .format(),
      ]), run: run)

  /// Bytes of a file that are read at most: one more than is accepted, so that the check reports its length.
  private static let limit = InfoPlistCheck.largestFile + 1

  private static func run(_ call: Invocation) throws -> ExitCode {
    let console = call.console
    let paths = call.settings.positionals
    try call.checkStandardInput(paths)
    let networks = try networks(call)
    let domain = try domain(call)
    var rows: [PlistFindingRow] = []
    for path in paths {
      if path == "-", console.isInputTerminal { console.note("reading standard input; Ctrl-D ends it") }
      let bytes = try FileReader.contents(of: path, limit: limit)
      rows += InfoPlistCheck(bytes, networks: networks, domain: domain).findings.map {
        PlistFindingRow(file: path, finding: $0)
      }
    }
    if call.format == .table {
      for row in rows { console.write(row.text(console)) }
    } else {
      call.print(PlistFindingRow.columns, rows)
    }
    console.output.flush()
    let errors = rows.count { $0.finding.severity == .error }
    let warnings = rows.count - errors
    console.note("\(counted(errors, "error")), \(counted(warnings, "warning"))")
    return errors > 0 || (call[Options.strict] && warnings > 0) ? .failedCheck : .done
  }

  private static func domain(_ call: Invocation) throws(UsageError) -> String? {
    guard let domain = call[Options.domain] else { return nil }
    guard InfoPlistCheck.isDomain(domain) else {
      throw call.mistake(
        "The value '\(printable(domain))' of '--domain' is no domain.",
        hint: "write it without https://, port and path, such as example.com")
    }
    return domain
  }

  /// The networks of the option and those that sent, each once.
  private static func networks(_ call: Invocation) throws -> [InfoPlistCheck.Network] {
    let listed = try call[Options.networks].map(listedNetworks) ?? []
    let sent = call.databaseIfAny == nil ? [] : try call.reader().networksThatSent()
    var seen: Set<String> = []
    return
      (listed.map { InfoPlistCheck.Network($0, onlySent: false) }
      + sent.map { InfoPlistCheck.Network($0, onlySent: true) })
      .filter { seen.insert($0.identifier.lowercased()).inserted }
  }

  /// Ids with commas between them, or those of a file.
  private static func listedNetworks(_ text: String) throws -> [String] {
    let isFile = !text.contains(",") && !NetworkList.isID(text)
    let bytes =
      try isFile ? FileReader.contents(of: text, limit: 1 << 20) : Array(text.replacing(",", with: "\n").utf8)
    do throws(NetworkList.Defect) { return try NetworkList(bytes).identifiers } catch {
      throw CommandError(
        .data, "\(isFile ? "\(text):\(error.line)" : "--networks"): \(error.sentence)",
        remedy:
          "write ids such as cstr6suwn9.skadnetwork or f2d92a.adattributionkit, one on each line of a file or with "
          + "commas between them, or give a list that a network publishes, a property list or JSON")
    }
  }
}

/// A finding with its file, ready to be printed.
private struct PlistFindingRow: Sendable {
  let file: String
  let finding: PlistFinding

  /// The finding for people, on three lines.
  func text(_ console: Console) -> String {
    let word = console.paint(finding.severity.rawValue, finding.severity == .error ? .red : .yellow)
    let place = finding.line.map { "\(printable(file)):\($0)" } ?? printable(file)
    return
      "\(place): \(word): found \(finding.found); allowed: \(finding.allowed) [\(finding.code.rawValue)]\n"
      + "  at \(printable(finding.path.description))\n  hint: \(finding.cure)\n"
  }

  static let columns: [Column<Self>] = [
    Column("file", "file", "Path of the file as it was given.") { Identifier($0.file) },
    Column("line", "line", "Line in the file, from 1; none in a binary file.", \.finding.line),
    Column("path", "path", "Place in the file, such as SKAdNetworkItems[3].", \.finding.path.description),
    Column("severity", "severity", "error or warning.", \.finding.severity.rawValue),
    Column("code", "code", "Stable code of the finding.", \.finding.code.rawValue),
    Column("found", "found", "What was found.", \.finding.found),
    Column("allowed", "allowed", "What is allowed there.", \.finding.allowed),
    Column("cure", "cure", "What to do about it.", \.finding.cure),
  ]
}
