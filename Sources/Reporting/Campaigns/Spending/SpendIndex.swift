import Ledger
import Postbacks
import Values

/// The rows that a piece of spend fits.
enum SpendFit {
  case no
  case one(Int)
  case several

  fileprivate mutating func add(_ row: Int) {
    if case .no = self { self = .one(row) } else { self = .several }
  }
}

/// Where in an index the rows can be that spend of a campaign fits, on any day; `nil` where no row is.
struct SpendPlaces {
  /// Of a campaign identifier; of all campaigns where these are not distinguished.
  fileprivate var campaignID: UInt32?
  fileprivate var sourceIdentifier: UInt32?
}

/// Finds the one row of a report that spend belongs to, without a look at every row.
struct SpendIndex<Rows: Collection<CampaignRow>> {
  /// What rows and spend are distinguished by besides days; what the report does not distinguish is the same for all.
  private struct Place: Hashable {
    var network: String?
    /// The app's App Store number; `nil` also where spend is of any app.
    var app: Int64?
    var campaign: String?
    var isSourceIdentifier = false
    var label: CampaignLabel?
  }

  private let rows: Rows
  private let labels: [CampaignLabel]
  private let query: CampaignQuery
  private var numbers: [Place: UInt32] = [:]
  /// Numbers for what is of days, in the order of the question.
  private var dayNumbers: [[DimensionValue]: UInt32] = [:]
  /// By the number of a place, and above that the number of what is of days.
  private var fits: [UInt64: SpendFit] = [:]
  private var lastDay: (day: Day, number: UInt32?)?
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
      guard let (place, days) = place(of: row, index, isByApp: isByApp) else { continue }
      let (next, nextDays) = (UInt32(numbers.count), UInt32(dayNumbers.count))
      let key = Self.key(place: numbers[place, default: next], days: dayNumbers[days, default: nextDays])
      numbers[place] = UInt32(truncatingIfNeeded: key)
      dayNumbers[days] = UInt32(key >> 32)
      fits[key, default: .no].add(index)
    }
    lastDay = nil
  }

  private static func key(place: UInt32, days: UInt32) -> UInt64 { UInt64(days) << 32 | UInt64(place) }

  /// The place of a row, and what it has of days; `nil` where no spend can belong to it.
  private func place(
    of row: CampaignRow, _ index: Int, isByApp: Bool
  ) -> (place: Place, days: [DimensionValue])? {
    var (place, days) = (Place(), [DimensionValue]())
    for dimension in query.dimensions where dimension.isOfSpend && dimension != .app {
      guard let value = row[dimension] else { return nil }
      if dimension.isOfDays {
        days.append(value)
      } else if case .campaign(let campaign) = value {
        place.campaign = campaign.text
        if case .sourceIdentifier = campaign { place.isSourceIdentifier = true }
      } else {
        place.network = value.text
      }
    }
    if !labels.isEmpty { place.label = labels[index] }
    if isByApp {
      guard let app = row.app?.number else { return nil }
      place.app = app
    }
    return (place, days)
  }

  /// Where the rows are that spend fits.
  ///
  /// - Parameters:
  ///   - digits: What its campaign is called in postbacks; `nil` if unknown.
  ///   - label: What its campaign is called, where rows are distinguished by it.
  mutating func places(for paid: SpendRow, digits: String?, label: CampaignLabel?) -> SpendPlaces {
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
    if query.dimensions.contains(.network) { place.network = paid.network }
    // Spend that names no app fits the rows of every app.
    if isByApp { place.app = paid.app }
    guard query.dimensions.contains(.campaign) else { return SpendPlaces(campaignID: numbers[place]) }
    guard let digits else { return SpendPlaces() }
    place.campaign = digits
    var places = SpendPlaces(campaignID: numbers[place])
    place.isSourceIdentifier = true
    if let kept = query.digits { place.campaign = String(digits.suffix(kept)) }
    places.sourceIdentifier = numbers[place]
    return places
  }

  /// The number of what the question distinguishes of a day; `nil` where no row has it.
  mutating func number(of day: Day) -> UInt32? {
    if let lastDay, lastDay.day == day { return lastDay.number }
    let number = dayNumbers[query.dimensions.compactMap { $0.value(on: day) }]
    lastDay = (day, number)
    return number
  }

  /// The rows at places that have what a ``number(of:)`` stands for.
  func rows(at places: SpendPlaces, ofDays days: UInt32) -> SpendFit {
    let campaignID = places.campaignID.flatMap { fits[Self.key(place: $0, days: days)] }
    let other = places.sourceIdentifier.flatMap { fits[Self.key(place: $0, days: days)] }
    guard let other else { return campaignID ?? .no }
    return campaignID == nil ? other : .several
  }
}
