@testable import Estimates
import Postbacks
import Testing
import Values

@Suite("Postbacks of later windows")
struct LaterWindowTests {
  @Test func `A later window arrives as many days after the first postback as Apple's timers allow`() {
    // Window 1 leaves 72 to 96 hours after the install, window 2 192 to 312, window 3 864 to 984.
    let second = LaterWindowDelay(.second)
    #expect(second.first == 4 && second.first + second.probabilities.count - 1 == 10)
    let third = LaterWindowDelay(.third)
    #expect(third.first == 32 && third.first + third.probabilities.count - 1 == 38)
    for delay in [second, third] {
      #expect(abs(delay.probabilities.reduce(0, +) - 1) < 1e-9)
      #expect(delay.arrived(within: delay.first - 1) == 0 && delay.arrived(within: 60) > 1 - 1e-9)
      let mean = zip(0..., delay.probabilities).reduce(0.0) { $0 + Double($1.0) * $1.1 } + Double(delay.first)
      // The middle of the later window's delay less that of the first, and half a day either way.
      #expect(abs(mean - (delay.first == 4 ? 7 : 35)) < 0.1)
    }
  }

  @Test func `All installs are below the threshold, without an update, due, seen or lost`() {
    let shares = UpdateShares([(users: 100, updated: 20), (users: 50, updated: 40)])
    var updates = ExpectedUpdates()
    if let shares {
      updates.add(300, value: 0, shares)
      updates.add(100, value: 1, shares)
    }
    var shortfall = LaterWindowShortfall()
    shortfall.add(withValue: 400, withoutValue: 70, updates, arrived: 0.75)
    shortfall.seen = 90
    let parts =
      shortfall.belowThreshold + shortfall.noUpdate + shortfall.due + shortfall.seen + shortfall.lost
    #expect(abs(parts - shortfall.installs) < 1e-9)
    #expect(shortfall.lostInterval(dispersion: 1).contains(shortfall.lost))
    #expect(
      shortfall.lostInterval(dispersion: 4).width > shortfall.lostInterval(dispersion: 1).width)
  }

  @Test func `Intervals of what is lost and of what is not updated hold as often as they state`() {
    var random = SplitMix64(seed: 5)
    let truth = [0.25, 0.7]
    var (held, heldNoUpdate) = (0, 0)
    for _ in 0..<1_000 {
      // 300 own users of each value, and a campaign of 400 installs that loses 15 %.
      let shares = UpdateShares(
        truth.map { share in (users: 300, updated: Double(random.binomial(300, share))) })
      var (updates, seen, lost, unsent) = (ExpectedUpdates(), 0.0, 0.0, 400.0)
      for (value, users) in [320, 80].enumerated() {
        if let shares { updates.add(Double(users), value: value, shares) }
        let sent = random.binomial(users, truth[value])
        let missing = random.binomial(sent, 0.15)
        seen += Double(sent - missing)
        lost += Double(missing)
        unsent -= Double(sent)
      }
      var shortfall = LaterWindowShortfall()
      shortfall.add(withValue: 400, withoutValue: 0, updates, arrived: 1)
      shortfall.seen = seen
      if shortfall.lostInterval(dispersion: 1).contains(lost) { held += 1 }
      if shortfall.noUpdateInterval(dispersion: 1).contains(unsent) { heldNoUpdate += 1 }
    }
    #expect((860...960).contains(held), "\(held) of 1,000")
    #expect((860...960).contains(heldNoUpdate), "\(heldNoUpdate) of 1,000")
  }

  @Test func `A network that loses postbacks does not make others look more different`() {
    var random = SplitMix64(seed: 9)
    func campaigns(losing: Double) -> [LaterWindowShortfall] {
      (0..<40).map { _ in
        var shortfall = LaterWindowShortfall()
        shortfall.expected = 100
        shortfall.chanceVariance = 60
        shortfall.seen = Double(random.binomial(250, 0.4 * (1 - losing)))
        return shortfall
      }
    }
    let dispersion = LaterWindowShortfall.dispersion([campaigns(losing: 0), campaigns(losing: 0.5)])
    #expect(dispersion < 1.5)
    #expect(LaterWindowShortfall.dispersion([campaigns(losing: 0) + campaigns(losing: 0.5)]) > 5)
  }
}
