package import Arguments
import Estimates
import Postbacks
package import Tables
import Values

extension EstimateReport: Report {
  package static let name = "estimates"
  package static let summary = "Estimate what campaigns are worth with the values that Apple withheld."
  package static let discussion = [
    "A null is not a zero, and a campaign with many nulls is not its shown part scaled up. The mix of values is estimated "
      + "for each campaign from what it shows and from what all campaigns of the app show (a tree of beta-binomials). "
      + "The 90 % interval is checked on simulated campaigns with the same sizes and shares of nulls, and widened if it "
      + "missed too often.",
    "A row is a campaign, or a campaign and install date (UTC). The install date is estimated from the hours of arrival. "
      + "Estimates use everything that is stored, whatever days are asked for, so parts add up to the whole. --from and "
      + "--to are install dates. The table `totals` adds the rows up by currency; `basis` has the settings and the "
      + "postbacks without a mapping.",
    "If withholding depends on the users' quality, no postback shows it. The sensitivity columns have the estimate if "
      + "withheld values are worth 30 % less or more; the worst case, for programs, holds whatever they are worth.",
  ]
  package static let examples: [Command.Example] = [
    .init("Estimate by campaign", "skan report estimates -d skan.db"),
    .init(
      "Estimate by install date",
      "skan report estimates -d skan.db --by day --from 2026-11-01 --to 2026-12-01"),
    .init("Estimate how many subscribed", "skan report estimates -d skan.db --event subs_success"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope) + [
      .init("by", \.breakdown, "Breakdown of the rows; `day` is campaign and install date."),
      .init(
        "digits", \.digits,
        "Last digits of a source identifier that distinguish campaigns; nulls always have two.", in: 2...4),
      .init("null-is-zero", \.nullIsZero, "Ad networks that report a withheld value as 0."),
      .init("event", \.event, "Event whose users are estimated instead of revenue."),
      .init(
        "estimator", \.estimator,
        "Estimator of withheld values; threshold is a rough look at networks that withhold each value of fewer than "
          + "five users."),
      .init("seed", \.seed, "Random seed.", in: 0...(.max)),
    ]

  package static let columns = dimensions + [currency] + counts + worth(of: nil)

  package var shownColumns: [Column<Row>] {
    (Self.dimensions + [Self.currency] + Self.counts + Self.worth(of: event)).filter {
      breakdown == .day || $0.header.presence != .onRequest
    }
  }

  package static let details = [totals(of: nil).header, basis.header]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    // The same question has the same answer for an hour.
    let (found, totals, basis) = try estimated(from: source.reader, now: source.now.startOfHour)
    var rows = Rows.held(found)
    rows.details = [Self.totals(of: event).table(totals), Self.basis.table([basis])]
    rows.notes = scope.environment.notes + (found.isEmpty ? [] : basis.notes(on: found))
    rows.noteIfEmpty =
      "no winning postbacks of the first window under a mapping; load mappings with `skan mapping load`"
    return rows
  }

  // MARK: Columns

  private static let dimensions: [Column<Row>] = [
    Column("app", "app", "App Store number of the advertised app.") {
      $0.campaign.map { Identifier("\($0.app.number)") }
    },
    Column("network", "network", "Ad network.") { $0.campaign.map { Identifier($0.network) } },
    Column("campaign", "campaign", "Campaign's digits.") { $0.campaign.map { Identifier($0.campaign) } },
    Column(
      "campaign-kind", "kind", "Numbering of the campaign: campaign-id or source-identifier.",
      shown: .forPrograms
    ) { $0.campaign?.kind },
    Column("install-date", "install date", "Estimated UTC day of the install.", shown: .onRequest, \.day),
    Column(
      "completeness", "arrived",
      "Share of the date's first postbacks that is expected to have arrived by now.",
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
    Column("nulls", "nulls", "Those of them without any value.") { ExpectedCount($0.sum.nulls) },
    Column("null-share", "null %", "Nulls among those of them without a value or with a mapped fine one.") {
      $0.sum.nullShare.map { Share($0) }
    },
    Column("coarse", "coarse", "Those of them with a coarse value.", shown: .whereUseful) {
      ExpectedCount($0.sum.coarse)
    },
    Column(
      "unmapped", "unmapped", "Those of them with a value that the mapping does not have.",
      shown: .whereUseful
    ) { ExpectedCount($0.sum.unmapped) },
  ]

  private static func worth(of event: String?) -> [Column<Row>] {
    if let event { return worth("users of \(printable(event))") { ExpectedCount($0) } }
    return worth("revenue") { Amount(rounding: $0) }
  }

  private static func worth<Value: CellValue>(
    _ what: String, _ value: @escaping @Sendable (Double) -> Value?
  ) -> [Column<Row>] {
    @Sendable func range(_ interval: Estimates.Interval) -> Bounds<Value> {
      Bounds(value(interval.low), value(interval.high))
    }
    return [
      Column("decoded", "decoded \(what)", "Revenue, or users of the event, of the values shown.") {
        value($0.sum.decoded)
      },
      Column(
        "estimate", "estimated \(what)",
        "The same with the withheld values; none if all of the campaign's values are withheld.",
        none: "all withheld"
      ) { $0.sum.estimate.flatMap(value) },
      Column("estimate", "90 % interval", "The 90 % credible interval of the estimate.") {
        $0.sum.interval.map(range)
      },
      Column(
        "estimated-share", "estimated %",
        "Share of the estimate that withheld values make up; none if the estimate is below what is decoded.",
        shown: .whereUseful
      ) { $0.sum.imputedShare.flatMap { $0 < 0 ? nil : Share($0) } },
      Column(
        "sensitivity", "nulls ±30 %",
        "The estimate if withheld values are worth 30 % less or more than estimated.", shown: .whereUseful
      ) { $0.sum.sensitivity.map(range) },
      Column(
        "worst-case", "worst case", "The least and the most it can be, whatever the withheld values are.",
        shown: .forPrograms
      ) { range($0.sum.worstCase) },
      Column("flags", "flags", "What to know before using the numbers.", shown: .whereUseful) {
        $0.sum.flags.map(\.rawValue).sorted()
      },
    ]
  }

  private static func totals(of event: String?) -> Detail<Row> {
    Detail("totals", [currency] + counts + worth(of: event))
  }

  private static let basis = Detail<Basis>(
    "basis",
    [
      Column("event", "event", "Event whose users are estimated; none for revenue.", none: "revenue") {
        $0.report.event
      },
      Column("estimator", "estimator", "Estimator of withheld values.") { $0.report.estimator.name },
      Column("seed", "random seed", "Random seed.") { Identifier("\($0.report.seed)") },
      Column("own-users", "own users", "Whether amounts are those of imported users.", \.hasOwnUsers),
      Column(
        "without-mapping", "without mapping", "First postbacks that arrived while no mapping was in force."
      ) {
        ExpectedCount($0.withoutMapping)
      },
    ])
}

extension EstimateReport.Basis {
  /// What a reader needs to understand the rows.
  fileprivate func notes(on rows: [EstimateReport.Row]) -> [String] {
    var notes: [String] = []
    if report.event == nil, !hasOwnUsers {
      notes.append(
        "amounts are the mapping's own; import your users with `skan users import` to use what they really paid"
      )
    }
    if rows.contains(where: { $0.sum.flags.contains(.nothingRevealed) }) {
      notes.append(
        "a campaign whose values are all withheld has no estimate of its own: its interval is what holds for the app, and "
          + "the total counts it at the app's mean")
    }
    notes.append(
      "intervals hold if withholding depends on the size of a crowd alone; if it depends on the users' quality, postbacks "
        + "do not show it, and the range of ±30 % shows the effect")
    return notes
  }
}

extension Estimator: ParameterValue {
  package static var kind: ValueKind { .choice(all.map(\.name)) }
  package static var placeholder: String { "NAME" }
  package init?(parameter text: String) {
    guard let found = Self.all.first(where: { $0.name == text }) else { return nil }
    self = found
  }
  package var parameterText: String { name }
}
