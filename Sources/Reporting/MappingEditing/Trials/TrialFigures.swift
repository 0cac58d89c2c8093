import Mappings
import Postbacks
package import Simulation
package import Values

/// What a simulation shows of one mapping: what users are worth, and what of it reports would show.
package struct TrialFigures: Equatable, Sendable {
  /// Campaigns of about the same size.
  package struct SizeRow: Equatable, Sendable {
    /// The fewest installs a day.
    package let from: Int
    /// The number of installs a day that none of them has; `nil` for the largest.
    package let to: Int?
    package let campaigns: Int
    /// Their relative errors of revenue, from 0: the smallest, the middle one, the greatest.
    package let low: Double
    package let median: Double
    package let high: Double
  }

  /// The currency of every sum.
  package let currency: CurrencyCode
  /// What came of the users that were simulated.
  package let total: CampaignOutcome
  /// The share of the app's users that they are.
  private let share: Double
  /// The mean of the campaigns' relative errors, from 0; `nil` where no campaign has revenue.
  package let error: Double?
  /// The campaigns by size, the smallest first.
  package let sizes: [SizeRow]
  /// How many fine values of the mapping users end with.
  package let valuesReached: Int
  /// How many fine values the mapping has.
  package let valuesMapped: Int

  /// The sizes of campaigns that are distinguished, in installs a day.
  private static let steps = [0, 10, 30, 100, 300]

  init(_ mapping: Mapping, _ outcome: SimulationOutcome, share: Double = 1) {
    self.share = share
    currency = outcome.currency
    let total = outcome.total
    self.total = total
    let campaigns = outcome.campaigns.ordered { $0.key < $1.key }.compactMap {
      _, campaign -> (daily: Double, error: Double)? in
      guard let error = campaign.visibleError, !campaign.installDays.isEmpty else { return nil }
      return (Double(campaign.installs) / Double(campaign.installDays.count) / share, abs(error))
    }
    error = campaigns.isEmpty ? nil : campaigns.reduce(0) { $0 + $1.error } / Double(campaigns.count)
    sizes = Self.steps.indices.compactMap { index in
      let to = index + 1 < Self.steps.count ? Self.steps[index + 1] : nil
      let errors = campaigns.filter { campaign in
        campaign.daily >= Double(Self.steps[index]) && to.map { campaign.daily < Double($0) } ?? true
      }.map(\.error).sorted()
      guard let low = errors.first, let high = errors.last else { return nil }
      let middle = errors.count / 2
      let median = errors.count % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2
      return SizeRow(
        from: Self.steps[index], to: to, campaigns: errors.count, low: low, median: median, high: high)
    }
    let values = Set(mapping.fine.map(\.value.number))
    valuesMapped = values.count
    let reached = total[.first].trueFine
    valuesReached = values.count { Int($0) < reached.count && reached[Int($0)] > 0 }
  }

  /// True revenue of the app's users with a campaign.
  package var revenue: Amount { ofApp(total.revenue.amount) }
  /// What the values shown are worth at least, in the middle and at most.
  package var visible: (low: Amount, mid: Amount, high: Amount) {
    (ofApp(total.visibleLow.amount), ofApp(total.visible.amount), ofApp(total.visibleHigh.amount))
  }

  /// An amount of the users that were simulated as one of the app's.
  func ofApp(_ amount: Amount) -> Amount {
    share == 1 ? amount : Amount(micros: Int64(nearest: Double(amount.micros) / share))
  }

  /// A number of those users as one of the app's.
  func ofApp(_ count: Int) -> Int { share == 1 ? count : Int(Int64(nearest: Double(count) / share)) }

  /// The share of winning postbacks without a value; `nil` without postbacks.
  package var withheldShare: Double? {
    total.winners == 0 ? nil : Double(total.windows.reduce(0) { $0 + $1.nulls }) / Double(total.winners)
  }
  /// The share of true revenue that the values shown stand for; `nil` without revenue.
  package var visibleShare: Double? { part(total.visible) }
  /// The share of true revenue that values stand for before any is withheld; `nil` without revenue.
  package var capturedShare: Double? { part(total.captured) }
  /// The hours after install by which half of the postbacks of window 1 have come; `nil` without any.
  package var firstHours: Int? { total[.first].delays.percentile(0.5) }
  /// The hours after install by which nine of ten postbacks of the last window have come; `nil` without any.
  package var lastHours: Int? {
    ConversionWindow.allCases.last { total[$0].postbacks > 0 }.flatMap { total[$0].delays.percentile(0.9) }
  }

  private func part(_ sum: MoneySum) -> Double? {
    total.revenue.micros == 0 ? nil : Double(sum.micros) / Double(total.revenue.micros)
  }
}
