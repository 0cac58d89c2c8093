import Campaigns
package import Estimates
import Postbacks
package import Tables
package import Values

extension PlanReport {
  /// All campaigns with the chosen proposals, by one of the models.
  package struct Together: Sendable {
    package let count: Int
    let model: ModelName?
    let now: CampaignPlan.Predicted
    let then: CampaignPlan.Predicted
    let gained: CampaignPlan.Predicted
    package let decidedNow: Int
    package let decidedThen: Int?

    package var thenShare: Share { Share(then.mean) }
    package var thenInterval: Interval { then.interval }

    static func all(of plan: CampaignPlan) -> [Self] {
      let figures = zip(zip(plan.total.bySize, plan.together), plan.togetherGained)
      return zip(figures, models(of: plan.together.count)).map { figures, model in
        Self(
          count: plan.proposals.count(where: \.isChosen), model: model, now: figures.0.0, then: figures.0.1,
          gained: figures.1, decidedNow: plan.decidedNow, decidedThen: plan.decidedThen)
      }
    }
  }

  /// A privacy threshold model of some networks.
  package struct Model: Sendable {
    let plan: CampaignPlan.Model

    /// `nil` for all that have no model of their own.
    package var network: String? { plan.network }
  }

  /// A campaign that would distinguish two models.
  package struct Test: Sendable {
    let plan: CampaignPlan.Test
    let currency: CurrencyCode?
  }

  /// How many campaigns a network takes.
  package struct Limit: Sendable {
    package let network: String
    let inUse: Int
    let entry: NetworkLimits.Entry

    package var most: Int? { entry.limit.campaigns }
    package var source: String? { entry.source }
    package var read: Day? { entry.read }
  }
}

extension PlanReport.Proposal {
  package enum Kind: String, Sendable { case merge, raise, values }

  package var kind: Kind {
    switch plan.kind {
    case .merge: .merge
    case .raise: .raise
    case .values: .values
    }
  }

  var extraSpend: Amount? {
    if case .raise(_, _, let spend) = plan.kind { Amount(rounding: spend) } else { nil }
  }
}

extension PlanReport.Model {
  /// `nil` where own postbacks leave two models open.
  var threshold: CrowdThreshold? { if case .known(let threshold) = plan.sort { threshold } else { nil } }
  package var size: ExpectedCount? { threshold.map { ExpectedCount($0.threshold) } }
  /// The 90 % interval of the size, or the sizes of both models.
  package var sizes: Bounds<ExpectedCount>? {
    switch plan.sort {
    case .known(let threshold):
      Bounds(ExpectedCount(threshold.interval.low), ExpectedCount(threshold.interval.high))
    case .open(let low, let high, _):
      Bounds(low.threshold.map { ExpectedCount($0) }, high.threshold.map { ExpectedCount($0) })
    case .byValue: nil
    }
  }
  /// How many users of a campaign and week have to share a value, where values are withheld by that.
  package var users: Int? { if case .byValue(let users) = plan.sort { users } else { nil } }
  var isKnown: Bool { if case .open = plan.sort { false } else { true } }
  /// Why own postbacks do not show one model; `nil` where they do.
  package var reason: Sentence? {
    guard case .open(_, _, let reason) = plan.sort else { return nil }
    return switch reason {
    case .wide: Sentence("too few days near that size")
    case .hardlyAny: Sentence("hardly any value is withheld at these sizes")
    case .nearlyAll: Sentence("nearly all values are withheld at these sizes")
    case .notBySize: Sentence("values are withheld, but not by size")
    case .noData: Sentence("no own postbacks: the sizes that Unity and TikTok recommend")
    }
  }
}
