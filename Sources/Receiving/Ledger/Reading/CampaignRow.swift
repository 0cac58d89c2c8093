public import Postbacks
public import Values

/// One row of a campaign report; a dimension that was not asked for, or that its postbacks do not have, is `nil`.
public struct CampaignRow: Equatable, Sendable {
  private struct Entry: Equatable {
    let dimension: CampaignDimension
    let value: DimensionValue
  }

  private var entries: [Entry] = []
  /// The first and the last UTC day of arrival that anything was counted on.
  public var days: ClosedRange<Day>
  public var counts: CampaignCounts

  /// A row without dimensions.
  ///
  /// - Parameter capacity: How many it gets.
  public init(days: ClosedRange<Day>, counts: CampaignCounts, capacity: Int = 0) {
    (self.days, self.counts) = (days, counts)
    entries.reserveCapacity(capacity)
  }

  /// A row without counts, and of no day.
  package init(uncounted campaign: Campaign?, app: AppID?, network: String?) {
    self.init(days: Day(number: 0)...Day(number: 0), counts: .zero, capacity: 3)
    self[.app] = app.map { .app($0) }
    self[.network] = network.map { .word($0) }
    self[.campaign] = campaign.map { .campaign($0) }
  }

  public subscript(dimension: CampaignDimension) -> DimensionValue? {
    get { entries.first { $0.dimension == dimension }?.value }
    set {
      entries.removeAll { $0.dimension == dimension }
      if let newValue { entries.append(Entry(dimension: dimension, value: newValue)) }
    }
  }

  /// The same with only some of its dimensions.
  public func keeping(_ dimensions: some Collection<CampaignDimension>) -> Self {
    var row = self
    row.entries.removeAll { !dimensions.contains($0.dimension) }
    return row
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
