import Ledger
import Postbacks
import Values

/// Finds the one row of a report that spend belongs to, without a look at every row.
struct SpendIndex<Rows: Collection<CampaignRow>> {
  /// What rows and spend are distinguished by; what the report does not distinguish is the same for all.
  private struct Place: Hashable {
    /// The day, or the Monday of the week where rows are not by day.
    var day: Day?
    var month: Day?
    var network: String?
    /// The app's App Store number; `nil` also where spend is of any app.
    var app: Int64?
    var campaign: String?
    var isSourceIdentifier = false
    var label: CampaignLabel?
  }

  enum Fit {
    case no
    case one(Int)
    case several

    fileprivate mutating func add(_ row: Int) {
      if case .no = self { self = .one(row) } else { self = .several }
    }
  }

  private let rows: Rows
  private let labels: [CampaignLabel]
  private let query: CampaignQuery
  private var fits: [Place: Fit] = [:]
  private var isFilled = false
  /// Whether places of single apps are among them; they are for spend that names one.
  private var hasApps = false

  /// - Parameter labels: What the rows' campaigns are called, where rows are distinguished by it.
  init(_ rows: Rows, labels: [CampaignLabel], for query: CampaignQuery) {
    (self.rows, self.labels, self.query) = (rows, labels, query)
  }

  /// Adds the place of every row: of any app, or of its own one.
  private mutating func fill(isByApp: Bool) {
    fits.reserveCapacity(rows.count * (isByApp ? 2 : 1))
    for (index, row) in rows.enumerated() {
      guard var place = Self.place(of: row, in: query) else { continue }
      if !labels.isEmpty { place.label = labels[index] }
      if isByApp {
        guard let app = row.app?.number else { continue }
        place.app = app
      }
      fits[place, default: .no].add(index)
    }
  }

  /// The place of a row, of any app; `nil` where no spend can belong to it.
  private static func place(of row: CampaignRow, in query: CampaignQuery) -> Place? {
    var place = Place()
    for dimension in query.dimensions {
      switch dimension {
      case .day:
        guard let day = row.day else { return nil }
        place.day = day
      case .week:
        guard let week = row.week else { return nil }
        if !query.dimensions.contains(.day) { place.day = week }
      case .month:
        guard let month = row.month else { return nil }
        place.month = month
      case .network:
        guard let network = row.network else { return nil }
        place.network = network
      case .campaign:
        guard let campaign = row.campaign else { return nil }
        place.campaign = campaign.text
        if case .sourceIdentifier = campaign { place.isSourceIdentifier = true }
      case .app, .version, .window, .outcome, .interaction, .publisher, .country, .marketplace, .tier: break
      }
    }
    return place
  }

  /// The rows that spend fits.
  ///
  /// - Parameters:
  ///   - digits: What its campaign is called in postbacks; `nil` if unknown.
  ///   - label: What its campaign is called, where rows are distinguished by it.
  /// - Returns: The row's index, where one fits.
  mutating func rows(for paid: SpendRow, digits: String?, label: CampaignLabel?) -> Fit {
    let isByApp = query.dimensions.contains(.app)
    if !isFilled {
      fill(isByApp: false)
      isFilled = true
    }
    if isByApp, paid.app != nil, !hasApps {
      fill(isByApp: true)
      hasApps = true
    }
    var place = Place(label: label)
    if query.dimensions.contains(.day) {
      place.day = paid.day
    } else if query.dimensions.contains(.week) {
      place.day = paid.day.monday
    }
    if query.dimensions.contains(.month) { place.month = paid.day.startOfMonth }
    if query.dimensions.contains(.network) { place.network = paid.network }
    // Spend that names no app fits the rows of every app.
    if isByApp { place.app = paid.app }
    guard query.dimensions.contains(.campaign) else { return fits[place] ?? .no }
    guard let digits else { return .no }
    place.campaign = digits
    let campaignID = fits[place]
    place.isSourceIdentifier = true
    if let kept = query.digits { place.campaign = String(digits.suffix(kept)) }
    guard let other = fits[place] else { return campaignID ?? .no }
    return campaignID == nil ? other : .several
  }
}
