package import Arguments
package import Campaigns
import Estimates
import Ledger
import MeasuredUsers
import Postbacks
package import Tables
package import Values

/// Where the postbacks of windows 2 and 3 are that installs could have sent.
package struct ShortfallReport: Report {
  /// The days of install, as far as Apple's timers date them.
  package var period = Period<Day>()
  package var breakdown = ShortfallBreakdown.campaign
  package var scope = Scope()

  package init() {}

  package static let name = "shortfall"
  package static let summary = "Divide the missing postbacks of windows 2 and 3 into their causes."
  package static let discussion = [
    "Each winning install of SKAdNetwork 4 and AdAttributionKit can send three postbacks. Those of windows 2 and 3 are "
      + "sent only above the lowest privacy threshold (tier 1), and only where the app updates the value in the window. So the "
      + "winning postbacks of window 1 are divided into: `below-threshold` (no value in window 1), `no-update`, `due` "
      + "(expected, and not to arrive yet), `seen`, and `lost`: on the way, or not forwarded. Postbacks of another "
      + "network's win (`assists`) have no later windows at all.",
    "How many update a window comes from your own users with the same value in window 1 (`skan users import`), under the "
      + "same mapping version; `basis` is then own-users. A version without rules for the window lets no "
      + "app update there (mapping). Without own users it is other-networks, the share that other networks of the app show: what all networks lose alike is then no loss. Where neither is known, `no-update`, "
      + "`due` and `lost` have no figure.",
    "`lost` and `no-update` are estimates with 90 % intervals: of chance, of how much campaigns (with --by network, weeks) "
      + "differ beyond it, and of few own users. `lost` is below 0 where more arrives than expected, for example where users of ads open the app more often "
      + "than own users; of a file with campaigns, organic users do not count. Only what an interval above 0 states is a loss. Installs are dated by the first postback, to "
      + "within a day; a later postback is shared out over the days that it can belong to, by their sizes. A window that "
      + "the app locks arrives earlier than that, and moves to an earlier week.",
  ]
  package static let examples: [Command.Example] = [
    .init("See which networks lose postbacks", "skan report shortfall -d skan.db --by network"),
    .init(
      "Compare weeks of a campaign whose windows are over",
      "skan report shortfall -d skan.db --by week --from 2026-08-03 --to 2026-10-05"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init(
        "by", \.breakdown, "Breakdown of the rows: networks, campaigns, or campaigns and weeks of install.")
    ] + Parameter.all(of: \.scope)

  package struct Row: Sendable {
    package let place: Place
    let window: ConversionWindow
    var shortfall = LaterWindowShortfall()
    var assists: Int64 = 0
    var bases: Set<String> = []
    /// Whether there is no basis for some of the installs.
    var isPartly = false
    var dispersion = 1.0

    /// The figures that need to know how many update the window.
    var known: LaterWindowShortfall? { isPartly ? nil : shortfall }
    /// Expected by now and not seen, below 0 where more arrived; `nil` where nothing distinguishes it from what was never
    /// updated.
    package var lost: ExpectedCount? { known.map { ExpectedCount($0.lost) } }
    /// The 90 % interval of ``lost``.
    package var lostInterval: Bounds<ExpectedCount>? {
      known.map {
        let interval = $0.lostInterval(dispersion: dispersion)
        return Bounds(ExpectedCount(interval.low), ExpectedCount(interval.high))
      }
    }
  }

  package struct Place: Hashable, Sendable {
    let app: AppID
    let network: String
    /// `nil` for all of the network.
    let campaign: String?
    /// The Monday of the week of install; `nil` for all weeks.
    let week: Day?
  }

  package static let app = Column<Row>("app", "app", "App Store number of the advertised app.") {
    Identifier("\($0.place.app.number)")
  }
  package static let network = Column<Row>("network", "network", "Ad network.") {
    Identifier($0.place.network)
  }
  private static let campaign = Column<Row>(
    "campaign", "campaign", "Last two digits of the source identifier.", shown: .onRequest
  ) {
    $0.place.campaign.map { Identifier($0) }
  }
  private static let week = Column<Row>(
    "install-week", "install week", "Monday of the week of install, by the middle of Apple's delays.",
    shown: .onRequest, \.place.week)
  package static let lost = Column<Row>(
    "lost", "lost", "Expected by now and not seen; below 0 where more arrived.", \.lost)

  package static let columns: [Column<Row>] = [
    app, network, campaign, week,
    Column("window", "window", "Window of the postbacks: 2 or 3.") { $0.window.rawValue + 1 },
    Column("installs", "installs", "Winning postbacks of window 1.") { ExpectedCount($0.shortfall.installs) },
    Column(
      "below-threshold", "below threshold",
      "Those of them without any value: in tier 0, which sends no later postback."
    ) { ExpectedCount($0.shortfall.belowThreshold) },
    Column(
      "no-update", "no update", "Those of the others whose app is expected to update nothing in the window."
    ) {
      $0.known.map { ExpectedCount($0.noUpdate) }
    },
    Column("no-update", "no update, 90 %", "The 90 % interval of it.", shown: .forPrograms) { row in
      row.known.map {
        let interval = $0.noUpdateInterval(dispersion: row.dispersion)
        return Bounds(ExpectedCount(interval.low), ExpectedCount(interval.high))
      }
    },
    Column("due", "still due", "Postbacks of the window that are expected and not to arrive yet.") {
      $0.known.map { ExpectedCount($0.due) }
    },
    Column("seen", "seen", "Winning postbacks of the window that arrived before today.") {
      ExpectedCount($0.shortfall.seen)
    },
    lost,
    Column("lost", "lost, 90 %", "The 90 % interval of it.", \.lostInterval),
    Column("lost-share", "lost %", "Lost ones of those expected by now; none where fewer than 5 are.") {
      row in
      // Not a share, which schemas bound by 0: by chance there can be more than expected.
      row.known.flatMap { $0.expected >= 5 ? Change($0.lost / $0.expected) : nil }
    },
    Column(
      "assists", "another's win", "Postbacks of window 1 for another network's win, which have no later ones."
    ) {
      $0.assists
    },
    Column("basis", "basis", "What the updates are known from: own-users, mapping, or other-networks.") {
      row in
      row.bases.sorted()
    },
  ]

  package var shownColumns: [Column<Row>] {
    Self.columns.filter { column in
      switch column.name {
      case Self.campaign.name: breakdown != .network
      case Self.week.name: breakdown == .week
      default: true
      }
    }
  }

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let found = rows(
      of: try LaterWindows(
        source.reader, scope, byCampaign: breakdown != .network, now: source.now.startOfHour))
    var rows = Rows.held(found)
    rows.notes = scope.environment.notes
    if found.contains(where: \.isPartly) {
      rows.notes.append(
        Sentence(
          "where no own users reach to the end of a window and no other network has enough postbacks, nothing distinguishes what "
            + "is lost from what was never updated; import users with 35 days of history with `skan users import`"
        )
      )
    }
    if found.contains(where: { $0.bases.contains(LaterWindows.Basis.otherNetworks.rawValue) }) {
      rows.notes.append(
        Sentence("other-networks compares a network with the app's others: what all lose alike does not show")
      )
    }
    rows.notes += Self.notesOfMore(found)
    rows.noteIfEmpty = Sentence("no winning postbacks of SKAdNetwork 4 or AdAttributionKit")
    return rows
  }

  /// The apps and windows of which surely more arrived than own users let expect, of all networks together.
  private static func notesOfMore(_ rows: [Row]) -> [Sentence] {
    let known = rows.filter { !$0.isPartly && $0.bases.contains(LaterWindows.Basis.ownUsers.rawValue) }
    return Dictionary(grouping: known) { [Int64($0.window.rawValue), $0.place.app.number] }
      .ordered { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { _, rows -> Sentence? in
        let sum = rows.reduce(into: LaterWindowShortfall()) { $0.merge($1.shortfall) }
        guard sum.lostInterval(dispersion: rows[0].dispersion).high < 0 else { return nil }
        return
          Sentence(
            "app \(code: rows[0].place.app.number): more postbacks of window \(rows[0].window.rawValue + 1) arrived than own "
              + "users let expect, so these update it less often than users of ads do, and lost is too low for all networks; "
              + "import users with their campaigns, so that organic ones are left out")
      }
  }

  /// Adds days up to rows.
  func rows(of windows: LaterWindows) -> [Row] {
    ConversionWindow.later.flatMap { window -> [Row] in
      let campaigns = windows.days(window).map { campaign, days in
        (
          campaign,
          days.filter { day in
            period.from.map { $0 <= day.install } ?? true && period.to.map { day.install < $0 } ?? true
          }
        )
      }.filter { !$0.1.isEmpty }
      let groups = Dictionary(grouping: campaigns) { [$0.0.app.number.description, $0.0.network] }
      // Campaigns of a network differ; where they are not known, its weeks do.
      let dispersion = LaterWindowShortfall.dispersion(
        groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { _, campaigns in
          breakdown == .network
            ? campaigns.flatMap { Self.weeks($0.1) } : campaigns.map { Self.sum($0.1) }
        })
      var rows: [Row] = []
      var places: [Place: Int] = [:]
      let asked = Set(scope.networks.map(\.canonical))
      for (campaign, days) in campaigns where asked.isEmpty || asked.contains(campaign.network) {
        for day in days {
          let place = Place(
            app: campaign.app, network: campaign.network,
            campaign: breakdown == .network ? nil : campaign.digits,
            week: breakdown == .week ? day.install.monday : nil)
          let index = places[place] ?? rows.count
          if index == rows.count {
            places[place] = index
            rows.append(Row(place: place, window: window, dispersion: dispersion))
          }
          rows[index].shortfall.merge(day.shortfall)
          rows[index].assists += day.assists
          if let basis = day.basis { rows[index].bases.insert(basis.rawValue) }
          if day.basis == nil, day.shortfall.installs > day.shortfall.belowThreshold {
            rows[index].isPartly = true
          }
        }
      }
      return rows
    }
  }

  private static func weeks(_ days: [LaterWindows.DayShortfall]) -> [LaterWindowShortfall] {
    Dictionary(grouping: days) { $0.install.monday }.sorted { $0.key < $1.key }.map { sum($0.value) }
  }

  private static func sum(_ days: [LaterWindows.DayShortfall]) -> LaterWindowShortfall {
    days.reduce(into: LaterWindowShortfall()) { $0.merge($1.shortfall) }
  }
}

package enum ShortfallBreakdown: String, CaseIterable, ParameterValue { case network, campaign, week }
