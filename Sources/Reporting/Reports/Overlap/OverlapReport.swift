package import Arguments
package import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
package import Tables
package import Values

/// How many installs of Apple's postbacks another source attributes too.
package struct OverlapReport: Report {
  /// The days of install, as far as Apple's timers date them.
  package var period = Period<Day>()
  package var breakdown = OverlapBreakdown.network
  package var scope = Scope()
  /// The part of installs that the app lets show it.
  package var share = OverlapPart.all

  package init() {}

  package static let name = "overlap"
  package static let summary = "Estimate how many installs another source attributes too."
  package static let discussion = [
    "A user can be attributed by Apple's postbacks and by another source at once, such as AdServices or a consented "
      + "identifier, and no postback shows that. A mapping can let a random share of users show it in a coarse value of window "
      + "2 or 3 without costing a bit of the fine value: low for users of the event `overlap-no`, high for `overlap-yes`, "
      + "medium for other rules. `skan mapping design --overlap-window 3` writes these rules; in the app, "
      + "`recordOverlap(isAttributed:share:)` of SkanApp sends the events.",
    "`overlap` is the high part of the low and high values, with its 90 % interval. Only users show it whose campaign is above "
      + "the lowest privacy threshold and who open the app in the window. `overlap-of-all` is the overlap of all installs if "
      + "the odds of the others are half or twice as high; `worst-case` holds whatever they are. --share is the share that the "
      + "app uses; with the usual 1, both ranges are too wide where it is smaller.",
    "Installs are dated by Apple's delays, to within 3 days, and count from the day on which such a mapping takes effect.",
  ]
  package static let examples: [Command.Example] = [
    .init(
      "Estimate the overlap of each network where a tenth of users show it",
      "skan report overlap -d skan.db --share 0.1")
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("by", \.breakdown, "What a row is about: networks, or campaigns by two digits.")
    ] + Parameter.all(of: \.scope) + [
      .init(
        "share", \.share, "Share of installs that the app lets show it, above 0 and up to 1.")
    ]

  /// A network or campaign of one app.
  package struct Row: Sendable {
    let place: Place
    var counts = OverlapCounts()
    /// The part of installs that the app lets show it.
    let part: Double
  }

  package struct Place: Hashable, Comparable, Sendable {
    let app: AppID
    let network: String
    /// `nil` for all of the network.
    let campaign: String?
    let window: ConversionWindow

    package static func < (a: Self, b: Self) -> Bool {
      (a.app.number, a.network, a.campaign ?? "", a.window.rawValue)
        < (b.app.number, b.network, b.campaign ?? "", b.window.rawValue)
    }
  }

  package static let columns: [Column<Row>] = [
    Column("app", "app", "App Store number of the advertised app.") { Identifier("\($0.place.app.number)") },
    Column("network", "network", "Ad network.") { Identifier($0.place.network) },
    Column("campaign", "campaign", "Last two digits of the source identifier.", shown: .onRequest) {
      $0.place.campaign.map { Identifier($0) }
    },
    Column("window", "window", "Window that shows the overlap: 2 or 3.") { $0.place.window.rawValue + 1 },
    Column("installs", "installs", "Winning postbacks of window 1.") { ExpectedCount($0.counts.installs) },
    Column("shown", "shown", "Winning postbacks of the window with the low or the high value.") {
      ExpectedCount($0.counts.shown)
    },
    Column("attributed", "in both", "Those of them with the high value: another source attributes them too.")
    {
      ExpectedCount($0.counts.attributed)
    },
    Column("overlap", "overlap", "Part of the users who show it that another source attributes too.") {
      $0.counts.share.map { Share($0) }
    },
    Column("overlap", "90 % interval", "The 90 % interval of it, of chance alone.") {
      $0.counts.interval.map { Bounds(Share($0.low), Share($0.high)) }
    },
    Column(
      "overlap-of-all", "of all, odds × ½ to 2",
      "The overlap of all installs if the odds of those that show nothing are half or twice as high; a sensitivity."
    ) { row -> Bounds<Share>? in
      guard let low = row.counts.shareOfAll(odds: 0.5, part: row.part),
        let high = row.counts.shareOfAll(odds: 2, part: row.part)
      else { return nil }
      return Bounds(Share(low), Share(high))
    },
    Column(
      "worst-case", "worst case", "The least and the most that the overlap of all installs can be."
    ) { row in
      row.counts.worstCase(part: row.part).map { Bounds(Share($0.low), Share($0.high)) }
    },
  ]

  package var shownColumns: [Column<Row>] {
    Self.columns.filter { $0.header.name != "campaign" || breakdown == .campaign }
  }

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let (found, hasMapping, left) = try source.reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: source.reader)
      let hasMapping = catalog.histories.values.contains { $0.versions.contains { $0.overlapWindow != nil } }
      return (hasMapping ? try counted(source.reader, catalog) : [], hasMapping, refused(catalog))
    }
    var rows = Rows.held(found)
    rows.notes = scope.environment.notes + left
    if !found.isEmpty {
      rows.notes.append(
        Sentence(
          "users who show it opened the app in the window and are above the lowest privacy threshold; others can differ"
        )
      )
    }
    rows.noteIfEmpty =
      hasMapping
      ? Sentence("no winning postbacks under a mapping that shows the overlap")
      : Sentence("no mapping shows the overlap; see `skan help report overlap`")
    return rows
  }

  /// The mapping versions whose rules do not show it because of the events that they look at.
  private func refused(_ catalog: MappingCatalog) -> [Sentence] {
    catalog.histories.filter { scope.apps.isEmpty || scope.apps.contains($0.key) }
      .ordered { $0.key.number < $1.key.number }.flatMap { app, history -> [Sentence] in
        history.versions.compactMap { version -> Sentence? in
          version.overlapWindowOfOtherTotals.map { window -> Sentence in
            Sentence(
              "the mapping of app \(code: app.number) from \(version.effectiveFrom.day) is left out: window "
                + "\(window.rawValue + 1) has the rules, but with \"totals\": \"window\"; use \"since-install\", by which the "
                + "value stays what the app once sent")
          }
        }
      }
  }

  private func counted(_ reader: LedgerReader, _ catalog: MappingCatalog) throws(LedgerError) -> [Row] {
    let campaign: [CampaignDimension] = breakdown == .campaign ? [.campaign] : []
    let counted = try reader.campaigns(
      CampaignQuery(
        environment: scope.environment, apps: scope.apps, networks: scope.networks,
        dimensions: [.day, .app, .network] + campaign + [.version, .window], digits: 2))
    var rows: [Place: OverlapCounts] = [:]
    for row in counted {
      guard let arrival = row.day, let window = row.window, let app = row.app, let network = row.network,
        row.version?.hasWindows ?? false
      else { continue }
      let install = Day(number: arrival.number - Int32(CohortReport.daysBefore(window)))
      guard period.from.map({ $0 <= install }) ?? true, period.to.map({ install < $0 }) ?? true,
        let version = catalog.histories[app]?.versions.last(where: { $0.effectiveFrom.day <= install }),
        let shows = version.overlapWindow, window == .first || window == shows
      else { continue }
      var counts = OverlapCounts()
      if window == .first {
        counts.installs = Double(row.counts.winners)
      } else {
        counts.attributed = Double(row.counts.coarse(.high))
        counts.shown = counts.attributed + Double(row.counts.coarse(.low))
      }
      let place = Place(app: app, network: network, campaign: row.campaign?.text, window: shows)
      rows[place, default: OverlapCounts()].merge(counts)
    }
    return rows.sorted { $0.key < $1.key }.map { Row(place: $0.key, counts: $0.value, part: share.part) }
  }
}

package enum OverlapBreakdown: String, CaseIterable, ParameterValue { case network, campaign }
