import Campaigns
import Estimates
import Ledger
import Postbacks
package import Tables
package import Values

extension EstimateReport {
  package static let columns: [Column<Row>] =
    (dimensions + traits).map(\.column) + names + labels.map(\.column) + [currency] + counts
    + (revenue.all + users.all) + shared + paid + quality

  package var shownColumns: [Column<Row>] {
    asked(Self.dimensions + Self.traits) + Self.names + asked(Self.labels) + [Self.currency] + Self.counts
      + worthColumns + (by.contains(where: \.isPartlyShown) ? sharedColumns : []) + Self.quality
  }

  /// A column of what rows are about, and the dimensions that it needs one of; `nil` for none.
  typealias Asked = (column: Column<Row>, by: [EstimateDimension]?)

  private func asked(_ columns: [Asked]) -> [Column<Row>] {
    columns.filter { $0.by?.contains(where: by.contains) ?? true }.map(\.column)
  }

  var worthColumns: [Column<Row>] { event == nil ? Self.revenue.all + Self.paid : Self.users.all }

  package static let details = [
    totals(revenue.all + users.all + paid).header, notDivided.header, unmatchedSpend.header, leftOut.header,
    basis.header,
  ]

  private static let names = [networkName, campaignName, nameCandidates]
  package static let networkName = Column<Row>(
    "network-name", "network name", "Imported name of the network, or its built-in one.",
    shown: .whereUseful, \.networkName)
  package static let campaignName = Column<Row>(
    "name", "name", "Name of the campaign, where its digits leave no doubt.", shown: .whereUseful,
    \.calledName)
  package static let nameCandidates = CampaignNames.Match.candidatesColumn.of(\Row.name)

  private static let dates: [EstimateDimension] = [.day, .week, .month]
  private static let dimensions: [Asked] = [
    (app, [.app, .campaign]), (network, [.network, .campaign]), (campaign, [.campaign]), (campaignKind, nil),
    (installDate, [.day]), (installWeek, [.week]), (installMonth, [.month]), (completeness, dates),
  ]
  package static let app = Column<Row>(
    "app", "app", "App Store number of the advertised app.", shown: .onRequest
  ) { $0.app.map { Identifier("\($0.number)") } }
  package static let network = Column<Row>("network", "network", "Ad network.", shown: .onRequest) {
    $0.network.map { Identifier($0) }
  }
  package static let campaign = Column<Row>("campaign", "campaign", "Campaign's digits.", shown: .onRequest) {
    $0.digits.map { Identifier($0) }
  }
  private static let campaignKind = Column<Row>(
    "campaign-kind", "kind", "Numbering of the campaign: campaign-id or source-identifier.",
    shown: .forPrograms
  ) { $0.campaign?.kind }
  package static let installDate = Column<Row>(
    "install-date", "install date", "Estimated day of the install, UTC unless a time zone is chosen.",
    shown: .onRequest, \.day)
  package static let installWeek = Column<Row>(
    "install-week", "install week", "Monday of the estimated week of the install.", shown: .onRequest
  ) { $0.day?.monday }
  package static let installMonth = Column<Row>(
    "install-month", "install month", "Estimated month of the install.", shown: .onRequest
  ) { $0.day?.monthText }
  package static let completeness = Column<Row>(
    "completeness", "arrived",
    "Share of the date's first postbacks that is expected to have arrived by now; of several dates the smallest.",
    shown: .onRequest
  ) { $0.arrived }

  package static let currency = Column<Row>(
    "currency", "currency", "Currency of the amounts; none for users of an event.", shown: .whereUseful
  ) { $0.currency?.text }

  private static let counts = [installs, conversions, nulls, nullShare, coarse, unmapped, leftOutPostbacks]
  package static let installs = Column<Row>(
    "installs", "installs", "Winning postbacks of the first window that are first installs."
  ) { ExpectedCount($0.installs) }
  package static let conversions = Column<Row>(
    "conversions", "conversions",
    "Winning postbacks of the first window: installs, redownloads and re-engagements."
  ) { ExpectedCount($0.conversions) }
  private static let nulls = Column<Row>("nulls", "withheld", "Conversions without any value.") {
    ExpectedCount($0.sum.nulls)
  }
  package static let nullShare = Column<Row>(
    "null-share", "withheld %",
    "Withheld values among conversions without a value or with a mapped fine one.", \.nullShare)
  private static let coarse = Column<Row>(
    "coarse", "coarse", "Conversions with a coarse value.", shown: .whereUseful
  ) { ExpectedCount($0.sum.coarse) }
  private static let unmapped = Column<Row>(
    "unmapped", "unmapped", "Conversions with a value that the mapping does not have.",
    shown: .whereUseful
  ) { ExpectedCount($0.sum.unmapped) }
  package static let leftOutPostbacks = Column<Row>(
    "left-out", "left out",
    "Further first postbacks that no figure of the row includes, because no own user under their mapping version has "
      + "as much history as the horizon.", shown: .whereUseful
  ) { ExpectedCount($0.leftOut) }

  static func by<Value: CellValue>(
    horizon name: String, _ title: Sentence.Words, _ help: Sentence.Words,
    shown presence: Header.Presence = .always,
    none: String = "", _ value: @escaping @Sendable (Row) -> Value?
  ) -> ColumnFamily<Row, EstimateHorizon> {
    ColumnFamily(name, title, help, shown: presence, keys: { [$0.horizon] }) { row, horizon in
      row.horizon == horizon ? row.figure(value) : nil
    }
  }

  package static let revenue = Worth("revenue", Sentence("revenue"), Sentence("Revenue")) {
    Amount(rounding: $0)
  }
  package static let users = Worth("users", Sentence("users"), Sentence("Users of the event")) {
    ExpectedCount($0)
  }

  private static let paid: [Column<Row>] = [
    by(
      horizon: "estimated-revenue-per-conversion-{}", "per conversion ({})",
      "Estimated revenue for each conversion, whose revenue it is.", shown: .forPrograms
    ) { $0.perConversion($0.sum.estimate).flatMap { Amount(rounding: $0) } }.column,
    by(
      horizon: "estimated-revenue-per-conversion-{}", "per conversion, 90 % ({})",
      "The 90 % credible interval of it.", shown: .forPrograms
    ) { row in
      row.sum.interval.map {
        Bounds(
          Amount(rounding: row.perConversion($0.low)), Amount(rounding: row.perConversion($0.high)))
      }
    }.column,
    spend, unpaidConversions, uncomparedSpend, costPerInstall, returns.column, returnsInterval.column,
    verdict,
    daysToDecide,
  ]
  package static let spend = Column<Row>(
    "spend", "spend",
    "What was paid, in the row's currency; of rows that differ by their horizon alone the first one has it.",
    shown: .whereUseful, \.spend)
  private static let unpaidConversions = Column<Row>(
    "unpaid-conversions", "without spend",
    "Those of the conversions whose campaign and install date have no row of spend; eCPI, ROAS and target reached are without "
      + "them.", shown: .whereUseful
  ) { $0.unpaidConversions.map { ExpectedCount($0) } }
  private static let uncomparedSpend = Column<Row>(
    "uncompared-spend", "not compared",
    "Part of the spend whose campaign and day have no known installs; eCPI, ROAS and target reached are without it.",
    shown: .whereUseful, \.uncomparedSpend)
  package static let costPerInstall = Column<Row>(
    "ecpi", "eCPI", "Compared spend for each of the installs that it is compared with.", shown: .whereUseful
  ) { $0.costPerInstall }
  package static let returns = by(
    horizon: "estimated-roas-{}", "estimated ROAS ({})",
    "Estimated revenue up to the horizon by spend, of the campaigns and install dates that have both; none where rows share "
      + "spend.",
    shown: .whereUseful
  ) { row -> Ratio? in row.compared?.value.flatMap { Ratio($0) } }
  private static let returnsInterval = by(
    horizon: "estimated-roas-{}", "ROAS, 90 % interval ({})", "The 90 % credible interval of it.",
    shown: .whereUseful
  ) { row -> Bounds<Ratio>? in row.compared?.interval.map { Bounds(Ratio($0.low), Ratio($0.high)) } }
  package static let verdict = Column<Row>(
    "verdict", "target reached",
    "Whether the return reaches the target: yes or no where its whole 90 % interval does; undecided where the interval "
      + "includes the target, and where it is below but postbacks of days with spend are still to come; none without a "
      + "return.",
    shown: .whereUseful
  ) { $0.verdict?.rawValue }
  package static let daysToDecide = Column<Row>(
    "days-to-decide", "more days",
    "About how many more days until yes or no, if they are like the days with spend; none where it is decided, and "
      + "where more than a year or own users' spread alone would leave it open.",
    shown: .whereUseful, \.daysToDecide)

  private static let quality = [ownUsers, unlikeCampaigns, flags]
  private static let ownUsers = Column<Row>(
    "own-users", "own users",
    "The advertiser's own users whose amounts the row rests on; 0 where they are the mapping's."
  ) { $0.sum.ownUsers }
  private static let unlikeCampaigns = Column<Row>(
    "unlike-campaigns", "unlike campaigns",
    "Why the decoded revenue is not that of the same campaign in `skan report campaigns`.",
    shown: .whereUseful
  ) { $0.differences.map(\.rawValue).sorted() }
  package static let flags = Column<Row>(
    "flags", "flags", "What to know before using the numbers.", shown: .whereUseful
  ) { $0.flags.map(\.rawValue) }

  package static let totals = totals(revenue.all + users.all + paid)

  static func totals(_ worth: [Column<Row>]) -> Detail<Row> {
    Detail("totals", [currency] + counts + worth + quality)
  }

  package static let unmatchedSpend = Detail<(key: CurrencyCode, value: Amount)>(
    "unmatched-spend",
    [
      Column("currency", "currency", "Currency of the spend.") { $0.key.text },
      Column("spend", "spend", "Spend that belongs to no row or to several; it is in the totals alone.") {
        $0.value
      },
    ])
}

extension EstimateReport {
  /// The columns of what campaigns are worth, as revenue or as users of an event.
  package struct Worth: Sendable {
    package let decoded: ColumnFamily<Row, EstimateHorizon>
    package let estimated: ColumnFamily<Row, EstimateHorizon>
    private let more: [ColumnFamily<Row, EstimateHorizon>]

    var all: [Column<Row>] { ([decoded, estimated] + more).map(\.column) }

    fileprivate init<Value: CellValue>(
      _ what: String, _ word: Sentence, _ noun: Sentence,
      _ value: @escaping @Sendable (Double) -> Value?
    ) {
      @Sendable func range(_ interval: Interval) -> Bounds<Value> {
        Bounds(value(interval.low), value(interval.high))
      }
      decoded = by(
        horizon: "decoded-\(what)-{}", "decoded \(word) ({})",
        "\(noun) up to the horizon of the values shown; withheld ones count as nothing."
      ) { value($0.sum.decoded) }
      estimated = by(
        horizon: "estimated-\(what)-{}", "estimated \(word) ({})",
        "The same with the withheld values estimated; none if all of the campaign's values are withheld."
      ) { $0.sum.estimate.flatMap(value) }
      more = [
        by(
          horizon: "estimated-\(what)-{}", "90 % interval ({})", "The 90 % credible interval of the estimate."
        ) { $0.sum.interval.map(range) },
        by(
          horizon: "estimated-share-of-\(what)-{}", "estimated % ({})",
          "Share of the estimate that withheld values make up; none if the estimate is below what is decoded.",
          shown: .whereUseful
        ) { $0.estimatedShare },
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
  }
}
