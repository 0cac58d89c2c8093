import Campaigns
import Estimates
import Ledger
import Postbacks
package import Tables
import Values

extension EstimateReport {
  package static let columns =
    dimensions + traits + names + labels + [currency] + counts + worth + userCounts + shared + paid + quality

  package var shownColumns: [Column<Row>] {
    let before: [Column<Row>] =
      Self.dimensions + Self.traits + Self.names + Self.labels + [Self.currency] + Self.counts
    return (before + worthColumns + sharedColumns + Self.quality).filter {
      $0.header.presence != .onRequest || isAsked($0.header.name)
    }
  }

  private func isAsked(_ column: String) -> Bool {
    switch column {
    case "app": by.contains(.app) || by.contains(.campaign)
    case "network", "network-name": by.contains(.network) || by.contains(.campaign)
    case "campaign": by.contains(.campaign)
    case "install-date": by.contains(.day)
    case "install-week": by.contains(.week)
    case "install-month": by.contains(.month)
    case "outcome", "publisher", "country", "ad-set", "creative", "named-country":
      by.contains { $0.rawValue == column }
    case _ where column.hasPrefix("shared-"): by.contains(where: \.isPartlyShown)
    default: by.contains { [.day, .week, .month].contains($0) }
    }
  }

  var worthColumns: [Column<Row>] { event == nil ? Self.worth + Self.paid : Self.userCounts }

  package static let details = [
    totals(worth + userCounts + paid).header, notDivided.header, unmatchedSpend.header, leftOut.header,
    basis.header,
  ]

  private static let names: [Column<Row>] =
    [
      Column(
        "network-name", "network name", "Imported name of the network, or its built-in one.",
        shown: .whereUseful, \.networkName),
      Column(
        "name", "name", "Name of the campaign, where its digits leave no doubt.", shown: .whereUseful,
        \.calledName),
    ] + CampaignNames.Match.columns.dropFirst().map { $0.of(\.name) }

  private static let dimensions: [Column<Row>] = [
    Column("app", "app", "App Store number of the advertised app.", shown: .onRequest) {
      $0.group.app.map { Identifier("\($0.number)") }
    },
    Column("network", "network", "Ad network.", shown: .onRequest) {
      $0.group.network.map { Identifier($0) }
    },
    Column("campaign", "campaign", "Campaign's digits.", shown: .onRequest) {
      $0.campaign.map { Identifier($0.campaign) }
    },
    Column(
      "campaign-kind", "kind", "Numbering of the campaign: campaign-id or source-identifier.",
      shown: .forPrograms
    ) { $0.campaign?.kind },
    Column(
      "install-date", "install date", "Estimated day of the install, UTC unless a time zone is chosen.",
      shown: .onRequest, \.day),
    Column(
      "install-week", "install week", "Monday of the estimated week of the install.", shown: .onRequest
    ) { $0.day?.monday },
    Column("install-month", "install month", "Estimated month of the install.", shown: .onRequest) {
      $0.day?.monthText
    },
    Column(
      "completeness", "arrived",
      "Share of the date's first postbacks that is expected to have arrived by now; of several dates the smallest.",
      shown: .onRequest
    ) { $0.completeness.map { Share($0) } },
  ]

  private static let currency = Column<Row>(
    "currency", "currency", "Currency of the amounts; none for users of an event.", shown: .whereUseful
  ) { $0.currency?.text }

  private static let counts: [Column<Row>] = [
    Column("installs", "installs", "Winning postbacks of the first window.") {
      ExpectedCount($0.sum.installs)
    },
    Column("nulls", "withheld", "Those of them without any value.") { ExpectedCount($0.sum.nulls) },
    Column(
      "null-share", "withheld %",
      "Withheld values among those of them without a value or with a mapped fine one."
    ) {
      $0.sum.nullShare.map { Share($0) }
    },
    Column("coarse", "coarse", "Those of them with a coarse value.", shown: .whereUseful) {
      ExpectedCount($0.sum.coarse)
    },
    Column(
      "unmapped", "unmapped", "Those of them with a value that the mapping does not have.",
      shown: .whereUseful
    ) { ExpectedCount($0.sum.unmapped) },
    Column(
      "left-out", "left out",
      "Further first postbacks that no figure of the row includes, because no own user under their mapping version has "
        + "as much history as the horizon.", shown: .whereUseful
    ) { ExpectedCount($0.leftOut) },
  ]

  static func by<Value: CellValue>(
    horizon name: String, _ title: Sentence.Words, _ help: Sentence.Words,
    shown presence: Header.Presence = .always,
    none: String = "", _ value: @escaping @Sendable (Row) -> Value?
  ) -> Column<Row> {
    .each(name, title, help, shown: presence, keys: { [$0.horizon.key] }) { row, horizon in
      // Where all postbacks are left out there is no figure, not 0.
      row.horizon.key == horizon && row.sum.installs > 0 ? value(row) : nil
    }
  }

  private static let worth = worth("revenue") { Amount(rounding: $0) }
  private static let userCounts = worth("users") { ExpectedCount($0) }

  private static func worth<Value: CellValue>(
    _ what: String, _ value: @escaping @Sendable (Double) -> Value?
  ) -> [Column<Row>] {
    @Sendable func range(_ interval: Interval) -> Bounds<Value> {
      Bounds(value(interval.low), value(interval.high))
    }
    let word = what == "users" ? Sentence("users") : Sentence("revenue")
    let noun = what == "users" ? Sentence("Users of the event") : Sentence("Revenue")
    return [
      by(
        horizon: "decoded-\(what)-{}", "decoded \(word) ({})",
        "\(noun) up to the horizon of the values shown; withheld ones count as nothing."
      ) { value($0.sum.decoded) },
      by(
        horizon: "estimated-\(what)-{}", "estimated \(word) ({})",
        "The same with the withheld values estimated; none if all of the campaign's values are withheld."
      ) { $0.sum.estimate.flatMap(value) },
      by(
        horizon: "estimated-\(what)-{}", "90 % interval ({})", "The 90 % credible interval of the estimate."
      ) { $0.sum.interval.map(range) },
      by(
        horizon: "estimated-share-of-\(what)-{}", "estimated % ({})",
        "Share of the estimate that withheld values make up; none if the estimate is below what is decoded.",
        shown: .whereUseful
      ) { $0.sum.imputedShare.flatMap { $0 < 0 ? nil : Share($0) } },
      by(
        horizon: "sensitivity-of-\(what)-{}", "withheld ±30 % ({})",
        "The estimate if withheld values are worth 30 % less or more than estimated.", shown: .whereUseful
      ) { $0.sum.sensitivity.map(range) },
      by(
        horizon: "range-ends-of-\(what)-{}", "range ends ({})",
        "The estimate if all users with a fine value are at the low or at the high end of its range; only where amounts "
          + "are the mapping's; no high end where a value has no upper limit. It is a sensitivity and not an interval.",
        shown: .whereUseful
      ) { $0.sum.rangeEnds.map(range) },
      by(
        horizon: "worst-case-of-\(what)-{}", "worst case ({})",
        "The least and the most it can be, whatever the withheld values are, if the mapping's ranges hold; no most where "
          + "a value has no upper limit.",
        shown: .forPrograms
      ) { range($0.sum.worstCase) },
    ]
  }

  private static let paid: [Column<Row>] = [
    by(
      horizon: "estimated-revenue-per-install-{}", "per install ({})",
      "Estimated revenue for each winning postback of the first window.", shown: .forPrograms
    ) { $0.perInstall($0.sum.estimate).flatMap { Amount(rounding: $0) } },
    by(
      horizon: "estimated-revenue-per-install-{}", "per install, 90 % ({})",
      "The 90 % credible interval of it.", shown: .forPrograms
    ) { row in
      row.sum.interval.map {
        Bounds(
          Amount(rounding: row.perInstall($0.low)), Amount(rounding: row.perInstall($0.high)))
      }
    },
    Column(
      "spend", "spend",
      "What was paid, in the row's currency; of rows that differ by their horizon alone the first one has it.",
      shown: .whereUseful, \.spend),
    Column(
      "unpaid-installs", "without spend",
      "Those of the installs whose campaign and install date have no row of spend; eCPI, ROAS and target reached are without "
        + "them.", shown: .whereUseful
    ) { $0.unpaidInstalls.map { ExpectedCount($0) } },
    Column(
      "uncompared-spend", "not compared",
      "Part of the spend whose campaign and day have no known installs; eCPI, ROAS and target reached are without it.",
      shown: .whereUseful, \.uncomparedSpend),
    Column(
      "ecpi", "eCPI", "Compared spend for each winning first install.", shown: .whereUseful
    ) { $0.compared?.costPerInstall.flatMap { Amount(rounding: $0) } },
    by(
      horizon: "estimated-roas-{}", "estimated ROAS ({})",
      "Estimated revenue up to the horizon by spend, of the campaigns and install dates that have both; none where rows share "
        + "spend.",
      shown: .whereUseful
    ) { $0.compared?.value.flatMap { Ratio($0) } },
    by(
      horizon: "estimated-roas-{}", "ROAS, 90 % interval ({})", "The 90 % credible interval of it.",
      shown: .whereUseful
    ) { row -> Bounds<Ratio>? in row.compared?.interval.map { Bounds(Ratio($0.low), Ratio($0.high)) } },
    Column(
      "verdict", "target reached",
      "Whether the return reaches --target: yes or no where its whole 90 % interval does; undecided where the interval "
        + "includes the target, and where it is below but postbacks of days with spend are still to come; none without a "
        + "return.",
      shown: .whereUseful
    ) { $0.verdict?.rawValue },
    Column(
      "days-to-decide", "more days",
      "About how many more days until yes or no, if they are like the days with spend; none where it is decided, and "
        + "where more than a year or own users' spread alone would leave it open.",
      shown: .whereUseful
    ) { $0.daysToDecide },
  ]

  private static let quality: [Column<Row>] = [
    Column(
      "own-users", "own users",
      "The advertiser's own users whose amounts the row rests on; 0 where they are the mapping's.",
      { $0.sum.ownUsers }),
    Column(
      "unlike-campaigns", "unlike campaigns",
      "Why the decoded revenue is not that of the same campaign in `skan report campaigns`.",
      shown: .whereUseful
    ) { $0.differences.map(\.rawValue).sorted() },
    Column("flags", "flags", "What to know before using the numbers.", shown: .whereUseful) {
      $0.flags
    },
  ]

  static func totals(_ worth: [Column<Row>]) -> Detail<Row> {
    Detail("totals", [currency] + counts + worth + quality)
  }

  static let unmatchedSpend = Detail<(key: CurrencyCode, value: Amount)>(
    "unmatched-spend",
    [
      Column("currency", "currency", "Currency of the spend.") { $0.key.text },
      Column("spend", "spend", "Spend that belongs to no row or to several; it is in the totals alone.") {
        $0.value
      },
    ])

  static let basis = Detail<Basis>(
    "basis",
    [
      Column("event", "event", "Event whose users are estimated; none for revenue.", none: "revenue") {
        $0.report.event
      },
      Column(
        "horizons", "horizon", "How long after the install counts: hours (h), days (d), or all of window 1."
      ) { $0.horizons.map(\.key) },
      Column("windows", "windows", "Windows whose postbacks are counted.") { _ in "1" },
      Column("estimator", "estimator", "Estimator of withheld values.") { $0.report.estimator.name },
      Column("seed", "random seed", "Random seed.") { Identifier("\($0.report.seed)") },
      Column(
        "own-users", "own users", "The advertiser's own users whose amounts the rows rest on.", \.ownUsers),
      Column(
        "without-mapping", "without mapping", "First postbacks that arrived while no mapping was in force."
      ) {
        ExpectedCount($0.withoutMapping)
      },
    ])
}

extension EstimateReport.Row {
  func perInstall(_ sum: Double?) -> Double? { sum.map { $0 / self.sum.installs } }
}
