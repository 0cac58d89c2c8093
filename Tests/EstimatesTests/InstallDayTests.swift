import Estimates
@testable import Mappings
import Testing
@testable import Values

@Suite struct DelayKernelTests {
  /// A delay that is uniform between two hours after install.
  private func uniform(_ low: Double, _ high: Double) -> DelayKernel {
    DelayKernel(longest: high) { min(1, max(0, ($0 - low) / (high - low))) }
  }

  @Test func `Each protocol's delay kernel falls on the days of its timers`() {
    func days(_ kernel: DelayKernel) -> [Int: Double] {
      Dictionary(
        uniqueKeysWithValues: kernel.byDay.enumerated().filter { $0.element > 1e-12 }.map {
          ($0.offset, ($0.element * 1e9).rounded() / 1e9)
        })
    }
    #expect(days(uniform(24, 48)) == [1: 0.5, 2: 0.5])
    #expect(days(uniform(72, 96)) == [3: 0.5, 4: 0.5])
    #expect(days(uniform(192, 312)) == [8: 0.1, 9: 0.2, 10: 0.2, 11: 0.2, 12: 0.2, 13: 0.1])
    #expect(days(uniform(864, 984)) == [36: 0.1, 37: 0.2, 38: 0.2, 39: 0.2, 40: 0.2, 41: 0.1])
  }

  @Test func `Delay probabilities sum to one, and completeness rises to one`() {
    let kernels = [
      uniform(72, 96), uniform(192, 312),
      DelayKernel(lastRises: [3, 0, 1] + [Double](repeating: 0.1, count: 40)),
      DelayKernel.mixture([(uniform(24, 48), 2), (uniform(192, 312), 1)]),
      DelayKernel(longest: 48, hours: [0, 0, 1, 2, 3, 3, 4, 5]) { min(1, max(0, ($0 - 24) / 24)) },
    ]
    for kernel in kernels {
      #expect(abs(kernel.probabilities.reduce(0, +) - 1) < 1e-12)
      #expect(kernel.probabilities.allSatisfy { $0 >= -1e-15 })
      #expect(kernel.completeness(after: 0) == 0)
      #expect(abs(kernel.completeness(after: 10_000) - 1) < 1e-12)
      for bin in 0..<60 { #expect(kernel.completeness(after: bin) <= kernel.completeness(after: bin + 1)) }
    }
    #expect(abs(uniform(72, 96).completeness(after: 32) - 0.5) < 1e-12)
  }

  @Test func `A last update in one hour shifts the timer by that hour`() {
    let atOnce = DelayKernel(lastRises: [1])
    let day = DelayKernel(lastRises: [Double](repeating: 0, count: 24) + [1])
    #expect(abs(atOnce.byDay[1] - 0.5) < 0.03)
    #expect(agree(Array(day.byDay[1...3]), [0] + atOnce.byDay[1...2], within: 1e-9))
  }

  @Test func `The delay of a value in a mapping gives its kernel`() {
    let kernel = DelayKernel(SendingDelay(final: 48...48, random: 24...48))
    #expect(agree(kernel.byDay, uniform(72, 96).byDay, within: 1e-12))
    // The sum of two evenly spread days is a triangle: 1/1152 of its square on either side.
    let triangle = DelayKernel(SendingDelay(final: 0...24, random: 24...48))
    #expect(triangle.byDay.count == 4)
    let days: [Double] = [0, 1.0 / 6, 2.0 / 3, 1.0 / 6]
    #expect(agree(triangle.byDay, days, within: 1e-3))
  }
}

@Suite struct InstallDaysTests {
  private let kernel = DelayKernel(longest: 96) { min(1, max(0, ($0 - 72) / 24)) }

  private func arrivals(_ daily: [Double], kernel: DelayKernel, bins: Int) -> [Double] {
    var arrivals = [Double](repeating: 0, count: bins)
    for (day, amount) in daily.enumerated() {
      for (offset, probability) in kernel.probabilities.enumerated() where day * 8 + offset < bins {
        arrivals[day * 8 + offset] += amount * probability
      }
    }
    return arrivals
  }

  @Test func `Estimated install days match the reference example`() throws {
    let golden = try Golden.read().rl
    // Evenly on hours 36 to 59 after the day's start: a kernel whose bins of one day do not reach the next day's.
    let hours = [1.0, 0, 0, 0, 0, 0, 0, 0]
    let kernel = DelayKernel(longest: 60, hours: hours) { time in
      time < 36 ? 0 : min(1, ((time - 36) / 3).rounded(.up) / 8)
    }
    #expect(kernel.probabilities.filter { $0 > 0 }.count == 8)
    let arrivals = arrivals(golden.lam, kernel: kernel, bins: 160)
    #expect(abs(arrivals.reduce(0, +) - golden.y_sum) < 1e-9)
    let days = InstallDays(arrivals: arrivals, kernel: kernel, days: 0..<20, rounds: 50)
    #expect(agree(days.daily, golden.lam, within: 1e-6))
  }

  @Test(arguments: 0..<20)
  func `Estimated install days keep totals, and shares of a bin sum to one`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let daily = (0..<30).map { _ in Double(random.number(below: 50)) }
    let exact = arrivals(daily, kernel: kernel, bins: 40 * 8)
    let arrivals = exact.map { $0 > 0 ? Double(random.number(below: Int($0) + 2)) : 0 }
    for rounds in [1, 3, 10] {
      let days = InstallDays(arrivals: arrivals, kernel: kernel, days: 0..<30, rounds: rounds)
      #expect(agree([days.daily.reduce(0, +)], [arrivals.reduce(0, +)], within: 1e-9))
      #expect(days.unexplained == 0)
      #expect(days.completeness.allSatisfy { abs($0 - 1) < 1e-12 })
      var shared = [Double](repeating: 0, count: 30)
      for (bin, amount) in arrivals.enumerated() where amount > 0 {
        let origins = days.origins(ofBin: bin)
        #expect(abs(origins.reduce(0) { $0 + $1.probability } - 1) < 1e-12)
        for origin in origins { shared[origin.day] += amount * origin.probability }
      }
      let (sum, wanted): (Double, Double) = (shared.reduce(0, +), arrivals.reduce(0, +))
      #expect(abs(sum - wanted) < 1e-6)
    }
  }

  @Test func `Days that are not over are extrapolated to the postbacks still to come`() {
    let daily = [Double](repeating: 80, count: 20)
    let days = InstallDays(
      arrivals: arrivals(daily, kernel: kernel, bins: 20 * 8), kernel: kernel, days: 0..<20, rounds: 10)
    #expect(abs(days.daily[10] - 80) < 2)
    #expect(days.completeness[10] == 1)
    #expect(abs(days.completeness[16] - 0.5) < 1e-9)
    #expect(abs(days.daily[16] - 80) < 16)
    #expect(days.completeness[17] == 0)
  }

  @Test func `Arrivals that no install day explains are reported`() {
    var arrivals = arrivals([40], kernel: kernel, bins: 80)
    arrivals[2] = 7
    let days = InstallDays(arrivals: arrivals, kernel: kernel, days: 0..<5, rounds: 3)
    #expect(days.unexplained == 7)
    #expect(days.origins(ofBin: 2).isEmpty)
    let earlier = InstallDays(arrivals: arrivals, kernel: kernel, days: -5..<5, rounds: 3)
    #expect(earlier.unexplained == 0)
    #expect(earlier.firstDay == -5)
    #expect(earlier.origins(ofBin: 2).allSatisfy { $0.day < 0 })
  }

  @Test(arguments: [(100.0, 3), (101, 5), (999, 5), (1000, 10)])
  func `More installs use more iterations`(installs: Double, rounds: Int) {
    #expect(InstallDays.rounds(forDaily: installs) == rounds)
  }

  @Test(arguments: [100.0, 1000])
  func `Estimated install days keep spikes, far better than a fixed shift does`(installs: Double) {
    var random = SplitMix64(seed: 6)
    let daily: [Double] = (0..<56).map { day in
      let week = 1 + 0.2 * Double(day % 7) / 6
      let event = day == 30 ? 2.5 : (40...43).contains(day) ? 0.4 : 1
      return installs * week * event
    }
    var truth = [Double](repeating: 0, count: 56)
    var arrivals = [Double](repeating: 0, count: 61 * 8)
    for (day, mean) in daily.enumerated() {
      for _ in 0..<random.poisson(mean) {
        let hour = Double(day) * 24 + 24 * random.fraction() + 72 + 24 * random.fraction()
        truth[day] += 1
        arrivals[Int(hour / 3)] += 1
      }
    }
    let days = InstallDays(
      arrivals: arrivals, kernel: kernel, days: 0..<56, rounds: InstallDays.rounds(forDaily: installs))
    func error(_ guess: (Int) -> Double) -> Double {
      (7..<50).reduce(0) { $0 + abs(guess($1) - truth[$1]) } / truth[7..<50].reduce(0, +)
    }
    let shifted = error { day in arrivals[((day + 3) * 8)..<((day + 4) * 8)].reduce(0, +) }
    #expect(error { days.daily[$0] } <= 0.6 * shifted)
    #expect(abs(days.daily[30] / truth[30] - 1) < 0.1)
  }
}
