public import Postbacks

/// What campaigns are called on the wire.
///
/// A campaign whose name is two to four digits keeps it as its source identifier, one named 1 to 100 as its campaign
/// identifier. All others are numbered in the order of the alphabet, past the numbers that are taken, which depends on
/// the whole population's campaigns and on nothing else. Where the numbers run out, campaigns share them.
public struct CampaignDirectory: Equatable, Sendable {
  public let sourceIdentifiers: [String: SourceIdentifier]
  /// The campaign identifier of each campaign, for SKAdNetwork 3 and below.
  public let campaignIDs: [String: CampaignID]

  public init(_ campaigns: [String]) {
    let names = campaigns.sorted()
    var sources: [String: SourceIdentifier] = [:]
    var identifiers: [String: CampaignID] = [:]
    for name in names {
      sources[name] = SourceIdentifier(name)
      identifiers[name] = Int64(name).flatMap { String($0) == name ? CampaignID($0) : nil }
    }
    let freeSources = Self.free(
      (0..<10_000).compactMap { number in
        let digits = String(number)
        return SourceIdentifier(String(repeating: "0", count: 4 - digits.count) + digits)
      }, taken: Set(sources.values))
    let freeIdentifiers = Self.free((1...100).compactMap { CampaignID($0) }, taken: Set(identifiers.values))
    for (index, name) in names.filter({ sources[$0] == nil }).enumerated() {
      sources[name] = freeSources[index % freeSources.count]
    }
    for (index, name) in names.filter({ identifiers[$0] == nil }).enumerated() {
      identifiers[name] = freeIdentifiers[index % freeIdentifiers.count]
    }
    sourceIdentifiers = sources
    campaignIDs = identifiers
  }

  /// Those that are not taken, or all where every one is.
  private static func free<Number: Hashable>(_ all: [Number], taken: Set<Number>) -> [Number] {
    let free = all.filter { !taken.contains($0) }
    return free.isEmpty ? all : free
  }
}

extension CampaignDirectory {
  /// Returns a campaign as a postback names it.
  ///
  /// - Parameters:
  ///   - name: The campaign's name; it has to be among those that were numbered.
  ///   - hasWindows: Whether the version has source identifiers.
  ///   - digits: How many digits of the source identifier are shown, at most.
  /// - Returns: The source identifier cut to its last digits, or the campaign identifier.
  func campaign(_ name: String, hasWindows: Bool, digits: Int) -> Campaign {
    if hasWindows, let source = sourceIdentifiers[name] {
      return .sourceIdentifier(source.shortened(toLast: digits) ?? source)
    }
    guard !hasWindows, let identifier = campaignIDs[name] else {
      preconditionFailure("The crowd was counted without the campaign \(name).")
    }
    return .campaignID(identifier)
  }
}
