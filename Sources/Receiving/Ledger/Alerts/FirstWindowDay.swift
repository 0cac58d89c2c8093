public import Postbacks
public import Values

/// The first-window postbacks of a campaign that came on one day.
public struct FirstWindowDay: Equatable, Sendable {
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  /// The campaign; of a source identifier its last two digits, which postbacks without a value have too.
  public let campaign: String
  /// The UTC day of arrival.
  public let day: Day
  public let postbacks: Int64
  /// Those of them without any value.
  public let nulls: Int64

  public init(app: AppID, network: String, campaign: String, day: Day, postbacks: Int64, nulls: Int64) {
    self.app = app
    self.network = network
    self.campaign = campaign
    self.day = day
    self.postbacks = postbacks
    self.nulls = nulls
  }
}

/// Winning postbacks with one fine value that came on one day.
public struct FineValueDay: Equatable, Sendable {
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// The UTC day of arrival.
  public let day: Day
  public let value: ConversionValue
  public let postbacks: Int64
}

extension LedgerReader {
  /// The first-window postbacks of production from a day on, by app, network, campaign and day.
  public func firstWindowDays(from day: Day) throws(LedgerError) -> [FirstWindowDay] {
    let query = CampaignQuery(from: day, dimensions: [.app, .network, .campaign, .day], digits: 2)
    guard let (sum, codes) = try counted(query, ofFirstWindows: true, .none) else { return [] }
    let areNull = (0..<sum.kinds.count).map { sum.kinds[$0].value == .absent }
    return sum.groups.sorted(codes.order).compactMap { group in
      guard let app = AppID(sum.groups.code(group, 0)) else { return nil }
      var (postbacks, nulls) = (Int64(0), Int64(0))
      sum.runs.forEach(of: group) { kind, _, count in
        postbacks += count
        if areNull[Int(kind)] { nulls += count }
      }
      return FirstWindowDay(
        app: app, network: codes.word(of: .network, sum.groups.code(group, 1)),
        campaign: codes.word(of: .campaign, sum.groups.code(group, 2)),
        day: Day(number: Int32(truncatingIfNeeded: sum.groups.code(group, 3))), postbacks: postbacks,
        nulls: nulls)
    }
  }

  /// The fine values of production's first-window postbacks from a day on, by app, network, version, outcome,
  /// day and value; in no order.
  public func fineValueDays(from day: Day) throws(LedgerError) -> [FineValueDay] {
    let query = CampaignQuery(from: day, dimensions: [.app, .network, .version, .outcome, .day])
    guard let (sum, codes) = try counted(query, ofFirstWindows: true, .none) else { return [] }
    let kinds = (0..<sum.kinds.count).map { sum.kinds[$0] }
    return (0..<sum.groups.count).flatMap { group in
      var values: [ConversionValue: (kind: FactKind, postbacks: Int64)] = [:]
      sum.runs.forEach(of: group) { number, _, count in
        let kind = kinds[Int(number)]
        guard case .fine = kind.value else { return }
        values[kind.value, default: (kind, 0)].postbacks += count
      }
      return values.values.map { kind, postbacks in
        FineValueDay(
          app: kind.app, network: codes.word(of: .network, sum.groups.code(group, 1)), version: kind.version,
          outcome: kind.outcome, day: Day(number: Int32(truncatingIfNeeded: sum.groups.code(group, 4))),
          value: kind.value, postbacks: postbacks)
      }
    }
  }
}
