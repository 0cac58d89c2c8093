import Values

/// The campaigns of a population in the order of reports, and the parts that their users are run in.
///
/// All users of one campaign are in one part, or in several that have no other campaign. So most campaigns are done when
/// their part is, and only those of the parts at work take memory for every run.
struct CampaignOrder: Sendable {
  /// Some users.
  struct Part: Sendable {
    /// The places of the campaigns; empty for organic users.
    let campaigns: Range<Int>
    /// Whether other parts have users of the same campaign.
    let isShared: Bool
  }

  /// The names, that with the most users first, equal ones by name.
  let campaigns: [String]
  let parts: [Part]
  /// The place of each campaign of the cohorts; -1 for one without users.
  private let places: [Int32]
  /// The first part of each place, and of organic users at the end.
  private let firstParts: [Int32]
  /// How many parts share the users of each place, and organic users at the end.
  private let partCounts: [Int32]

  /// The most users of a part, unless a test asks for fewer.
  static let mostUsers = 1 << 14
  /// The most campaigns of a part, and the most of them times the runs.
  private static let (mostCampaigns, mostOutcomes) = (256, 1 << 13)

  /// Orders campaigns.
  ///
  /// - Parameters:
  ///   - names: The campaigns; equal texts are one campaign.
  ///   - users: How many users each has, then how many are organic.
  ///   - runs: How often a part is run.
  init(_ names: [String], users: [Int], runs: Int, mostUsers: Int = Self.mostUsers) {
    var first: [String: Int] = [:]
    var totals = users
    let owners = names.indices.map { number in
      guard users[number] > 0 else { return -1 }
      let owner = first[names[number]] ?? number
      if owner == number { first[names[number]] = number } else { totals[owner] += users[number] }
      return owner
    }
    let order = names.indices.filter { owners[$0] == $0 }.ordered {
      (totals[$1], names[$0]) < (totals[$0], names[$1])
    }
    campaigns = order.map { names[$0] }
    var placeOfOwner = [Int32](repeating: -1, count: names.count)
    for (place, number) in order.enumerated() { placeOfOwner[number] = Int32(place) }
    places = owners.map { $0 < 0 ? -1 : placeOfOwner[$0] }

    let mostCampaigns = max(16, min(Self.mostCampaigns, Self.mostOutcomes / max(1, runs)))
    var parts: [Part] = []
    var firstParts: [Int32] = []
    var partCounts: [Int32] = []
    var start = 0
    var inPart = 0
    func close(before place: Int) {
      if place > start { parts.append(Part(campaigns: start..<place, isShared: false)) }
      start = place
      inPart = 0
    }
    for (place, number) in order.enumerated() {
      let count = totals[number]
      if inPart + count > mostUsers || place - start >= mostCampaigns { close(before: place) }
      firstParts.append(Int32(parts.count))
      let shares = (count + mostUsers - 1) / mostUsers
      partCounts.append(Int32(shares))
      inPart += count
      guard shares > 1 else { continue }
      parts += Array(repeating: Part(campaigns: place..<place + 1, isShared: true), count: shares)
      start = place + 1
      inPart = 0
    }
    close(before: order.count)
    let organic = (users.last ?? 0) / mostUsers + 1
    firstParts.append(Int32(parts.count))
    partCounts.append(Int32(organic))
    parts += Array(repeating: Part(campaigns: 0..<0, isShared: false), count: organic)
    self.parts = parts
    self.firstParts = firstParts
    self.partCounts = partCounts
  }

  func place(of campaign: Int32) -> Int { campaign < 0 ? campaigns.count : Int(places[Int(campaign)]) }

  /// One of the parts for a user of a campaign at that place; users are spread over them by their keys.
  func part(at place: Int, key: UInt64) -> Int {
    let count = UInt64(partCounts[place])
    // The lower bits part the cohorts of an events file already.
    return Int(firstParts[place]) + (count == 1 ? 0 : Int((key >> 20) % count))
  }
}
