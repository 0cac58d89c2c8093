import Arguments
import Campaigns
import Imports
import Intake
import Ledger
import System
import Tables
import Values

/// The commands that store rows of a file as they are: `skan spend import`, `names import`, `rates import`, `totals import`,
/// `installs import` and `proceeds import`.
enum ReferenceImportCommand {
  static let spend = entry(
    SpendImport.self, "Import ad spend.",
    notes: [
      "A campaign is given by its digits in postbacks, or by a name from `skan names import`. Rows of "
        + "one day, network, campaign, app and currency are added up, and skan prints how many. They replace stored spend of "
        + "the same keys, so import a corrected file as a whole. Reports then show the cost per install and the return on "
        + "spend.",
      "Spend counts in one environment: reports of the test environment use only spend imported with "
        + "--environment test, so that you can try spend with test keys.",
    ], example: "skan spend import -d skan.db november.csv",
    examples: [
      .init(
        "Import a file of a spreadsheet",
        "skan spend import -d skan.db --columns date=Day,amount=Cost --set currency=EUR --time-format day-first costs.csv"
      ),
      .init(
        "Import what a Singer tap reads",
        "tap-facebook --config meta.json --catalog catalog.json | skan spend import -d skan.db --from singer:facebook --set currency=USD"
      ),
    ])

  static let names = entry(
    NameImport.self, "Import names of campaigns, networks and apps.",
    notes: [
      "A campaign is a campaign id, or the last two to four digits of a source identifier; a row without one "
        + "names the network, and one with an app alone names the app. Days are UTC; to is exclusive. A later name of "
        + "the same campaign, network or app ends the earlier one. number is the network's own number of the campaign, by "
        + "which files of spend and totals can name it too.",
      "A report shows a name only if the digits identify one campaign: 39 can be "
        + "5239 or 1039. skan warns about a name for 77 beside one for 4477: reports then show '4477' with "
        + "its name, and 77 as ambiguous with both names, because below the privacy threshold a postback "
        + "of 4477 arrives as 77.",
    ], example: "skan names import -d skan.db campaigns.csv")

  static let rates = entry(
    RateImport.self, "Import exchange rates.",
    notes: [
      "One unit of currency equals rate units of quote, from that day until the next rate. Reports "
        + "convert with --currency; if a day has no rate, amounts stay in their own currency."
    ], example: "skan rates import -d skan.db rates.csv")

  static let totals = entry(
    TotalImport.self, "Import ad networks' own totals.",
    notes: [
      "A campaign is given by its digits in postbacks, or by a name from `skan names import`; a row "
        + "without a campaign is the total of the network. An empty cell is unknown, not zero. Rows of one "
        + "day, network and campaign, such as one for each value or country, are added up, and skan prints how many. They "
        + "replace stored totals of the same keys. `skan report totals` compares the totals with the database."
    ], example: "skan totals import -d skan.db november.csv")

  static let installs = entry(
    InstallImport.self, "Import installs that you counted yourself.",
    notes: [
      "Count the first installs of an app on a UTC day, wherever they came from, such as first launches in your own "
        + "analytics. A day without a row is unknown, not zero. Rows of one day and app are added up, and skan prints how "
        + "many. They replace stored ones of the same day and app. "
        + "`skan report organic` subtracts the installs that postbacks attribute."
    ], example: "skan installs import -d skan.db november.csv")

  static let proceeds = entry(
    ProceedsImport.self, "Import what apps earned by your own books.",
    notes: [
      "Proceeds are what is left of the payments of all users of an app on a UTC day: a store's commission, refunds and tax are "
        + "taken off. Where these are stated too, reports name them; an empty cell is unknown, not zero. A day without a "
        + "row is unknown, not zero. Rows of one day, app and currency are added up, and skan prints how many. They replace "
        + "stored ones of the same keys. `skan report proceeds` divides the proceeds into campaigns and organic users."
    ], example: "skan proceeds import -d skan.db november.csv")

  private static let largestFile = 256 << 20

  private static func entry<Kind: ReferenceImport>(
    _ kind: Kind.Type, _ summary: String, notes: [String], example: String,
    examples: [Command.Example] = []
  ) -> Entry {
    let command = Command(
      "\(Kind.Listed.word) import", summary,
      discussion: [
        "The file is CSV with a header, or JSON objects, one per line or in an array, gzip-compressed or "
          + "not. The columns are \(Kind.columns); others are ignored. If a row is wrong, no row is imported. "
          + "Cells are separated by commas, semicolons or tabs; with the last two, an amount can have a decimal comma.",
        "--columns names columns that the file calls otherwise, and --set gives values that it does not have. --from takes "
          + "both from a profile, which can also read the messages of Singer and Airbyte. A column that a profile or --columns "
          + "names, and that is missing or empty in all rows, is an error.",
      ] + notes + [
        "skan prints how many rows are new, changed and unchanged, and rows without postbacks with the nearest "
          + "network, campaign or name. --format json prints all of those."
      ],
      examples: [.init("Import a file", example)] + examples,
      positionals: [
        Positional("FILE", .path, "File to import; -: standard input.", isRequired: false)
      ],
      options: [.database(), .journal] + Kind.Choice.options + ImportOptions.all + [.format()])
    return Entry(command: command) { call in try run(kind, call) }
  }

  private static func run<Kind: ReferenceImport>(_ kind: Kind.Type, _ call: Invocation) throws -> ExitCode {
    let choice: Kind.Choice
    do throws(ParameterError) { choice = try Kind.Choice(call.settings) } catch {
      throw call.mistake(error)
    }
    let layout = try call.layout(for: kind)
    // The messages of another program come through a pipe.
    guard let path = call.settings.positionals.first ?? (layout.form.records == .file ? nil : "-") else {
      throw call.mistake("Missing argument 'FILE'.", hint: "Use '-' for standard input.")
    }
    if call[ImportOptions.state] != nil, layout.form.records == .file {
      throw call.mistake("'--state' needs a stream: '--from singer:NAME' or '--from airbyte:NAME'.")
    }
    let database = try call.database
    let changes = try call.changes(of: database)
    let file = try rows(kind, of: path, choice, layout, call)
    let outcome = try naming("cannot store in '\(database)'") {
      try Kind.store(file.rows, choice, in: changes, now: call.world.clock())
    }
    note(outcome.warnings.map { "warning: \($0)" }, call)
    if call.format == .table {
      note(outcome.unmatched.map { "warning: \($0.sentence)" }, call)
    } else {
      call.print(Unmatched.columns, outcome.unmatched)
    }
    note(outcome.notes.map(\.english), call)
    if file.passedOver > 0 {
      let values = layout.form.only.sorted { $0.key < $1.key }.map { "\($0) \($1.joined(separator: " or "))" }
      call.console.note(
        "\(counted(file.passedOver, "record")) passed over: the profile takes \(values.joined(separator: ", ")) only"
      )
    }
    if let path = call[ImportOptions.state], let state = file.state {
      // Behind the commit, so that a source never goes on from what is not stored.
      try AtomicFile.write(state + [0x0A], to: path)
    }
    call.console.note(outcome.summary.english)
    return .done
  }

  private static func rows<Kind: ReferenceImport>(
    _: Kind.Type, of path: String, _ choice: Kind.Choice, _ layout: ImportLayout<Kind.Listed.Row>,
    _ call: Invocation
  ) throws -> ReferenceRows<Kind.Listed.Row> {
    let input = try InputFile(path, on: call.console)
    var obstacle: (any Error)?
    let found = Result { () throws(ReferenceFileError) in
      try Kind.rows(
        { () throws(ReferenceFileError) in
          do { return try input.next() } catch {
            obstacle = error
            return nil
          }
        }, choice, layout)
    }
    if let obstacle { throw obstacle }
    do throws(ReferenceFileError) { return try found.get() } catch {
      let name = path == "-" ? "standard input" : path
      throw CommandError(
        .data, "\(name):\(error.line): \(error.sentence) [\(error.code)]", remedy: error.cure)
    }
  }

  /// A file of an advertiser, unpacked and read whole.
  static func bytes(of path: String, _ call: Invocation) throws -> [UInt8] {
    let input = try InputFile(path, on: call.console)
    var bytes: [UInt8] = []
    while let chunk = try input.next() {
      bytes += chunk
      guard bytes.count <= largestFile else {
        throw CommandError(.data, "'\(path)' is larger than \(largestFile) bytes")
      }
    }
    return bytes
  }

  /// Prints the first sentences, and how many more there are.
  private static func note(_ sentences: [String], _ call: Invocation) {
    for sentence in sentences.prefix(Unmatched.mostForPeople) { call.console.note(sentence) }
    let more = sentences.count - Unmatched.mostForPeople
    if more > 0 { call.console.note("and \(grouped(more)) more") }
  }
}
