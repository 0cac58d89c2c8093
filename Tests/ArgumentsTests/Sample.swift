import Arguments
import Values

/// The options that tests read.
enum Sample {
  static let database = RequiredOption<String>.value(
    "--database", "PATH", .path, "The database file.", short: "d", isSetting: true)
  static let listen = TypedOption<HostPort>.value(
    "--listen", "HOST:PORT", .hostPort, "Where to listen.", default: HostPort(host: "127.0.0.1", port: 8080),
    isSetting: true)
  static let threads = TypedOption<Int>.value(
    "--threads", "N", .integer(1...64), "How many threads answer.", default: 2, isSetting: true)
  static let age = TypedOption<TimeSpan?>.value(
    "--keep-bodies-for", "DURATION", .duration, "How long bodies are kept.", isSetting: true)
  static let sync = TypedOption.flag(
    "--sync", "Wait for the disk at each commit.", isNegatable: true, isSetting: true)
  static let from = TypedOption<Instant?>.value("--from", "TIME", .time, "The first moment that counts.")
  static let app = TypedOption<[Int]>.repeatable("--app", "ID", .integer(1...(.max)), "Only this app.")
  static let format = TypedOption<Format>.choice(
    "--format", "FORMAT", "The form of the rows.", default: .table)
  static let strict = TypedOption.flag("--strict", "Let warnings count as errors.")
  static let quiet = TypedOption.flag("--quiet", "Print no notes and no progress.", short: "q")
  static let noColor = TypedOption.flag("--no-color", "Print nothing coloured.")

  enum Format: String, CaseIterable { case table, json, ndjson, csv }
}

/// A program that has one of everything.
let sample = Program(
  name: "skan", summary: "Attributes installs by what Apple's postbacks say.",
  examples: [.init("Check the signatures of postbacks", "skan verify postbacks.ndjson")],
  groups: [
    CommandGroup("receive", "Receive postbacks, and count them.", [serve, campaigns]),
    CommandGroup("other", "Work with mappings and shells.", [check, diff, completions]),
  ],
  prefixes: ["mapping": "Work with conversion-value mappings.", "report": "Print what the postbacks tell."],
  commonOptions: [
    Sample.quiet.option, Sample.noColor.option,
    .value("--config", "PATH", .path, "A configuration file.", isSetting: true),
  ],
  exitCodes: [(0, "done"), (64, "the command was used wrongly")])

private let serve = Command(
  "serve", "Receive postbacks over HTTP, and store and count them in a database file.",
  discussion: [
    "The daemon answers 200 only after a postback is on the disk. It speaks plain HTTP; put a proxy in front of it "
      + "that speaks TLS and passes the network's paths on.",
    "A first SIGTERM or Ctrl-C ends it in order, a second one at once.",
  ],
  examples: [
    .init("Listen on the loopback interface", "skan serve --database skan.db"),
    .init("Let the system choose a port", "skan serve --database skan.db --listen 127.0.0.1:0"),
  ],
  options: [
    Sample.database.option, Sample.listen.option, Sample.threads.option, Sample.age.option,
    Sample.sync.option,
  ])

private let campaigns = Command(
  "report campaigns", "Print the campaign table.",
  examples: [.init("This month as CSV", "skan report campaigns --database skan.db --format csv")],
  options: [
    .value("--database", "PATH", .path, "The database file.", isRequired: true, isSetting: true),
    Sample.from.option, Sample.app.option, Sample.format.option,
  ])

private let check = Command(
  "mapping check", "Find errors in mapping files, and doubtful places.",
  examples: [.init("Check a file", "skan mapping check mapping.json")],
  positionals: [Positional("FILE", .path, "A mapping file.", isRepeatable: true)],
  options: [Sample.strict.option])

private let diff = Command(
  "mapping diff", "Show which values kept their meaning from one mapping to the next.",
  examples: [.init("Compare", "skan mapping diff old.json new.json")],
  positionals: [
    Positional("OLD", .path, "The mapping before."), Positional("NEW", .path, "The mapping after."),
  ])

private let completions = Command(
  "completions", "Print a script that completes commands in a shell.",
  examples: [.init("Load it", "source <(skan completions bash)")],
  positionals: [Positional("SHELL", .choice(["bash", "zsh", "fish"]), "The shell's name.")])

/// Reads a command line as a shell would split it at spaces.
func read(_ line: String) throws(UsageError) -> Program.Request {
  try sample.read(line.split(separator: " ").map(String.init))
}

/// Reads a command line and resolves its settings.
func settings(
  _ line: String, environment: [String: String] = [:], configuration: [String: String] = [:]
) throws(UsageError) -> Settings? {
  guard case .run(let command, let words) = try read(line) else { return nil }
  return try Settings(
    words, for: command, of: "skan", environment: environment, configuration: configuration,
    configurationPath: "skan.json")
}
