/// What came of the ads of one campaign, as ``PatternSearch`` needs it; first windows alone.
package struct PatternCampaign: Sendable {
  /// What arrived on one day.
  package struct Day: Hashable, Sendable {
    /// Winning postbacks of ads that were only seen.
    package var views = 0.0
    /// Winning postbacks of ads that were acted upon.
    package var clicks = 0.0
    /// All winning postbacks, also those that do not state the interaction.
    package var winners = 0.0
    /// Postbacks of installs that another network won.
    package var assists = 0.0

    package init(views: Double = 0, clicks: Double = 0, winners: Double = 0, assists: Double = 0) {
      (self.views, self.clicks) = (views, clicks)
      (self.winners, self.assists) = (winners, assists)
    }
  }

  package let network: String
  package let campaign: String
  /// Consecutive days, the same ones of all campaigns of an app.
  package var days: [Day]
  /// Winning postbacks of the days to judge by fine value, of ads that were only seen.
  package var viewValues: [Double]
  /// Those of ads that were acted upon.
  package var clickValues: [Double]
  /// Those of each publisher that was disclosed.
  package var publishers: [String: [Double]]

  package init(
    network: String, campaign: String, days: [Day], viewValues: [Double] = [], clickValues: [Double] = [],
    publishers: [String: [Double]] = [:]
  ) {
    (self.network, self.campaign, self.days) = (network, campaign, days)
    (self.viewValues, self.clickValues, self.publishers) = (viewValues, clickValues, publishers)
  }
}

/// The campaigns of an app beside what the advertiser itself knows.
package struct PatternApp: Sendable {
  package var campaigns: [PatternCampaign]
  /// How many of the days are judged, the last ones; those before are what they are compared with.
  package var recentDays: Int
  /// All installs of the app, wherever they came from, by the day on which a postback of them arrives.
  ///
  /// Empty where they are not known; `nil` for a day without a count.
  package var allInstalls: [Double?]
  /// The advertiser's own users by fine value; empty where none are known.
  package var ownUsers: [Double]

  package init(
    campaigns: [PatternCampaign], recentDays: Int, allInstalls: [Double?] = [], ownUsers: [Double] = []
  ) {
    (self.campaigns, self.recentDays) = (campaigns, recentDays)
    (self.allInstalls, self.ownUsers) = (allInstalls, ownUsers)
  }

  /// How many days there are.
  package var dayCount: Int { campaigns.map(\.days.count).max() ?? 0 }

  /// The installs of each day that a network did not win, by network: of all where they are counted, else of other
  /// networks.
  package func installsOfOthers() -> [String: [Double?]] {
    let none = [Double](repeating: 0, count: dayCount)
    var (winners, all) = ([String: [Double]](), none)
    for campaign in campaigns {
      var own = winners.removeValue(forKey: campaign.network) ?? none
      for (day, counts) in campaign.days.enumerated() {
        own[day] += counts.winners
        all[day] += counts.winners
      }
      winners[campaign.network] = own
    }
    return winners.mapValues { own in
      own.indices.map { day in
        guard !allInstalls.isEmpty else { return all[day] > own[day] ? all[day] - own[day] : nil }
        guard allInstalls.indices.contains(day), let installs = allInstalls[day], installs > own[day] else {
          return nil
        }
        return installs - own[day]
      }
    }
  }
}
