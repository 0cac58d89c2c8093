import Campaigns
import Estimates
import Ledger
import MeasuredUsers
import Values

extension EstimateReport.Basis {
  func notes(on rows: [EstimateReport.Row]) -> [Sentence] {
    let what = report.event.map { Sentence("users of \(name: $0)") } ?? Sentence("revenue")
    // The head of a page states the horizon.
    var notes = horizons.map {
      (report.event == nil ? Sentence("revenue \($0.sentence)") : Sentence("\(what) \($0.sentence)"))
        .onPages(nil)
    }
    if rows.contains(where: { !$0.differences.isEmpty }) {
      notes.append(
        Sentence(
          "unlike-campaigns has the reasons why the decoded \(what) of a row is not that of `skan report campaigns`, such as: digits, "
            + "several source identifiers are in one row; window-1-only, that report adds later windows; own-users, values "
            + "count what your users paid"
        ).onPages(nil))
    }
    if report.event == nil, ownUsers == 0 {
      notes.append(
        Sentence(
          "amounts are the mapping's own, which can be far from what users pay, and intervals do not include that; import your "
            + "users with `skan users import` to use what they really paid"
        ).onPages(
          Sentence(
            "amounts are the mapping's own, which can be far from what users pay: import your users on the page Data in"
          )))
    }
    let statedInstalls = rows.reduce(0) { $0 + $1.sum.statedInstalls }
    if report.event == nil, ownUsers > 0, statedInstalls > 0.5 {
      notes.append(
        Sentence(
          "\(grouped: Int(nearest: statedInstalls)) installs are under mapping versions of which no own users are known: they count "
            + "the mapping's amounts, which can be far from what users pay, and intervals do not include that. Import users who "
            + "installed under these versions with `skan users import`"
        ).onPages(
          Sentence(
            "\(grouped: Int(nearest: statedInstalls)) installs count the mapping's amounts, which can be far from what users pay: "
              + "import users of the same time on the page Data in")))
    }
    if let carriers {
      notes.append(Sentence("of your own users, \(carriers.sentence); intervals of totals can be too narrow"))
      notes.append(Sentence("in measured apps of such users, 90 % intervals held 71 to 96 % of totals"))
    }
    if didWorthSaturate { notes.append(ValueWorthRow.saturationNote) }
    if report.days != nil {
      notes.append(
        Sentence(
          "in measured apps, 90 % intervals at horizons of days held 80 to 98 % of campaigns, and 53 to 100 % of totals"
        ))
      notes.append(
        ownCampaigns > 0
          ? Sentence(
            "own users are of \(ownCampaigns) campaigns, which show how far users of a value differ between campaigns: intervals "
              + "count by it, and estimates are for users like own users. `skan users backtest` shows what intervals cover on your users"
          ).onPages(
            Sentence(
              "own users are of \(ownCampaigns) campaigns, which show how far users of a value differ between campaigns: intervals "
                + "count by it"))
          : Sentence(
            "own users without campaigns cannot show whether better campaigns have better users within a value too: intervals "
              + "include both cases, and estimates are for users like own users. `skan users backtest` shows what intervals cover on your users"
          ).onPages(
            Sentence(
              "own users without campaigns leave open how far campaigns differ: import them with campaigns on the page Data in"
            ))
      )
    }
    notes += leftOutNotes
    if leavesOutReengagements {
      notes.append(
        Sentence(
          "re-engagements are left out: own users came by an install, so their later revenue is unknown"))
    }
    if rows.contains(where: { $0.sum.flags.contains(.openEnded) }) {
      notes.append(
        Sentence(
          "values without an upper limit are shown of which no own user is known: the mapping leaves open how much more "
            + "than their lower end they are worth, so the upper ends of the intervals are a guess"))
    }
    if let what = report.by.partlyShownText {
      notes.append(
        Sentence(
          "postbacks below Apple's privacy thresholds and all without a value show no \(what): they have a row of their own, and "
            + "figures of the other rows are without them. shared-\(code: report.event == nil ? "revenue" : "users") divides them like those of "
            + "the same campaign that show it, which gives too much to rows that many postbacks show; its range is from none of them to all"
        ).onPages(
          Sentence(
            "postbacks without a \(what) have a row of their own; the column with them divided gives too much to large rows"
          ))
      )
    }
    notes += spendNotes(on: rows)
    if rows.contains(where: { $0.sum.flags.contains(.nothingRevealed) }) {
      notes.append(
        Sentence(
          "a campaign whose values are all withheld has no estimate of its own: its interval is what holds for the app, and "
            + "the total counts it at the app's mean; not-divided has what rows are short of the total by that"
        ).onPages(
          Sentence(
            "a campaign whose values are all withheld has no estimate of its own; the total counts it at the app's mean"
          ))
      )
    }
    if let sampledCampaigns {
      notes.append(
        Sentence(
          "of \(grouped: sampledCampaigns) campaigns, intervals are checked on \(EstimatedCrowd.calibrationSample) simulated ones "
            + "with the sizes of campaigns taken at random")
      )
    }
    notes.append(
      Sentence(
        "intervals hold if withholding depends on the number of installs alone; if it depends on the users' quality, postbacks "
          + "do not show it, and the range of ±30 % shows the effect"))
    return notes
  }

  private func spendNotes(on rows: [EstimateReport.Row]) -> [Sentence] {
    var notes: [Sentence] = []
    if !spend.unmatched.isEmpty {
      notes.append(
        Sentence("unmatched-spend belongs to no row or to several, and is in the totals alone")
          .onPages(
            Sentence(
              "spend that fits no row or several is in the totals alone: correct its names on the page Data in"
            )))
    }
    if spend.total.values.contains(where: \.isHeld) { notes.append(Amount.noteOfHeld) }
    if !spend.total.isEmpty,
      !rows.contains(where: { ($0.uncomparedSpend != nil || $0.leavesOutMany) && $0.spend != nil })
    {
      notes.append(
        Sentence(
          "no spend can be compared with one row: it is in another currency, or rows of several currencies or horizons share it; "
            + "choose a currency or an app to get ROAS"))
    }
    if hasOneSided {
      notes.append(
        Sentence(
          "one-sided: eCPI, ROAS and target reached compare the campaigns and install dates that have both installs and spend in the "
            + "same currency; the columns without spend and not compared have what is left out. Import the spend of all days, and 0 "
            + "for a day that cost nothing"
        ).onPages(
          Sentence(
            "cost and return compare the campaigns and days that have both installs and spend: import the spend of all days, and 0 for "
              + "a day that cost nothing")))
    }
    if !report.zone.isUTC, rows.contains(where: { $0.spend != nil }) {
      notes.append(
        Sentence(
          "spend of a UTC day is compared with the installs of the same date by the clock of \(name: report.zone.name), which begins and ends "
            + "at other hours"))
    }
    if let day = spend.firstIncompleteDay {
      notes.append(
        Sentence(
          "less than 95 % of the postbacks of \(day) and later days have arrived, so ROAS is too low; leave these days out"
        )
      )
    }
    return notes
  }
}
