package import Arguments
package import Campaigns
import Estimates
import Ledger
import Postbacks
package import Tables
import Values

extension EstimateReport: Report {
  package static let name = "estimates"
  package static let summary = "Estimate revenue and ROAS of campaigns with the values that Apple withheld."
  package static let discussion = [
    "A null is not a zero, and the shown part of a campaign with many nulls cannot be scaled up to the whole. The mix of values is estimated "
      + "for each campaign from what it shows and from what all campaigns of the app show (a tree of beta-binomials). "
      + "The 90 % interval is checked on simulated campaigns with the same sizes and shares of nulls, and widened if it "
      + "missed too often.",
    "The quantity is what users pay from the install to a horizon. Without --horizon that is the time that fine values "
      + "count: 48 hours, or fewer where the mapping has a measurement window. Column names carry the horizon, such as "
      + "`estimated-revenue-48h`. `skan users import` does not change it. --horizon 7 is the revenue of the first 7 days, "
      + "from own users with the same values (`skan users import --horizon 7`). Postbacks under a mapping version of which no "
      + "own user has 7 days of history, such as one that took effect yesterday, are left out: the column `left-out` and the "
      + "table `left-out-versions` have them, a row of nothing else has no figure, and spend is not compared with the rest "
      + "of a row that leaves out more than 1 % of its postbacks.",
    "A row is a campaign, or what --by names: apps, networks, campaigns, install dates (UTC, or by the clock of "
      + "--time-zone), their weeks from Monday on, months, outcomes, publishers, countries, imported names, or several of them. Rows are sums whose intervals hold what "
      + "their parts have in common. The install date is estimated from the hours of arrival. Estimates use everything that is "
      + "stored, whatever days are asked for, so parts add up to the whole. --from and "
      + "--to are install dates. The table `totals` adds the rows up by currency, with `not-divided`, the estimates of rows of which nothing "
      + "is shown; `basis` has the settings and the postbacks without a mapping. `unlike-campaigns` has the reasons why the decoded revenue of a row is not that of "
      + "`skan report campaigns`.",
    "Apple shows publishers and countries above its privacy thresholds alone, and never with a withheld value. A row of a "
      + "publisher or country has the postbacks that show it; all others have a row of their own, `not shown` in text. "
      + "`shared-revenue` is the row's estimate if postbacks that do not show it were divided like those of their campaign "
      + "that do. Small publishers and countries are shown less often, so that is too much for large ones and too little for "
      + "small ones; its range holds wherever these postbacks belong. Every postback shows its outcome, and each outcome of a campaign has "
      + "a mix of values of its own, so the totals differ a little from those without outcomes. Spend has no outcome, "
      + "publisher or country, and rows by them have none.",
    "With spend (`skan spend import`) rows have the estimated return on spend (ROAS) with its interval; with --by campaign,day the "
      + "spend of a day is compared with the users who installed on it. --currency converts both. `verdict` is whether the "
      + "return reaches --target: yes and no are each wrong at most as often as a 90 % interval is to one side, in 5 % of "
      + "rows; `days-to-decide` is about how long the others take.",
    "If withholding depends on the users' quality, no postback shows it. The sensitivity columns have the estimate if "
      + "withheld values are worth 30 % less or more; the worst case, for programs, holds whatever they are worth. If the "
      + "amounts are the mapping's, `range-ends` has the estimate with all users at the low or at the high ends of the "
      + "values' ranges: a sensitivity too, and not an interval. Import first-party users to know where in it they are.",
  ]
  package static let examples: [Command.Example] = [
    .init("Estimate by campaign", "skan report estimates -d skan.db"),
    .init(
      "Estimate by install date",
      "skan report estimates -d skan.db --by campaign,day --from 2026-11-01 --to 2026-12-01"),
    .init(
      "Estimate the return of each network by install week",
      "skan report estimates -d skan.db --by network,week"),
    .init("Estimate by country and install week", "skan report estimates -d skan.db --by country,week"),
    .init("Estimate the revenue of the first 7 days", "skan report estimates -d skan.db --horizon 7"),
    .init("Estimate how many subscribed", "skan report estimates -d skan.db --event subs_success"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope) + [
      .init("by", \.by, "What a row is about; days, weeks and months are those of the install."),
      .init(
        "time-zone", \.zone,
        "Clock that install dates, weeks and months follow: UTC, an offset such as +05:30, or a name such as Europe/Berlin."
      ),
      .init(
        "digits", \.digits,
        "Last digits of a source identifier that distinguish campaigns; nulls always have two.", in: 2...4),
      .init("null-is-zero", \.nullIsZero, "Ad networks that report a withheld value as 0."),
      .init("event", \.event, "Event whose users are estimated instead of revenue."),
      .init(
        "horizon", \.days,
        "Days since install whose revenue is estimated; needs own users (`skan users import --horizon`).",
        in: 1...3_650, as: .init(placeholder: "DAYS", defaultNote: "the hours that fine values count")),
      .init(
        "currency", \.currency,
        "Currency to convert amounts to, by the rates of `skan rates import` on the install date; amounts without a rate "
          + "stay as they are."
      ) { (query) throws(ParameterError) in
        guard query.days != nil, query.event != nil else { return }
        throw ParameterError(
          "horizon", Sentence("found together with --event; it is for revenue. Leave one of them out."))
      },
      .init(
        "estimator", \.estimator,
        "Estimator of withheld values; threshold is a rough look at networks that withhold each value of fewer than "
          + "five users."),
      .init("seed", \.seed, "Random seed.", in: 0...(.max)),
      .init("target", \.target, "Return on spend that rows are judged by; 1 pays for itself."),
      .init(
        "verdict", \.verdicts,
        "Rows to print by whether their return reaches --target: yes, no, or undecided where the 90 % interval includes it "
          + "or postbacks are still to come; rows by outcome, publisher or country have none."
      ),
      .init(
        "least-installs", \.leastInstalls, "Fewest installs of a row to print.", in: 0...1_000_000_000),
    ]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    // The same question has the same answer for an hour.
    let (all, totals, basis) = try estimated(from: source, now: source.now.startOfHour)
    let found = all.filter(isPrinted)
    var rows = Rows.held(found)
    rows.details = [
      Self.totals(worthColumns).table(totals),
      Self.notDivided.table(basis.notDivided),
      Self.unmatchedSpend.table(basis.spend.unmatched.ordered { $0.key < $1.key }),
      Self.leftOut.table(basis.leftOut),
      Self.basis.table([basis]),
    ]
    rows.notes =
      scope.environment.notes + (found.isEmpty ? [] : basis.notes(on: found))
    if found.count < all.count {
      rows.notes.append(
        Sentence(
          "\(grouped: all.count - found.count) of \(all.count, "row") are left out by --verdict or "
            + "--least-installs; the totals have them"))
    }
    rows.noteIfEmpty =
      all.isEmpty
      ? Sentence(
        "no winning postbacks of the first window under a mapping; load mappings with `skan mapping load`"
      ).onPages(nil)
      : !verdicts.isEmpty && all.allSatisfy { $0.verdict == nil }
        ? Sentence(
          "no row has a verdict: it takes spend that belongs to a row, and by outcome, publisher or country there is none"
        )
        : Sentence("no row is left")
    return rows
  }

  private func isPrinted(_ row: Row) -> Bool {
    guard row.installs + row.leftOutFirstInstalls >= Double(leastInstalls) else { return false }
    return verdicts.isEmpty || row.verdict.map { verdicts.contains($0) } ?? false
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
