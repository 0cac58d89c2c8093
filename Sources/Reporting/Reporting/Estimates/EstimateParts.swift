import Estimates
import Ledger
import Values

/// Days of campaigns by the rows of estimates that they belong to.
struct EstimateParts {
  /// What distinguishes rows.
  struct Place: Hashable, Comparable {
    let group: EstimateGroup
    let currency: CurrencyCode?
    let horizon: EstimateHorizon

    static func < (a: Self, b: Self) -> Bool {
      guard a.group == b.group else { return a.group < b.group }
      return (a.currency?.text ?? "", a.horizon) < (b.currency?.text ?? "", b.horizon)
    }
  }

  struct Content {
    var days: [EstimatedSum.Part] = []
    /// First postbacks without figures.
    var leftOut = 0.0
  }

  private(set) var rows: [Place: Content] = [:]
  private(set) var totals: [Place: Content] = [:]
  /// The least share that has arrived of a date of the group.
  private var completeness: [EstimateGroup: Double] = [:]
  private(set) var leftOut: [EstimateReport.LeftOutVersion] = []

  /// - Parameter completeness: The share of the day's first postbacks that is expected to have arrived.
  mutating func add(_ place: Place, _ completeness: Double?, _ add: (inout Content) -> Void) {
    add(&rows[place, default: Content()])
    add(
      &totals[
        Place(group: EstimateGroup(), currency: place.currency, horizon: place.horizon), default: Content()])
    if place.group.first != nil, let completeness {
      self.completeness[place.group] = min(self.completeness[place.group] ?? 1, completeness)
    }
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
    self[keyPath: contents].sorted { $0.key < $1.key }.compactMap {
      EstimateReport.Row($0.key, $0.value, completeness: completeness[$0.key.group])
    }
  }
}

extension EstimateReport.Row {
  fileprivate init?(_ place: EstimateParts.Place, _ content: EstimateParts.Content, completeness: Double?) {
    let sum = EstimatedSum(content.days, isOfOneCampaign: place.group.campaign != nil)
    guard sum != nil || content.leftOut > 0 else { return nil }
    self.sum = sum ?? .ofNothing
    leftOut = content.leftOut
    group = place.group
    currency = place.currency
    horizon = place.horizon
    self.completeness = completeness
  }
}
