package import Arguments
package import Campaigns
import Estimates
package import Postbacks
package import Tables
package import Values

/// The return of each network by install week, in the forms that mix models take as priors.
package struct PriorReport: Report {
  package var period = Period<Day>()
  package var scope = Scope()
  package var nullIsZero: [AdNetworkID] = []
  package var days: Int?
  package var currency: CurrencyCode?
  package var seed = 1

  package init() {}

  /// A network in a week, or in all weeks that are over.
  package struct Row: Sendable {
    let estimate: EstimateReport.Row
    /// The install dates that it is about, within the period.
    let days: Range<Day>
    /// Whether all of it, and everything that was paid for it, can be compared, and all of it has arrived.
    let isUsable: Bool

    /// - Parameter currency: The only currency that is usable; `nil` for any.
    fileprivate init?(
      _ estimate: EstimateReport.Row, _ days: Range<Day>, today: Day, currency: CurrencyCode?
    ) {
      // Dates of installs are spread out, so that a trace of some comes before the first.
      guard days.lowerBound < days.upperBound, estimate.sum.installs >= 0.5 else { return nil }
      (self.estimate, self.days) = (estimate, days)
      guard let compared = estimate.compared, compared.spend > .zero else {
        isUsable = false
        return
      }
      isUsable =
        !compared.isIncomplete && days.upperBound <= today && estimate.leftOut == 0 && !estimate.isOneSided
        && (currency == nil || estimate.currency == currency)
    }

    /// The network as people call it.
    var channel: String { estimate.networkName ?? estimate.group.network ?? "" }

    /// The return's 90 % interval; `nil` where no spend can be compared.
    var interval: Interval? { estimate.compared?.interval }
    var law: LogNormalLaw? { interval.flatMap { LogNormalLaw($0) } }
  }

  package static let name = "priors"
  package static let summary = "Print the return of networks by install week as priors for mix models."
  package static let discussion = [
    "A row is a network and a week of installs, from Monday on, with the estimated revenue up to the horizon, the spend, "
      + "the return, and their 90 % intervals, as `skan report estimates --by network,week` has them.",
    "The table `meridian` has a log-normal prior of the return of each network over its weeks that can be used, for "
      + "`roi_m` of Google Meridian: 90 % of it lies within the interval. Give `mu` and `sigma` to `LogNormal`, or "
      + "`roi-mean` and `roi-sd` to `lognormal_dist_from_mean_std`, in the order of the model's channels, and the weeks as "
      + "`roi_calibration_period`.",
    "The table `robyn` has the columns of `calibration_input` of Meta's Robyn, a row for each network and week. Robyn takes "
      + "no interval: `confidence` is the level of the estimate's interval, 0.9. It needs the same spend within 10 % in its "
      + "own data, and its own names of channels.",
    "Both tables have only weeks that are over, of which at least 95 % of the postbacks are expected to have arrived, with "
      + "spend in the currency of the revenue that no other row shares, of all campaigns and install dates with installs: "
      + "import 0 for a day that cost nothing. Use `--app` where the model is of one app, and `--currency` for one currency.",
    "A postback shows which ad was last, and not what would have happened without it. So this return is what Apple "
      + "attributes up to the horizon. It is no experiment: widen the prior where you know how far attribution and "
      + "increments are apart.",
  ]
  package static let examples: [Command.Example] = [
    .init("Print the return by network and week", "skan report priors -d skan.db"),
    .init(
      "Write priors for Google Meridian",
      "skan report priors -d skan.db --app 1234567890 --table meridian --format csv"),
    .init(
      "Write calibrations for Robyn",
      "skan report priors -d skan.db --currency USD --table robyn --format csv"
    ),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope) + [
      .init("null-is-zero", \.nullIsZero, "Ad networks that report a withheld value as 0."),
      .init(
        "horizon", \.days,
        "Days since install whose revenue is estimated; needs own users (`skan users import --horizon`).",
        in: 1...3_650, as: .init(placeholder: "DAYS", defaultNote: "the hours that fine values count")),
      .init(
        "currency", \.currency,
        "Currency to convert amounts to, by the rates of `skan rates import` on the install date."
      ),
      .init("seed", \.seed, "Random seed.", in: 0...(.max)),
    ]

  package static let columns: [Column<Row>] = [
    Column("network", "network", "Ad network.") { $0.estimate.group.network.map { Identifier($0) } },
    Column("channel", "channel", "Imported name of the network, or its built-in one, or its id.", \.channel),
    Column("week", "week", "Monday of the estimated week of the install.") { $0.days.lowerBound.monday },
    Column("currency", "currency", "Currency of the amounts.") { $0.estimate.currency?.text },
    Column(
      "horizon", "horizon", "How long after the install revenue counts: hours (h), days (d), or window 1."
    ) {
      $0.estimate.horizon.columnText
    },
    Column("estimated-revenue", "revenue", "Estimated revenue up to the horizon.") {
      Amount(rounding: $0.estimate.sum.estimate)
    },
    Column("estimated-revenue", "90 % interval", "The 90 % credible interval of it.") { row in
      row.estimate.sum.interval.map { Bounds(Amount(rounding: $0.low), Amount(rounding: $0.high)) }
    },
    Column("spend", "spend", "What was paid, in the currency of the revenue.") { $0.estimate.spend },
    Column(
      "return", "return", "Estimated revenue by spend, of the campaigns and install dates that have both."
    ) {
      row in row.estimate.compared?.value.flatMap { Ratio($0) }
    },
    Column("return", "90 % interval", "The 90 % credible interval of the return.") { row in
      row.interval.map { Bounds(Ratio($0.low), Ratio($0.high)) }
    },
    Column(
      "usable", "usable",
      "Whether the tables for models have it: the week is over, and all of it can be compared.",
      \.isUsable),
  ]

  private static let meridian = Detail<Row>(
    "meridian",
    [
      Column("channel", "channel", "Network.", \.channel),
      Column("currency", "currency", "Currency of the amounts.") { $0.estimate.currency?.text },
      Column("from", "from", "First install date.") { $0.days.lowerBound },
      Column("to", "to", "Install date behind the last one.") { $0.days.upperBound },
      Column("spend", "spend", "What was paid.") { $0.estimate.compared?.spend },
      Column("roi", "roi, 90 %", "The 90 % credible interval of the return.") { row in
        row.interval.map { Bounds(Ratio($0.low), Ratio($0.high)) }
      },
      Column("roi-mean", "roi mean", "Mean of the log-normal prior.") { $0.law.map { Ratio($0.mean) } },
      Column("roi-sd", "roi sd", "Standard deviation of the log-normal prior.") {
        $0.law.map { Ratio($0.standardDeviation) }
      },
      Column("mu", "mu", "Mean of the logarithm.") { $0.law.map { Ratio($0.mu) } },
      Column("sigma", "sigma", "Standard deviation of the logarithm.") { $0.law.map { Ratio($0.sigma) } },
    ])

  /// The names are Robyn's.
  private static let robyn = Detail<Row>(
    "robyn",
    [
      Column("channel", "channel", "Network.", \.channel),
      Column("liftStartDate", "liftStartDate", "First install date.") { $0.days.lowerBound },
      Column("liftEndDate", "liftEndDate", "Last install date.") {
        Day(number: $0.days.upperBound.number - 1)
      },
      Column("liftAbs", "liftAbs", "Estimated revenue up to the horizon.") {
        Amount(rounding: $0.estimate.compared?.sum.estimate)
      },
      Column("spend", "spend", "What was paid.") { $0.estimate.compared?.spend },
      Column("confidence", "confidence", "Level of the interval.") { _ in Ratio(0.9) },
      Column("metric", "metric", "What is estimated.") { _ in "revenue" },
      Column(
        "calibration_scope", "calibration_scope", "Revenue up to the horizon, without carry-over."
      ) {
        _ in "immediate"
      },
    ])
  package static let details = [meridian.header, robyn.header]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let today = source.now.day
    let weekly = try estimated([.network, .week], in: period, source)
    let found = weekly.compactMap { row in
      row.day.flatMap { Row(row, days(ofWeekFrom: $0), today: today, currency: currency) }
    }.ordered {
      ($0.channel, $0.days.lowerBound, $0.estimate.currency?.text ?? "")
        < ($1.channel, $1.days.lowerBound, $1.estimate.currency?.text ?? "")
    }
    let usable = found.filter(\.isUsable)
    var rows = Rows.held(found)
    rows.notes = scope.environment.notes
    rows.noteIfEmpty = Sentence("no estimates; see `skan report estimates`")
    let wholes = try wholes(of: usable, source)
    rows.details = [
      Self.meridian.table(wholes.rows),
      Self.robyn.table(usable.filter { $0.estimate.compared?.sum.estimate != nil }),
    ]
    if usable.count < found.count {
      rows.notes.append(
        Sentence(
          "\(found.count - usable.count) of \(found.count) weeks are not in the tables for models: not over, not all "
            + "arrived, or without spend of all their campaigns and days that is theirs alone in one currency; see --app and --currency"
        )
      )
    }
    let currencies = Set(usable.compactMap(\.estimate.currency)).sorted()
    if currencies.count > 1 {
      rows.notes.append(
        Sentence(
          "the table robyn states no currency and has amounts in \(code: currencies.map(\.text).joined(separator: ", ")); choose one "
            + "with --currency"))
    }
    if !wholes.broken.isEmpty {
      rows.notes.append(
        Sentence(
          "\(name: wholes.broken.joined(separator: ", ")): weeks that cannot be used lie between others, so there is no prior over "
            + "all; choose weeks with --from and --to"))
    }
    if !usable.isEmpty {
      rows.notes.append(Sentence("the return is what Apple attributes, which is not what the ads caused"))
    }
    return rows
  }

  /// Each network over the weeks from its first to its last one that can be used, where all between them can.
  private func wholes(of usable: [Row], _ source: ReportSource) throws -> (rows: [Row], broken: [String]) {
    struct Channel: Hashable {
      let network: String?
      let currency: CurrencyCode?
    }
    var broken: [String] = []
    var periods: [Range<Day>: Set<Channel>] = [:]
    let channels = Dictionary(grouping: usable) {
      Channel(network: $0.estimate.group.network, currency: $0.estimate.currency)
    }
    for (channel, weeks) in channels {
      let days = weeks.map(\.days).ordered { $0.lowerBound < $1.lowerBound }
      guard let first = days.first?.lowerBound, let end = days.last?.upperBound else { continue }
      if zip(days, days.dropFirst()).allSatisfy({ $0.upperBound >= $1.lowerBound }) {
        periods[first..<end, default: []].insert(channel)
      } else {
        broken.append(weeks[0].channel)
      }
    }
    var rows: [Row] = []
    for (days, channels) in periods {
      var whole = Period<Day>()
      (whole.from, whole.to) = (days.lowerBound, days.upperBound)
      rows += try estimated([.network], in: whole, source).filter {
        channels.contains(Channel(network: $0.group.network, currency: $0.currency))
      }.compactMap { Row($0, days, today: source.now.day, currency: currency) }
    }
    let sorted = rows.filter { $0.isUsable && $0.law != nil }.ordered {
      ($0.channel, $0.estimate.currency?.text ?? "") < ($1.channel, $1.estimate.currency?.text ?? "")
    }
    return (sorted, Set(broken).sorted())
  }

  private func estimated(
    _ by: [EstimateDimension], in period: Period<Day>, _ source: ReportSource
  ) throws -> [EstimateReport.Row] {
    var report = EstimateReport()
    (report.period, report.scope, report.by, report.nullIsZero) = (period, scope, by, nullIsZero)
    (report.days, report.currency, report.seed) = (days, currency, seed)
    return try report.estimated(from: source.upToDate, now: source.now.startOfHour).rows
  }

  /// The days of a week that the period has.
  private func days(ofWeekFrom first: Day) -> Range<Day> {
    let monday = first.monday
    let (from, to) = (max(monday, period.from ?? monday), Day(number: monday.number + 7))
    return from..<max(from, min(to, period.to ?? to))
  }
}
