import Ledger
import Platform
import Postbacks

/// What people call the campaigns of report rows.
struct CampaignNames: Sendable {
  /// What a row can be called.
  enum Match: Hashable, Sendable {
    /// No name fits.
    case unknown
    /// One name fits, in all days of the row.
    case known(CampaignNameRow)
    /// Several fit: the digits are the last ones of several campaigns, or the name changed in the row's days.
    case ambiguous([String])
  }

  private let names: [String: [CampaignNameRow]]

  init(_ rows: [CampaignNameRow]) { names = Dictionary(grouping: rows, by: \.network) }

  /// Whether there is any name.
  var isEmpty: Bool { names.isEmpty }

  /// The name of a campaign in some days.
  ///
  /// A source identifier comes with four digits, or with fewer where the crowd was small; the short forms are its last
  /// digits. A name for exactly these digits counts before one for longer or shorter forms. A name that does not hold
  /// on all of the days leaves a doubt.
  /// Source: Apple, "Receiving postbacks in multiple conversion windows"; the last digits are those of Apple's own
  /// samples, where 5239 becomes 39.
  ///
  /// - Parameters:
  ///   - network: The network, in lower case.
  ///   - campaign: The campaign.
  ///   - days: The first and the last day.
  /// - Returns: The match.
  func match(network: String, campaign: Campaign, days: ClosedRange<Day>) -> Match {
    let inForce = (names[network] ?? []).filter { name in
      name.from <= days.upperBound && (name.to.map { $0 > days.lowerBound } ?? true)
    }
    var fitting = inForce.filter { $0.campaign == campaign.text }
    if fitting.isEmpty, case .sourceIdentifier = campaign {
      fitting = inForce.filter { name in
        name.campaign.utf8.count >= 2
          && (name.campaign.hasSuffix(campaign.text) || campaign.text.hasSuffix(name.campaign))
      }
    }
    var distinct: [String] = []
    for name in fitting.map(\.name) where !distinct.contains(name) { distinct.append(name) }
    guard let last = fitting.last else { return .unknown }
    guard distinct.count == 1 else { return .ambiguous(distinct) }
    return Self.cover(fitting, days) ? .known(last) : .ambiguous(distinct + ["(unnamed)"])
  }

  /// Whether names, in the order of their days, leave none of the days without one.
  private static func cover(_ names: [CampaignNameRow], _ days: ClosedRange<Day>) -> Bool {
    var next = days.lowerBound
    for name in names.sorted(by: { $0.from < $1.from }) where name.from <= next {
      guard let end = name.to else { return true }
      next = max(next, end)
    }
    return next > days.upperBound
  }

  /// The digits that a campaign of a spend file stands for: itself where it is digits, and otherwise the one campaign
  /// of that name on that day.
  func digits(of campaign: String, network: String, on day: Day) -> String? {
    if (1...4).contains(campaign.utf8.count), campaign.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return campaign
    }
    let found = Set(
      (names[network] ?? []).filter { name in
        name.name == campaign && name.from <= day && (name.to.map { day < $0 } ?? true)
      }.map(\.campaign))
    return found.count == 1 ? found.first : nil
  }
}
