package import Arguments
import Ledger
package import Postbacks
package import Tables
package import Values

/// Installs that no postback attributes: what an advertiser counted itself, minus what postbacks attribute.
package struct OrganicReport: Report {
  package var period = Period<Day>()
  package var breakdown = OrganicBreakdown.app
  package var apps: [AppID] = []
  package var environment = Environment.production

  package init() {}

  /// Installs of an app, on a day or on all days that were asked for.
  package struct Row: Sendable {
    /// `nil` for all apps.
    package let app: AppID?
    /// `nil` for all days.
    package let day: Day?
    private(set) var days: Int64 = 0
    /// What the advertiser counted; `nil` where it is not imported, and for several days, of those with both figures.
    package private(set) var own: Int64?
    /// Winning first installs by the arrival date of their first postback, of the same days; `nil` before the first
    /// postback of the app.
    package private(set) var attributed: Int64?
    /// Winning repeated installs of the same days.
    package private(set) var redownloads: Int64?
    private(set) var remarks: Set<OrganicRemark> = []
    /// What a reader has to know of it, in the order of the codes.
    package var sortedRemarks: [OrganicRemark] { remarks.sorted { $0.rawValue < $1.rawValue } }

    /// Own installs that are not attributed; `nil` where either is.
    var organic: Int64? { own.flatMap { own in attributed.map { own - $0 } } }
  }

  package static let name = "organic"
  package static let summary = "Print the installs that no postback attributes, by app."
  package static let discussion = [
    "Organic installs are the installs that you counted yourself (`skan installs import`) minus the winning first "
      + "installs of postbacks. The rest is what no postback attributes: it also has installs of ads "
      + "without postbacks, such as those of networks that send none here, of web pages, and of Apple Ads where it "
      + "reports by its own service.",
    "The two sides overlap in part. Another service can attribute a user that a postback attributes, too, so do not add "
      + "organic installs to what other services attribute. Redownloads are not subtracted: if your own count has "
      + "reinstalls, they are in it.",
    "Postbacks count on the UTC day of arrival, days after the install, because no postback has its install date. "
      + "Compare weeks or months, and not the first days of a campaign. `skan report estimates --by campaign,day` "
      + "estimates install dates of apps with a mapping.",
    "A day without an own count has no organic installs, which is not zero; sums have the days with both figures. The "
      + "remarks are "
      + OrganicRemark.allCases.map { "`\($0.rawValue)` (\($0.sentence))" }.joined(separator: ", ")
      + ".",
  ]
  package static let examples: [Command.Example] = [
    .init(
      "Compare November's organic installs with those of ads",
      "skan report organic -d skan.db --from 2026-11-01 --to 2026-12-01"),
    .init("Print by day, for a spreadsheet", "skan report organic -d skan.db --by day --format csv"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("by", \.breakdown, "What one row is about; `day` is an app and day."),
      .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all")),
      .init("environment", \.environment, "Environment whose keys signed the postbacks."),
    ]

  package static let app = Column<Row>("app", "app", "App Store number of the app.", shown: .onRequest) {
    $0.app.map { Identifier("\($0.number)") }
  }
  private static let day = Column<Row>(
    "day", "day", "UTC day of own installs and of the arrival of postbacks.", shown: .onRequest, \.day)
  package static let remarks = Column<Row>("remarks", "remarks", "Codes of what to know of the row.") {
    $0.sortedRemarks.map(\.rawValue)
  }

  package static let columns: [Column<Row>] = [
    app, day,
    Column("days", "days", "Days that have both figures; sums are of these.", \.days),
    Column(
      "own-installs", "own installs", "Installs that you counted; none where they are not imported.",
      \.own),
    Column(
      "attributed-installs", "attributed",
      "Winning first installs, by the arrival of their first postback; none before the app's first postback.",
      \.attributed),
    Column(
      "organic-installs", "organic",
      "Own installs minus attributed ones; below zero, with a remark, where more are attributed than counted.",
      \.organic),
    Column("organic-share", "organic %", "Organic installs by own installs; none below zero.") { row in
      row.own.flatMap { own in row.organic.flatMap { $0 < 0 ? nil : Share($0, of: own) } }
    },
    Column(
      "redownloads", "redownloads", "Winning repeated installs of the same days, which are not subtracted.",
      \.redownloads),
    remarks,
  ]
  package var shownColumns: [Column<Row>] {
    breakdown == .day ? Self.columns : Self.columns.filter { $0.name != Self.day.name }
  }

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let (days, uncounted) = try compared(from: source.reader, today: source.now.day)
    var sums = Dictionary(grouping: days, by: \.app).map { Row(app: $0, sumOf: $1) }
    sums.sort { ($0.app?.number ?? 0) < ($1.app?.number ?? 0) }
    let total = Row(app: nil, sumOf: days)
    var rows = Rows.held(
      breakdown == .day ? days : sums, total: days.isEmpty ? nil : total,
      key: { "\($0.app?.number ?? 0) \($0.day?.description ?? "")" })
    rows.notes = environment.notes
    guard !days.isEmpty else {
      rows.noteIfEmpty = Sentence("no own installs in these days; import them with `skan installs import`")
      return rows
    }
    rows.notes += [
      Sentence("attributed installs count on the day their postback arrived, days after the install"),
      Sentence(
        "organic has every install that no postback attributes, those of ads without postbacks too; other services can "
          + "attribute users that postbacks attribute, so never add their installs to it"),
    ]
    if let redownloads = total.redownloads, redownloads > 0 {
      rows.notes.append(
        Sentence(
          "\(grouped: redownloads) redownloads are not subtracted; if your own count has reinstalls, they are in organic"
        )
      )
    }
    if !uncounted.isEmpty {
      rows.notes.append(
        Sentence(
          "no own installs are imported for app \(code: uncounted.map { "\($0.number)" }.joined(separator: ", ")), which has "
            + "postbacks"))
    }
    let found = Set((breakdown == .day ? days : sums + [total]).flatMap(\.remarks))
    rows.notes += OrganicRemark.allCases.filter(found.contains).map {
      Sentence("\(code: $0.rawValue): \($0.sentence)")
    }
    return rows
  }

  /// The days of each app with either figure, by app and day, and the apps with postbacks but no own installs.
  private func compared(
    from reader: LedgerReader, today: Day
  ) throws(LedgerError) -> (days: [Row], uncounted: [AppID]) {
    var query = CampaignQuery(environment: environment, apps: apps, dimensions: [.app])
    let everything = query
    (query.from, query.to) = (period.from, period.to)
    query.dimensions = [.app, .day]
    let inDays = query
    let (own, counted, first) = try reader.consistently {
      () throws(LedgerError) -> ([OwnInstallsRow], [CampaignRow], [CampaignRow]) in
      let own = try reader.ownInstalls(from: period.from, to: period.to)
      let counted = try reader.campaigns(inDays, decodingFor: []) { _, _ in }.rows
      let first = try reader.campaigns(everything, decodingFor: []) { _, _ in }.rows
      return (own, counted, first)
    }
    struct Place: Hashable {
      let app: AppID
      let day: Day
    }
    var owns: [Place: Int64] = [:]
    for row in own where apps.isEmpty || apps.contains(row.app) {
      owns[Place(app: row.app, day: row.day)] = row.installs
    }
    let known = Set(owns.keys.map(\.app))
    var counts: [Place: CampaignCounts] = [:]
    for row in counted {
      guard let app = row.app, let day = row.day, known.contains(app) else { continue }
      counts[Place(app: app, day: day)] = row.counts
    }
    var firstDays: [AppID: Day] = [:]
    for row in first { if let app = row.app { firstDays[app] = row.days.lowerBound } }
    let uncounted = Set(counted.compactMap(\.app)).subtracting(known).ordered { $0.number < $1.number }
    let days = Set(owns.keys).union(counts.keys).ordered {
      ($0.app.number, $0.day) < ($1.app.number, $1.day)
    }.map { place in
      let hasBegun = firstDays[place.app].map { $0 <= place.day } ?? false
      return Row(
        app: place.app, day: place.day, own: owns[place], counts[place] ?? (hasBegun ? .zero : nil),
        isOver: place.day < today)
    }
    return (days, uncounted)
  }
}

/// What a row of the report on organic installs is about.
package enum OrganicBreakdown: String, CaseIterable, ParameterValue { case app, day }

/// What a reader has to know of a row of organic installs; the raw value is the stable code.
package enum OrganicRemark: String, Hashable, Sendable, CaseIterable {
  case noOwnCount = "no-own-count"
  case noPostbacksYet = "no-postbacks-yet"
  case moreAttributed = "more-attributed"
  case dayNotOver = "day-not-over"

  /// What it means, without a full stop.
  package var sentence: Sentence {
    switch self {
    case .noOwnCount: Sentence("days without an own count are left out")
    case .noPostbacksYet: Sentence("days before the app's first postback are left out")
    case .moreAttributed:
      Sentence(
        "postbacks attribute more than was counted: installs of earlier days, another time zone, or an own count that "
          + "leaves installs out")
    case .dayNotOver: Sentence("a day is not over, so that more can come")
    }
  }
}

extension OrganicReport.Row {
  fileprivate init(app: AppID, day: Day, own: Int64?, _ counts: CampaignCounts?, isOver: Bool) {
    (self.app, self.day, self.own) = (app, day, own)
    attributed = counts?.installs
    redownloads = counts?.redownloads
    days = own != nil && counts != nil ? 1 : 0
    if own == nil { remarks.insert(.noOwnCount) }
    if counts == nil { remarks.insert(.noPostbacksYet) }
    if !isOver { remarks.insert(.dayNotOver) }
    if let organic, organic < 0 { remarks.insert(.moreAttributed) }
  }

  /// The sum of days, of those that have both figures.
  fileprivate init(app: AppID?, sumOf days: [Self]) {
    (self.app, day) = (app, nil)
    let both = days.filter { $0.organic != nil }
    remarks = Set(days.flatMap(\.remarks)).subtracting([.moreAttributed])
    guard !both.isEmpty else { return }
    self.days = Int64(both.count)
    own = both.reduce(0) { $0 + ($1.own ?? 0) }
    attributed = both.reduce(0) { $0 + ($1.attributed ?? 0) }
    redownloads = both.reduce(0) { $0 + ($1.redownloads ?? 0) }
    if let organic, organic < 0 { remarks.insert(.moreAttributed) }
  }
}
