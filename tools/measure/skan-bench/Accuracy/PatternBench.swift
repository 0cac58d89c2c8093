import Estimates
import System
import Values

/// Measures how often `skan report patterns` calls networks and campaigns unusual whose installs are earned, and how often
/// it finds a network that claims organic installs by views.
///
/// One JSON line for each law and claim. The same words give the same lines.
struct PatternBench {
  /// The first seed.
  let first: Int
  /// Apps of each law without a claim; of each claim a quarter.
  let worlds: Int

  private static let shares = [0.1, 0.2, 0.4]

  func run() {
    for law in PatternWorld.Law.allCases {
      show(law, nil, worlds: worlds)
    }
    let few = max(1, worlds / 4)
    for share in Self.shares {
      // From the first day that is judged, or ever.
      show(.usual, .init(share: share, begin: PatternWorld.before), worlds: few)
      show(.usual, .init(share: share, begin: 0), worlds: few)
    }
  }

  private struct Tally {
    var (honest, flagged, flaggedInMonth) = (0, 0, 0)
    var (claimants, found, foundInMonth) = (0, 0, 0)
    var tests: [PatternTest: Int] = [:]
    /// How many tests of honest ones were made at the first look, and how many had a probability of at most 1 %.
    var (tested, small) = (0, 0)
  }

  private func show(_ law: PatternWorld.Law, _ claim: PatternWorld.Claim?, worlds: Int) {
    var tallies = [Tally(), Tally()]
    for seed in first..<(first + worlds) {
      let world = PatternWorld(law, claim: claim, seed: UInt64(seed) &* 0x9E37_79B9)
      for byCampaign in [false, true] {
        add(world, claims: claim != nil, byCampaign: byCampaign, to: &tallies[byCampaign ? 1 : 0])
      }
    }
    for (what, tally) in zip(["networks", "campaigns"], tallies) {
      let tests = PatternTest.allCases.map { "\"\($0.rawValue)\":\(tally.tests[$0] ?? 0)" }.joined(
        separator: ",")
      print(
        """
        {"kind":"patterns","law":"\(law.rawValue)","claim":\(claim?.share ?? 0),"begins":\(claim.map { $0.begin > 0 } ?? false),\
        "of":"\(what)","first_seed":\(first),"worlds":\(worlds),"honest":\(tally.honest),\
        "flagged":\(share(tally.flagged, tally.honest)),"flagged_in_month":\(share(tally.flaggedInMonth, tally.honest)),\
        "claimants":\(tally.claimants),"found":\(share(tally.found, tally.claimants)),\
        "found_in_month":\(share(tally.foundInMonth, tally.claimants)),\
        "below_1":\(share(tally.small, tally.tested)),"tests":{\(tests)}}
        """)
    }
  }

  private func share(_ part: Int, _ whole: Int) -> String {
    "\((Double(part) / Double(max(1, whole)) * 1e5).rounded() / 1e5)"
  }

  /// Looks on every day of a month, as an alert rule does.
  private func add(_ world: PatternWorld, claims: Bool, byCampaign: Bool, to tally: inout Tally) {
    var flagged: [Set<String>] = []
    let claimant = "\(PatternWorld.claimant)"
    for look in 0..<PatternWorld.looks {
      var findings = PatternSearch(
        world.app(until: PatternWorld.before + PatternWorld.recent + look), byCampaign: byCampaign
      ).findings
      PatternFinding.correct(&findings)
      let unusual = findings.filter(\.isUnusual)
      flagged.append(Set(unusual.map { "\($0.network) \($0.campaign ?? "")" }))
      guard look == 0 else { continue }
      for finding in findings where !claims || finding.network != claimant {
        tally.tested += 1
        tally.small += finding.probability <= 0.01 ? 1 : 0
      }
      for finding in unusual where claims == (finding.network == claimant) {
        tally.tests[finding.test, default: 0] += 1
      }
    }
    let month = flagged.reduce(into: Set<String>()) { $0.formUnion($1) }
    let units = Set(world.campaigns.map { "\($0.network) \(byCampaign ? "\($0.number)" : "")" })
    // Of a claimant's campaigns it is the first that claims; the others are honest, and judged with it.
    let claimants = claims ? Set(["\(claimant) \(byCampaign ? "0" : "")"]) : []
    let honest = units.subtracting(claimants)
    tally.honest += honest.count
    tally.flagged += flagged.first.map { $0.intersection(honest).count } ?? 0
    tally.flaggedInMonth += month.intersection(honest).count
    tally.claimants += claimants.count
    tally.found += flagged.first.map { $0.intersection(claimants).count } ?? 0
    tally.foundInMonth += month.intersection(claimants).count
  }
}
