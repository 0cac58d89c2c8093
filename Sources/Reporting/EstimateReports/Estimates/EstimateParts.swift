import Estimates
import Ledger
import Postbacks
import Values

/// Days of campaigns by the rows of estimates that they belong to.
struct EstimateParts {
  /// What distinguishes rows.
  struct Place: Hashable, Comparable {
    var group: EstimateGroup
    let currency: CurrencyCode?
    let horizon: EstimateHorizon

    static func < (a: Self, b: Self) -> Bool {
      guard a.group == b.group else { return a.group < b.group }
      return (a.currency?.text ?? "", a.horizon) < (b.currency?.text ?? "", b.horizon)
    }
  }

  /// What amounts of a total are in, and up to when they count.
  struct Measure: Hashable {
    let currency: CurrencyCode?
    let horizon: EstimateHorizon
  }

  struct Content {
    fileprivate var days: [EstimatedSum.Part] = []
    /// Those of them that spend is known of.
    fileprivate var comparedDays: [EstimatedSum.Part] = []
    /// First postbacks without figures.
    var leftOut = 0.0
    /// Those of them that are of first installs.
    var leftOutFirstInstalls = 0.0

    /// - Parameter isCompared: Whether spend is known of it.
    mutating func add(_ day: EstimatedSum.Part, isCompared: Bool) {
      days.append(day)
      if isCompared { comparedDays.append(day) }
    }

    mutating func leaveOut(_ counts: DayCounts) {
      leftOut += counts.postbacks
      leftOutFirstInstalls += counts.firstInstalls
    }
  }

  private(set) var rows: [Place: Content] = [:]
  private(set) var totals: [Place: Content] = [:]
  private var sharing = EstimateSharing()
  /// The least share that has arrived of a date of a group's dates, by app and the first of these dates.
  private let arrived: [AppID: [Day: Double]]
  /// The least of the apps of the group.
  private var completeness: [EstimateGroup: Double] = [:]
  private(set) var leftOut: [EstimateReport.LeftOutVersion] = []
  /// Whether re-engagements are left out, whose revenue own users do not show.
  var leavesOutReengagements = false
  /// Campaigns of the largest version whose intervals are calibrated on a sample of its campaigns; `nil` for none.
  var sampledCampaigns: Int?
  /// What the amounts of each app are in; one that has several shares its spend among totals.
  private(set) var measures: [AppID: Set<Measure>] = [:]

  private let hasRows: Bool

  /// - Parameters:
  ///   - arrived: The least share that has arrived of a date of each group's dates, by app and the first of these dates.
  ///   - hasRows: Whether rows are asked for, and not what they come to alone.
  init(arrived: [AppID: [Day: Double]], hasRows: Bool) { (self.arrived, self.hasRows) = (arrived, hasRows) }

  mutating func add(_ place: Place, of app: AppID, _ add: (inout Content) -> Void) {
    addToRow(place, add)
    addToTotal(of: place, add)
    note(app, at: place)
  }

  /// Adds a day of a campaign to a total alone; its parts are added to rows.
  mutating func addToTotal(of place: Place, _ add: (inout Content) -> Void) {
    add(
      &totals[
        Place(group: EstimateGroup(), currency: place.currency, horizon: place.horizon), default: Content()])
  }

  /// Adds a part of a campaign to a row alone.
  mutating func add(_ part: EstimatedSum.Part, of campaign: EstimatedCampaign, _ place: Place) {
    addToRow(place) { $0.add(part, isCompared: false) }
    sharing.add(part, campaign, at: place)
  }

  mutating func addToRow(_ place: Place, _ add: (inout Content) -> Void) {
    guard hasRows else { return }
    add(&rows[place, default: Content()])
  }

  /// Takes what the amounts of an app are in, and how much of the dates of a row has arrived, whatever its postbacks show.
  mutating func note(_ app: AppID, at place: Place) {
    measures[app, default: []].insert(Measure(currency: place.currency, horizon: place.horizon))
    guard let first = place.group.first, let share = arrived[app]?[first] else { return }
    completeness[place.group] = min(completeness[place.group] ?? 1, share)
  }

  /// Notes a version, of which one of several types of conversions may be noted already.
  mutating func leaveOut(_ version: EstimateReport.LeftOutVersion) {
    if let last = leftOut.last, last.app == version.app, last.number == version.number {
      leftOut[leftOut.count - 1].postbacks += version.postbacks
    } else {
      leftOut.append(version)
    }
  }

  func rows(of contents: KeyPath<EstimateParts, [Place: Content]>) -> [EstimateReport.Row] {
    self[keyPath: contents].ordered { $0.key < $1.key }.compactMap {
      EstimateReport.Row($0.key, $0.value, completeness: completeness[$0.key.showing(nil).group])
    }
  }

  /// The rows of parts of days, with what they come to if what does not show a publisher or country is shared out, and
  /// with what could be of them.
  func sharedRows(by dimensions: [EstimateDimension]) -> [EstimateReport.Row] {
    func isWhole(_ shown: ShownDetails) -> Bool {
      (shown.publisher != nil || !dimensions.contains(.publisher))
        && (shown.country != nil || !dimensions.contains(.country))
    }
    let shares = sharing.estimates(isWhole)
    var rows = rows(of: \.rows)
    var unshown: [Place: [(shown: ShownDetails, sum: EstimatedSum)]] = [:]
    for row in rows where row.sum.installs > 0 {
      guard let shown = row.group.traits?.shown, !isWhole(shown) else { continue }
      unshown[row.position.showing(nil), default: []].append((shown, row.sum))
    }
    for index in rows.indices where rows[index].sum.estimate != nil {
      let place = rows[index].position
      rows[index].shared = shares[place]
      guard let shown = place.group.traits?.shown, isWhole(shown) else { continue }
      rows[index].others = (unshown[place.showing(nil)] ?? []).filter { $0.shown.agree(with: shown) }.map(
        \.sum)
    }
    return rows
  }
}

extension EstimateReport.Row {
  fileprivate var position: EstimateParts.Place { .init(group: group, currency: currency, horizon: horizon) }
}

extension EstimateReport.Row {
  fileprivate init?(_ place: EstimateParts.Place, _ content: EstimateParts.Content, completeness: Double?) {
    let sum = EstimatedSum(content.days, isOfOneCampaign: place.group.isOfOneCampaign)
    guard sum != nil || content.leftOut > 0 else { return nil }
    self.sum = sum ?? .ofNothing
    comparedSum =
      content.comparedDays.count == content.days.count
      ? sum : EstimatedSum(content.comparedDays, isOfOneCampaign: place.group.isOfOneCampaign)
    leftOut = content.leftOut
    leftOutFirstInstalls = content.leftOutFirstInstalls
    group = place.group
    currency = place.currency
    horizon = place.horizon
    self.completeness = completeness
  }
}

extension InstallCells {
  /// The least share that has arrived of a date of a row's dates, by app and the first of these dates; none where rows are of all
  /// dates.
  ///
  /// It is of all dates that postbacks have arrived of, and not of the days of cells: of very many campaigns, one cell has all
  /// days of a row under one of them.
  func arrived(inRowsOf report: EstimateReport) -> [AppID: [Day: Double]] {
    var arrived: [AppID: [Day: Double]] = [:]
    for (app, days) in completeness {
      let last = knownDays[app]?.upperBound
      for (day, share) in days.ordered(by: { $0.key < $1.key }) where report.isShown(day) {
        guard let first = EstimateGroup.first(of: day, by: report.by) else { continue }
        let least = arrived[app]?[first]
        // A date counts from its first postback on; a row has one date at least.
        if least != nil, let last, day > last { continue }
        arrived[app, default: [:]][first] = min(least ?? 1, share)
      }
    }
    return arrived
  }
}
