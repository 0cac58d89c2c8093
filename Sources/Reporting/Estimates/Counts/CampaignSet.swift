/// Campaigns that are estimated together, with what is known beside their postbacks.
package struct CampaignSet: Sendable {
  package let campaigns: [RevealedCounts]
  package let worth: CodeWorth
  /// The mix of codes among the advertiser's own users, summing to one; nil where they are not known.
  package let firstParty: [Double]?
  /// The mix of codes over the whole app, summing to one; nil where nothing at all is known of it.
  ///
  /// π = (Σ n + 50 π⁰) / (Σ n + 50), with π⁰ the mix of the advertiser's own users; without them the revealed mix.
  package let mix: [Double]?

  /// How many postbacks the advertiser's own users weigh as much as.
  static let firstPartyWeight = 50.0

  /// Takes campaigns.
  ///
  /// - Parameters:
  ///   - campaigns: The campaigns; every cell counts every code.
  ///   - firstParty: How often each code occurs among the advertiser's own users, on any scale.
  /// - Throws: ``EstimationError`` for counts that do not fit one another or are no counts.
  package init(campaigns: [RevealedCounts], worth: CodeWorth, firstParty: [Double]? = nil)
    throws(EstimationError)
  {
    let codes = worth.buckets.count
    guard codes > 0 else { throw .noCodes }
    for bucket in worth.buckets {
      guard bucket.mean.isFinite, bucket.spread.isFinite, bucket.spread >= 0, bucket.low.isFinite,
        !bucket.high.isNaN, bucket.low <= bucket.high
      else { throw .notAWorth }
    }
    for campaign in campaigns {
      for cell in campaign.cells {
        guard cell.revealed.count == codes else { throw .unevenCodes(campaign: campaign.name) }
        func isACount(_ count: Double) -> Bool { count.isFinite && count >= 0 && count < 1e9 }
        guard isACount(cell.nulls), cell.revealed.entries.allSatisfy({ isACount($0.count) }) else {
          throw .notACount(campaign: campaign.name)
        }
      }
    }
    if let firstParty {
      guard firstParty.count == codes, firstParty.allSatisfy({ $0.isFinite && $0 >= 0 }),
        firstParty.reduce(0, +) > 0
      else { throw .notAMix }
    }
    self.campaigns = campaigns.map { campaign in
      // A campaign without cells has no codes to count.
      campaign.cells.isEmpty
        ? RevealedCounts(name: campaign.name, revealed: [Double](repeating: 0, count: codes), nulls: 0)
        : campaign
    }
    self.worth = worth
    let weight = firstParty?.reduce(0, +) ?? 1
    self.firstParty = firstParty?.map { $0 / weight }
    mix = Self.mix(of: self.campaigns, weights: nil, firstParty: self.firstParty, codes: codes)
  }

  /// Returns the app's mix where campaigns weigh as given; nil where there is nothing to mix.
  static func mix(of campaigns: [RevealedCounts], weights: [Double]?, firstParty: [Double]?, codes: Int)
    -> [Double]?
  {
    var sums = firstParty?.map { $0 * firstPartyWeight } ?? [Double](repeating: 0, count: codes)
    for (index, campaign) in campaigns.enumerated() {
      let weight = weights?[index] ?? 1
      campaign.revealed.add(to: &sums, times: weight)
    }
    let total = sums.reduce(0, +)
    return total > 0 ? sums.map { $0 / total } : nil
  }

  /// What a user of the app is worth on average; nil where nothing is known of the mix.
  package var appMean: Double? { mix.map(worth.value(of:)) }
}
