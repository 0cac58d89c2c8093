import Campaigns
import Estimates
import Mappings
import Postbacks
import Values

extension PlanReport {
  /// Where more is shown, coarse values are of little use.
  private static let nearlyAll = 0.9

  /// What a reader of a plan needs to know, and what Apple alone knows.
  func notes(
    _ plan: CampaignPlan, _ evidence: PlanEvidence, models: [CampaignPlan.Model], _ limits: [Limit],
    _ installs: Range<Day>
  ) -> [Sentence] {
    var notes = scope.environment.notes
    notes.append(
      Sentence(
        "Apple publishes no size from which it shows values: privacy threshold models are estimates, and Apple can change its rule "
          + "at any time"))
    notes += modelNotes(models, plan.tests, evidence)
    if let users = models.lazy.compactMap({ if case .byValue(let users) = $0.sort { users } else { nil } })
      .first
    {
      notes.append(
        Sentence(
          "hardly any value was shown for fewer than \(users) users of a campaign and week: the plan takes this for Apple's rule, in place of a size"
        ))
    } else if evidence.sharing.refutesRules {
      notes.append(
        Sentence(
          "a value was shown for a single user of a campaign and week: fewer values would not show more"))
    }
    guard !evidence.asked.isEmpty else { return notes }
    notes.append(
      Sentence(
        "campaigns are counted by their last two digits, which are the largest group of Apple's rule; more digits cost no values by it"
      ))
    for mapping in evidence.mappings.prefix(3) {
      notes.append(
        Sentence(
          "the plan is made for the mapping '\(name: mapping.name)', in force since \(mapping.effectiveFrom.day)"
        ))
    }
    let isWithheld = plan.total.share < Self.nearlyAll
    for mapping in evidence.mappings.filter({ $0.hasNoCoarseValue && isWithheld }).prefix(3) {
      notes.append(
        Sentence(
          "the mapping '\(name: mapping.name)' has no coarse values for window 1: where Apple withholds fine values, SKAdNetwork 4 and AdAttributionKit show coarse ones of smaller groups"
        ))
    }
    for mapping in evidence.mappings.prefix(3) {
      for (window, events) in mapping.eventsOfLaterWindows {
        let number = window.rawValue + 1
        let names = Sentence.joined(events.map { Sentence(name: $0) }, by: ", ")
        notes.append(
          Sentence(
            "only window \(number) of the mapping '\(name: mapping.name)' counts \(names): coarse, days later, and of users who come back; "
              + "what happens within two days can count in window 1"))
      }
    }
    if !plan.sizes.isEmpty {
      let sizes = plan.sizes.map(String.init)
      notes.append(
        Sentence(
          "with the chosen proposals, a small, a middle and a large campaign have \(code: sizes.joined(separator: ", ")) installs a week: `skan mapping design "
            + "--campaign-installs \(code: sizes.joined(separator: ","))` makes a mapping for these"
        ).onPages(nil))
    }
    if plan.proposals.contains(where: { $0.spendADay != nil }) || budget != nil {
      notes.append(
        Sentence(
          "an install is taken to cost as much as from \(installs.lowerBound) to \(Day(number: installs.upperBound.number - 1)); more budget usually costs "
            + "more for each"))
    }
    if evidence.hasOtherMoney {
      notes.append(
        Sentence(
          "amounts in other currencies without a rate, or of another time since the install, are left out; choose a currency or an app"
        ))
    }
    for limit in limits {
      guard let most = limit.entry.limit.campaigns, limit.inUse > most else { continue }
      notes.append(
        Sentence(
          "\(name: evidence.networkNames[limit.network] ?? limit.network): \(limit.inUse) campaigns had postbacks in the last 7 days, "
            + "more than the \(most) that it takes"))
    }
    if evidence.idle > 0 {
      notes.append(
        Sentence(
          "campaigns without a postback in the last 7 days have no proposal: \(grouped: evidence.idle)"))
    }
    return notes
  }

  private func modelNotes(
    _ models: [CampaignPlan.Model], _ tests: [CampaignPlan.Test], _ evidence: PlanEvidence
  ) -> [Sentence] {
    var notes: [Sentence] = []
    let open = models.filter { if case .open = $0.sort { true } else { false } }
    if !open.isEmpty {
      notes.append(
        Sentence(
          "own postbacks do not show from which size on Apple shows values: figures are by two models, low and high"
        ))
    }
    for model in open {
      guard let test = tests.first(where: { $0.network == model.network }) else {
        notes.append(Sentence("no test of four weeks distinguishes the two models"))
        continue
      }
      let size = Int(nearest: test.installsADay)
      let shares = Sentence("\(number: percent(test.low)) or \(number: percent(test.high)) shown")
      let cost = test.cost.map(evidence.money)
      notes.append(
        cost.map { cost in
          Sentence(
            "\(grouped: size) installs a day in one campaign for \(test.days) days (\(cost)) would distinguish the two models "
              + "in 9 of 10 cases: \(shares)")
        }
          ?? Sentence(
            "\(grouped: size) installs a day in one campaign for \(test.days) days would distinguish the two models in 9 of 10 "
              + "cases: \(shares)"))
    }
    // One change is of all models.
    if let since = models.lazy.compactMap(\.since).first {
      notes.append(
        Sentence(
          "the rule seems to have changed about \(Day(number: Int32(clamping: since))): the model rests on later days alone"
        ))
    }
    return notes
  }
}
