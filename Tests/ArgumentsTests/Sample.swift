import Arguments

/// A program that has one of everything.
let sample = Program(
  name: "skan", summary: "Attributes installs by what Apple's postbacks say.",
  examples: [.init("Check the signatures of postbacks", "skan verify postbacks.ndjson")],
  groups: ["mapping": "Work with conversion-value mappings.", "report": "Print what the postbacks tell."],
  commands: [
    Command(
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
        .value(
          "--database", "PATH", .path, "The database file.", short: "d", isRequired: true, isSetting: true),
        .value(
          "--listen", "HOST:PORT", .hostPort, "Where to listen.", default: "127.0.0.1:8080", isSetting: true),
        .value("--threads", "N", .integer(1...64), "How many threads answer.", default: "2", isSetting: true),
        .value("--keep-bodies-for", "DURATION", .duration, "How long bodies are kept.", isSetting: true),
        .flag("--sync", "Wait for the disk at each commit.", isNegatable: true, isSetting: true),
      ]),
    Command(
      "report campaigns", "Print the campaign table.",
      examples: [.init("This month as CSV", "skan report campaigns --database skan.db --format csv")],
      options: [
        .value("--database", "PATH", .path, "The database file.", isRequired: true, isSetting: true),
        .value("--from", "TIME", .time, "The first moment that counts."),
        .value("--app", "ID", .integer(1...(.max)), "Only this app.", isRepeatable: true),
        .value(
          "--format", "FORMAT", .choice(["table", "json", "ndjson", "csv"]), "The form of the rows.",
          default: "table"),
      ]),
    Command(
      "mapping check", "Find errors in mapping files, and doubtful places.",
      examples: [.init("Check a file", "skan mapping check mapping.json")],
      positionals: [Positional("FILE", .path, "A mapping file.", isRepeatable: true)],
      options: [.flag("--strict", "Let warnings count as errors.")]),
    Command(
      "mapping diff", "Show which values kept their meaning from one mapping to the next.",
      examples: [.init("Compare", "skan mapping diff old.json new.json")],
      positionals: [
        Positional("OLD", .path, "The mapping before."), Positional("NEW", .path, "The mapping after."),
      ]),
    Command(
      "completions", "Print a script that completes commands in a shell.",
      examples: [.init("Load it", "source <(skan completions bash)")],
      positionals: [Positional("SHELL", .choice(["bash", "zsh", "fish"]), "The shell's name.")]),
  ],
  commonOptions: [
    .flag("--quiet", "Print no notes and no progress.", short: "q"),
    .flag("--no-color", "Print nothing coloured."),
    .value("--config", "PATH", .path, "A configuration file.", isSetting: true),
  ],
  exitCodes: [(0, "done"), (64, "the command was used wrongly")])

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
