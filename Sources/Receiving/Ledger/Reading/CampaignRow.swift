public import Postbacks
public import Values

/// One row of a campaign report; a dimension that was not asked for, or that its postbacks do not have, is `nil`.
public struct CampaignRow: Equatable, Sendable {
  private struct Entry {
    let dimension: CampaignDimension
    let value: DimensionValue
  }

  /// Most questions have no more; a list for each of many rows would take a twentieth of the answer's time.
  private var first = InlineArray<3, Entry?>(repeating: nil)
  private var others: [Entry] = []
  /// The first and the last UTC day of arrival that anything was counted on.
  public var days: ClosedRange<Day>
  public var counts: CampaignCounts

  /// A row without dimensions.
  public init(days: ClosedRange<Day>, counts: CampaignCounts) {
    (self.days, self.counts) = (days, counts)
  }

  /// A row without counts, and of no day.
  package init(uncounted campaign: Campaign?, app: AppID?, network: String?) {
    self.init(days: Day(number: 0)...Day(number: 0), counts: .zero)
    self[.app] = app.map { .app($0) }
    self[.network] = network.map { .word($0) }
    self[.campaign] = campaign.map { .campaign($0) }
  }

  public subscript(dimension: CampaignDimension) -> DimensionValue? {
    get {
      for place in first.indices {
        if let entry = first[place], entry.dimension == dimension { return entry.value }
      }
      return others.first { $0.dimension == dimension }?.value
    }
    set {
      for place in first.indices where first[place]?.dimension == dimension { first[place] = nil }
      others.removeAll { $0.dimension == dimension }
      guard let newValue else { return }
      let entry = Entry(dimension: dimension, value: newValue)
      for place in first.indices where first[place] == nil {
        first[place] = entry
        return
      }
      others.append(entry)
    }
  }

  /// The same with only some of its dimensions.
  public func keeping(_ dimensions: some Collection<CampaignDimension>) -> Self {
    var row = Self(days: days, counts: counts)
    for dimension in dimensions { row[dimension] = self[dimension] }
    return row
  }

  public static func == (row: Self, other: Self) -> Bool {
    row.days == other.days && row.counts == other.counts
      && CampaignDimension.allCases.allSatisfy { row[$0] == other[$0] }
  }
}

extension CampaignRow {
  public var day: Day? { if case .day(let value)? = self[.day] { value } else { nil } }
  public var app: AppID? { if case .app(let value)? = self[.app] { value } else { nil } }
  /// The network, in lower case.
  public var network: String? { self[.network]?.text }
  public var campaign: Campaign? { if case .campaign(let value)? = self[.campaign] { value } else { nil } }
  public var version: ProtocolVersion? { if case .version(let own)? = self[.version] { own } else { nil } }
  public var window: ConversionWindow? { if case .window(let value)? = self[.window] { value } else { nil } }
  public var outcome: Outcome? { if case .outcome(let value)? = self[.outcome] { value } else { nil } }
  /// The App Store number or the domain of the publisher.
  public var publisher: String? { self[.publisher]?.text }
}
