@testable import Estimates
import System
import Testing
import Values

@Suite struct EstimatorTests {
  private func totals(_ fit: EstimatorFit, _ set: CampaignSet) -> [Double] {
    fit.estimates(of: set).map { $0.total ?? .nan }
  }

  /// A node whose children are single codes.
  private func leaves(_ codes: Range<Int>, group: Int) -> DirichletTree.Node {
    .init(children: codes.map { .init(codes: $0..<($0 + 1)) }, group: group)
  }

  @Test func `The Dirichlet-multinomial gives the reference likelihoods and fit`() throws {
    let golden = try Golden.read().eb
    let set = try golden.set()
    var terms = LikelihoodTerms()
    let mix = golden.pi
    #expect(agree(try #require(set.mix), mix, within: 1e-12))
    for counts in golden.N {
      terms.add(total: counts.reduce(0, +))
      for (count, share) in zip(counts, mix) { terms.add(count: count, share: share) }
    }
    terms.close()
    #expect(golden.dm_loglik.count == 5)
    for (text, expected) in golden.dm_loglik {
      let concentration = try #require(Double(text))
      #expect(abs(terms.value(at: concentration) - expected) < 1e-6, "\(concentration)")
    }
    let order = DirichletTree(of: set, mix: mix).order
    let fitted = try FittedTree(
      fitting: DirichletTree(order: order, nodes: [leaves(order.indices, group: 0)], groups: 1), mix: mix,
      campaigns: golden.N.map { CodeCounts($0) })
    #expect(abs(fitted.concentrations[0].value - golden.dm_alpha) < 0.1)
    #expect(agree(totals(EstimatorFit(fitted), set), golden.dm_est, within: 1e-4))
  }

  @Test func `The hurdle tree gives the reference cut, fit and estimates`() throws {
    let golden = try Golden.read().eb
    let set = try golden.set()
    let binary = DirichletTree(of: set, mix: golden.pi)
    var root = binary.nodes[0]
    #expect(root.children[0].codes == 0..<golden.tree.h)
    for side in 0...1 { root.children[side].node = side + 1 }
    let sides = (0...1).map { leaves(root.children[$0].codes, group: $0 + 1) }
    let fitted = try FittedTree(
      fitting: DirichletTree(order: binary.order, nodes: [root] + sides, groups: 3), mix: golden.pi,
      campaigns: golden.N.map { CodeCounts($0) })
    #expect(
      agree(
        Array(fitted.flat.shares(of: fitted.mixSums)[fitted.flat.nodes[0].children]), golden.tree.q,
        within: 1e-12))
    #expect(abs(fitted.concentrations[0].value - golden.tree.A) < 0.1)
    #expect(abs(fitted.concentrations[1].value - golden.tree.al) < 0.1)
    // The reference's search stops just short of the same bound.
    #expect(abs(fitted.concentrations[2].value / golden.tree.ah - 1) < 0.01)
    for (counts, theta) in zip(golden.N, golden.tree_theta) {
      #expect(agree(fitted.mix(given: CodeCounts(counts)), theta, within: 1e-4))
    }
    #expect(agree(totals(EstimatorFit(fitted), set), golden.tree_est, within: 1e-4))
  }

  @Test(arguments: 0..<40)
  func `Mixes sum to one, and parts add to the whole`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let set = try KnownCampaigns.random(&random).set
    for estimator in Estimator.all {
      let estimates = try estimator.estimates(of: set)
      #expect(estimates.map(\.name) == set.campaigns.map(\.name))
      for (estimate, campaign) in zip(estimates, set.campaigns) {
        let total = try #require(estimate.total)
        #expect(total.isFinite)
        let parts = estimate.cells.reduce(0) { $0 + ($1.total ?? .nan) }
        #expect(abs(parts - total) <= 1e-9 * max(1, abs(total)), "\(estimator.name)")
        if campaign.nulls > 0 {
          let bounds = campaign.worstCase(set.worth)
          #expect(total >= bounds.low - 1e-6 && total <= bounds.high + 1e-6, "\(estimator.name)")
        }
        if campaign.nulls > 0, campaign.revealedTotal == 0 { #expect(estimate.headline == nil) }
      }
      let fit = try estimator.fit(to: set)
      for (index, campaign) in set.campaigns.enumerated() where campaign.nulls > 0 {
        let mix = fit.mix(of: campaign, at: index).shares(by: fit.tree)
        #expect(abs(mix.reduce(0, +) - 1) < 1e-9)
        #expect(mix.allSatisfy { $0 >= 0 })
      }
    }
  }

  @Test(arguments: Estimator.all)
  func `Without withheld values the estimate is the decoded sum`(estimator: Estimator) throws {
    var random = SplitMix64(seed: 5)
    let world = try KnownCampaigns.random(&random)
    let campaigns = world.set.campaigns.map {
      RevealedCounts(
        name: $0.name, cells: $0.cells.map { CellCounts(revealed: $0.revealed, nulls: 0) })
    }
    let set = try CampaignSet(campaigns: campaigns, worth: world.set.worth)
    for estimate in try estimator.estimates(of: set) {
      #expect(estimate.total == estimate.decoded)
      #expect(estimate.imputed == 0)
    }
  }

  @Test func `A campaign whose values are all withheld has no number of its own`() throws {
    let golden = try Golden.read().eb
    let estimate = try Estimator.tree.estimates(of: golden.set())[2]
    #expect(estimate.flags == [.nothingRevealed, .mostlyHidden])
    #expect(estimate.headline == nil)
    #expect(estimate.total != nil)
    #expect(estimate.imputedShare == 1)
  }

  @Test func `Without any evidence there is no estimate`() throws {
    let worth = CodeWorth(
      buckets: [0.0, 5].map { BucketWorth(mean: $0, spread: 0, low: $0, high: $0, users: 0) })
    let hidden = RevealedCounts(name: "a", revealed: [0, 0], nulls: 7)
    let set = try CampaignSet(campaigns: [hidden], worth: worth)
    for estimator in Estimator.all {
      let estimate = try #require(try estimator.estimates(of: set).first)
      #expect(estimate.total == nil)
      #expect(estimate.flags.isSuperset(of: [.noEvidence, .nothingRevealed, .amountsFromMapping]))
      #expect(try PredictiveModel(estimator, of: set, seed: 1) == nil)
    }
    let informed = try CampaignSet(campaigns: [hidden], worth: worth, firstParty: [3, 1])
    let estimate = try #require(try Estimator.tree.estimates(of: informed).first)
    #expect(abs((estimate.total ?? 0) - 7 * 1.25) < 1e-9)
    #expect(estimate.headline == nil)
  }

  @Test func `The sensitivity band moves the withheld part only`() throws {
    let estimate = try Estimator.tree.estimates(of: Golden.read().eb.set())[0]
    let (decoded, imputed) = (estimate.decoded, try #require(estimate.imputed))
    #expect(CampaignEstimate.sensitivity == [-0.3, 0, 0.3])
    #expect(estimate.total(withHiddenWorth: 0) == estimate.total)
    #expect(abs((estimate.total(withHiddenWorth: -0.3) ?? 0) - (decoded + 0.7 * imputed)) < 1e-9)
  }

  @Test func `The binary tree reaches every value once`() {
    for codes in [1, 2, 3, 17, 64] {
      let tree = DirichletTree.binary(
        order: Array(0..<codes), weights: (0..<codes).map { 1 / Double($0 + 1) },
        positions: (0..<codes).map { Double($0 * $0) })
      let leaves = tree.nodes.flatMap { $0.children.filter { $0.node == nil }.map(\.codes) }
      #expect(tree.nodes.count == codes - 1)
      #expect(leaves.map(\.lowerBound).sorted() == (codes == 1 ? [] : Array(0..<codes)))
      #expect(leaves.allSatisfy { $0.count == 1 })
    }
  }

  @Test func `Values that are no set of counts are rejected`() {
    let worth = CodeWorth(buckets: [BucketWorth(mean: 1, spread: 0, low: 1, high: 1, users: 0)])
    func rejection(_ campaign: RevealedCounts, _ worth: CodeWorth, _ mix: [Double]? = nil) -> String? {
      do throws(EstimationError) {
        _ = try CampaignSet(campaigns: [campaign], worth: worth, firstParty: mix)
        return nil
      } catch { return error.code }
    }
    let good = RevealedCounts(name: "a", revealed: [1], nulls: 0)
    #expect(rejection(good, worth) == nil)
    #expect(rejection(good, CodeWorth(buckets: [])) == "no-codes")
    #expect(rejection(RevealedCounts(name: "a", revealed: [1, 2], nulls: 0), worth) == "uneven-codes")
    #expect(rejection(RevealedCounts(name: "a", revealed: [-1], nulls: 0), worth) == "not-a-count")
    #expect(rejection(RevealedCounts(name: "a", revealed: [1], nulls: .nan), worth) == "not-a-count")
    #expect(rejection(good, worth, [0]) == "not-a-mix")
    #expect(
      rejection(good, CodeWorth(buckets: [BucketWorth(mean: .nan, spread: 0, low: 0, high: 1, users: 0)]))
        == "not-a-worth")
  }
}

@Suite struct ThresholdCompletionTests {
  @Test(arguments: [0.001, 0.5, 3, 4.99, 5.01, 80, 1e9])
  func `A cut-off Poisson variable has its mean`(rate: Double) {
    let odds = (0..<5).map { value in
      // e^(value ln rate − ln value!) relative to the largest, term by term.
      exponential(
        Double(value) * naturalLogarithm(rate)
          - (1...max(1, value)).reduce(0) { $0 + naturalLogarithm(Double($1)) }
          - 4 * max(0, naturalLogarithm(rate)))
    }
    let mean =
      odds.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element } / odds.reduce(0, +)
    #expect(abs(ThresholdCompletion.truncatedMean(rate, below: 5) - mean) < 1e-9)
  }

  @Test func `Withheld users add up to the nulls and are fewer than the threshold`() {
    let campaign = RevealedCounts(name: "a", revealed: [90, 0, 7, 0, 0], nulls: 6)
    let completed = ThresholdCompletion.complete(campaign, mix: [0.8, 0.05, 0.08, 0.04, 0.03], smallest: 5)
    #expect(!completed.isBeyondRule)
    #expect(abs(completed.hidden.reduce(0, +) - 6) < 1e-6)
    #expect(completed.hidden[0] == 0 && completed.hidden[2] == 0)
    #expect(completed.hidden.allSatisfy { $0 < 4 })
    #expect(completed.hidden[1] > completed.hidden[3])
  }

  @Test(arguments: [(12.0, false), (13.0, true)])
  func `More nulls than the rule can withhold are flagged`(nulls: Double, isBeyond: Bool) {
    let campaign = RevealedCounts(name: "a", revealed: [90, 0, 7, 0, 0], nulls: nulls)
    let completed = ThresholdCompletion.complete(campaign, mix: [0.8, 0.05, 0.08, 0.04, 0.03], smallest: 5)
    #expect(completed.isBeyondRule == isBeyond)
    #expect(abs(completed.hidden.reduce(0, +) - nulls) < 1e-5)
  }

  @Test func `Completion under the threshold rule has a far smaller error than the ratio`() throws {
    var random = SplitMix64(seed: 11)
    let world = try KnownCampaigns.random(&random, campaigns: 60, codes: 12, mechanism: .share(0))
    var campaigns: [RevealedCounts] = []
    var truths: [Double] = []
    for campaign in world.set.campaigns {
      let counts = campaign.revealed
      truths.append(world.set.worth.value(of: counts))
      campaigns.append(
        RevealedCounts(
          name: campaign.name, revealed: counts.map { $0 < 5 ? 0 : $0 },
          nulls: counts.reduce(0) { $0 + ($1 < 5 ? $1 : 0) }))
    }
    let set = try CampaignSet(campaigns: campaigns, worth: world.set.worth)
    func error(_ estimates: [Double]) -> Double {
      zip(estimates, truths).reduce(0) { $0 + abs($1.0 - $1.1) }
    }
    let appMean = try #require(set.appMean)
    let ratios = campaigns.map { campaign in
      let shown = campaign.revealedTotal
      return campaign.total * (shown > 0 ? set.worth.value(of: campaign.revealed) / shown : appMean)
    }
    let completed = try Estimator.threshold(smallest: 5).estimates(of: set).map { $0.total ?? 0 }
    // Rare codes carry most of the worth here, and most campaigns hide all of theirs.
    #expect(error(completed) <= 0.6 * error(ratios))
    let model = try #require(try PredictiveModel(.threshold(smallest: 5), of: set, count: 60, seed: 3))
    let held = zip(campaigns, truths).filter { campaign, truth in
      Interval(of: model.draws(of: campaign).total)?.contains(truth) ?? false
    }
    #expect(held.count >= 48)
  }
}
