import Arguments
import Estimates
import Ledger
import Mappings
import MeasuredUsers
import Postbacks
import System
import Tables
import Values

/// `skan users backtest`: measures on the advertiser's own users how often intervals of estimates hold.
enum UsersBacktestCommand {
  enum Options {
    static let seeds = TypedOption<Int>.value(
      "--seeds", "N", .integer(1...1_000), "Number of random seeds.", default: 20)
    static let seed = TypedOption<Int>.value(
      "--seed", "N", .integer(0...1_000_000_000), "First random seed.", default: 1)
    static let campaigns = TypedOption<Int>.value(
      "--campaigns", "N", .integer(1...1_000), "Number of campaigns of each seed.", default: 40)
  }

  static let entry = Entry(
    command: Command(
      "users backtest", "Measure on first-party users how often the intervals of estimates hold.",
      discussion: [
        "Each random seed divides the users of a mapping version into two halves. Worths of values are learned from one "
          + "half, campaigns are drawn from the other, and the 90 % intervals of `skan report estimates` are compared with "
          + "what the campaigns' users truly paid. Nothing is stored, because users are not.",
        "Campaigns have 25 installs a day in the median, for 7 days. Better campaigns have better users, within a value "
          + "too: by how much, the campaigns of the file show; without them it is an assumption (see the methods page). "
          + "Coverage has its own 90 % interval, because it is counted over few totals.",
      ],
      examples: [
        .init(
          "Measure the intervals of 48 hours and 7 days",
          "skan users backtest -d skan.db --app 525463029 --events events.csv.gz --horizon 7")
      ],
      options: [
        .database(),
        OwnUserOptions.app.option, OwnUserOptions.events.option, OwnUserOptions.horizon.option,
        Options.seeds.option, Options.seed.option, Options.campaigns.option,
      ] + Option.events + [
        .format()
      ]), run: run)

  /// One mapping version, horizon and way of withholding, over all seeds.
  private struct Row: Sendable {
    let effectiveFrom: Instant
    let horizon: WorthHorizon
    let withholding: BackTest.Withholding
    let seeds: ClosedRange<Int>
    let score: BackTest.Score
  }

  /// With fewer users of a version and horizon nothing can be learned.
  private static let fewestUsers = 40

  private static func run(_ call: Invocation) throws -> ExitCode {
    let (app, history) = try call.mappingHistory()
    let population = try call.population(
      call[OwnUserOptions.events], currency: history.versions[0].currency)
    let end = try OwnUsers.historyEnd(of: population)
    let first = call[Options.seed]
    let seeds = first...(first + call[Options.seeds] - 1)
    let campaigns = call[Options.campaigns]
    var rows: [Row] = []
    for version in history.versions.indices {
      let own = OwnUsers(history, version: version, horizons: call.horizons, historyEnd: end)
      var users = own.horizons.map { _ in [UserPool.User]() }
      try own.forEach(of: population) { user in
        for (place, micros) in user.micros.enumerated() {
          guard let micros else { continue }
          users[place].append(
            UserPool.User(code: user.value, amount: Double(micros) / 1e6, group: user.campaign))
        }
      }
      for (horizon, users) in zip(own.horizons, users) where !users.isEmpty {
        guard users.count >= fewestUsers else {
          call.console.note(
            "\(horizon.text) of the mapping from \(own.mapping.effectiveFrom.day) is left out: "
              + "\(counted(users.count, "user")); at least \(fewestUsers) are needed")
          continue
        }
        let test = BackTest(
          own.mapping, users, isOfFirstWindow: horizon == .firstWindow, campaigns: campaigns)
        for withholding in BackTest.Withholding.allCases {
          var score = BackTest.Score()
          for seed in seeds {
            if let one = try test.run(withholding, seed: UInt64(seed)) { score += one }
            if call.interruption.isRequested { throw CommandError.interruptedBeforeWriting }
          }
          rows.append(
            Row(
              effectiveFrom: own.mapping.effectiveFrom, horizon: horizon, withholding: withholding,
              seeds: seeds, score: score))
        }
      }
    }
    for note in try UserMeasure.currencyNotes(population, history) { call.console.note(note.english) }
    call.print(
      columns, rows,
      noteIfEmpty: "no version of the mapping of app \(app.number) has users with a long enough history")
    return .done
  }

  private static let columns: [Column<Row>] = [
    Column("effective-from", "mapping from", "When the mapping version takes effect.", \.effectiveFrom),
    Column("horizon", "horizon", "Time since install whose revenue counts: window 1, or days (d).") {
      $0.horizon.text
    },
    Column("withheld", "withheld", "Values that are withheld.") { $0.withholding.rawValue },
    Column("seeds", "random seeds", "First and last random seed.") {
      Identifier("\($0.seeds.lowerBound)-\($0.seeds.upperBound)")
    },
    Column("own-users", "own users", "Users of the half that worths are learned from, on average.") {
      $0.score.ownUsers / $0.seeds.count
    },
    Column("campaigns", "campaigns", "Simulated campaigns with an interval.") { $0.score.campaigns },
    Column("campaigns-held", "held", "Share of them whose 90 % interval holds the truth; 90 % is right.") {
      Share(Int64($0.score.campaigns - $0.score.below - $0.score.above), of: Int64($0.score.campaigns))
    },
    Column("campaigns-below", "below", "Share of them whose truth is below the interval.") {
      Share(Int64($0.score.below), of: Int64($0.score.campaigns))
    },
    Column("campaigns-above", "above", "Share of them whose truth is above the interval.") {
      Share(Int64($0.score.above), of: Int64($0.score.campaigns))
    },
    Column("totals", "totals", "Totals of all campaigns, one for each random seed.") { $0.score.totals },
    Column("totals-held", "totals held", "Share of them whose 90 % interval holds the truth.") {
      Share(Int64($0.score.totalsHeld), of: Int64($0.score.totals))
    },
    Column("totals-held", "90 % interval", "The 90 % interval of that share, as it is of few totals.") {
      row in
      let interval = Interval(
        shareOf: Double(row.score.totalsHeld), in: Double(row.score.totals))
      return Bounds(Share(interval.low), Share(interval.high))
    },
    Column("bias", "bias", "Mean error of the totals by their mean truth.") {
      $0.score.bias.map { Share($0) }
    },
  ]
}
