import Simulation
import Values

/// What happened on one UTC day: the truth of those who installed on it, and what arrived on it.
struct DayFigures: Sendable {
  let day: Day
  var installs = 0.0
  /// Their revenue within the horizon, on whatever day.
  var revenue = MoneySum.zero
  /// Winning postbacks that arrived, the mean of the runs.
  var postbacks = 0.0
  /// Of them, those without a value.
  var nulls = 0.0
  /// Of them, those with the fine value 0.
  var zeroes = 0.0
  /// What the values that arrived are worth, of windows that add up.
  var visible = MoneySum.zero
  var revenueSoFar = MoneySum.zero
  /// What the values are worth that arrived up to the day.
  var visibleSoFar = MoneySum.zero
}

extension RunFigures {
  /// The days on which something happened, in order.
  var days: [DayFigures] {
    var days: [Day: DayFigures] = [:]
    for (day, truth) in sum.installDays {
      days[day, default: DayFigures(day: day)].installs = mean(truth.installs)
      days[day, default: DayFigures(day: day)].revenue = truth.revenue
    }
    for (window, addsUp) in zip(sum.windows, sum.addsUp) {
      for (day, arrived) in window.arrivals {
        days[day, default: DayFigures(day: day)].add(arrived, runs: runs, isWorth: addsUp)
      }
    }
    var rows = days.values.sorted { $0.day < $1.day }
    // Sums over the runs are divided at the end, so that the last day's are exactly the totals.
    var (revenue, visible) = (MoneySum.zero, MoneySum.zero)
    for index in rows.indices {
      revenue += rows[index].revenue
      visible += rows[index].visible
      rows[index].revenue = mean(rows[index].revenue)
      rows[index].visible = mean(rows[index].visible)
      rows[index].revenueSoFar = mean(revenue)
      rows[index].visibleSoFar = mean(visible)
    }
    return rows
  }
}

extension DayFigures {
  fileprivate mutating func add(_ arrived: ArrivalDay, runs: Int, isWorth: Bool) {
    postbacks += Double(arrived.postbacks) / Double(runs)
    nulls += Double(arrived.nulls) / Double(runs)
    zeroes += Double(arrived.zeroes) / Double(runs)
    if isWorth { visible += arrived.visible }
  }
}
