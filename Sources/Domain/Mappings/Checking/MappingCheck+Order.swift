import Postbacks
import Values

// The traps that lie in the order of values: what is set first can keep a later value from being sent.

extension MappingCheck {
  /// Under raise-only, a value that needs no money and is higher than one that does, and so hides it.
  mutating func checkBlockedMoney() {
    guard mapping.isRaiseOnly else { return }
    let rules = mapping.fine
    let profiles = rules.map { Profile($0.conditions) }
    for index in rules.indices where !unreachable.contains(index) {
      let blocked = rules.indices.first { other in
        rules[other].value < rules[index].value && !unreachable.contains(other)
          && profiles[other].hasMoreMoney(than: profiles[index])
          && profiles[other].canFollow(profiles[index])
      }
      guard let blocked else { continue }
      log.report(
        .blockedMoney, document.finePlaces[index],
        Sentence("after \(words(index)), \(words(blocked)) cannot be set, and its revenue is lost"),
        hint: Sentence("Give higher values to higher revenue."))
    }
  }

  /// A lock at a value after which another one with more money could have come.
  mutating func checkLocks() {
    guard mapping.device.hasWindows else { return }
    let rules = mapping.fine
    let profiles = rules.map { Profile($0.conditions) }
    for index in rules.indices where rules[index].lock && !unreachable.contains(index) {
      let lost = rules.indices.first { other in
        other != index && !unreachable.contains(other) && rules[other].value != rules[index].value
          && (!mapping.isRaiseOnly || rules[other].value > rules[index].value)
          && profiles[other].hasMoreMoney(than: profiles[index])
          && profiles[other].canFollow(profiles[index])
      }
      guard let lost else { continue }
      report(lockAt: document.finePlaces[index], words(index), hides: words(lost))
    }
    for (window, coarse) in mapping.coarse.ordered(by: { $0.key < $1.key }) {
      let rules = coarse.rules
      let profiles = rules.map { Profile($0.conditions) }
      for index in rules.indices where rules[index].lock {
        let lost = rules.indices.first { other in
          rules[other].value.rank > rules[index].value.rank
            && profiles[other].hasMoreMoney(than: profiles[index])
            && profiles[other].canFollow(profiles[index])
        }
        guard let lost, let place = document.coarsePlaces[window]?[index] else { continue }
        report(
          lockAt: place, Sentence("\(code: rules[index].value.rawValue)"),
          hides: Sentence("\(code: rules[lost].value.rawValue)"))
      }
    }
  }

  private mutating func report(lockAt place: Place, _ locked: Sentence, hides lost: Sentence) {
    log.report(
      .lockLosesMoney, place,
      Sentence("after the lock at \(locked), \(lost) cannot be set, and its revenue is lost"),
      hint: Sentence("Lock only at the value with the highest revenue."),
      repair: MappingRepair(unlocking: place.path))
  }

  /// A higher fine value that comes with a lower coarse one, although the one can follow the other.
  mutating func checkCoarseOrder() {
    guard mapping.device.hasWindows else { return }
    let values = mapping.fine.indices.map { coarse(with: $0) }
    let profiles = mapping.fine.map { Profile($0.conditions) }
    for index in mapping.fine.indices where !unreachable.contains(index) {
      guard let coarse = values[index] else { continue }
      let before = mapping.fine.indices.first { other in
        guard let earlier = values[other], !unreachable.contains(other) else { return false }
        return mapping.fine[other].value < mapping.fine[index].value && earlier.rank > coarse.rank
          && profiles[index].canFollow(profiles[other])
      }
      guard let before, let earlier = values[before] else { continue }
      log.report(
        .coarseFalls, document.finePlaces[index],
        Sentence(
          "\(words(index)) comes with coarse \(code: coarse.rawValue), but the lower \(words(before)) with "
            + "\(code: earlier.rawValue)"),
        hint: Sentence("Use coarse values that rise with the fine values."))
    }
  }

  /// The coarse value of the first window that goes with a fine rule: its own, or what holds for a user who has just
  /// done what the rule asks for.
  func coarse(with index: Int) -> CoarseValue? {
    let rule = mapping.fine[index]
    if let coarse = rule.coarse { return coarse }
    guard let rules = mapping.coarse[.first] else { return nil }
    let (totals, seconds) = rule.conditions.example
    return rules.rule(for: totals, at: seconds).map { rules.rules[$0].value }
  }
}

/// A rule's conditions with their ranges of money by the sum that they are for.
private struct Profile {
  let conditions: Conditions
  let ranges: [RevenueKey: AmountRange]

  init(_ conditions: Conditions) {
    self.conditions = conditions
    ranges = conditions.ranges
  }

  /// Whether the rule asks for more money than another may have, of the same sort.
  func hasMoreMoney(than poor: Profile) -> Bool {
    for (key, range) in ranges where range.lower != .unbounded {
      guard let other = poor.ranges[key] else {
        // A rule on other money is a matter of taste; one on no money at all hides the money.
        if poor.ranges.isEmpty, range.last > 0 { return true }
        continue
      }
      if range.first > 0, other.last < range.first { return true }
    }
    return false
  }

  /// Whether this rule can apply later to a user that another rule applies to; sums are assumed to rise.
  func canFollow(_ earlier: Profile) -> Bool {
    if let from = earlier.conditions.activeHours?.from, let to = conditions.activeHours?.to, to <= from {
      return false
    }
    for event in conditions.events {
      guard let before = earlier.conditions.events.first(where: { $0.name == event.name }) else { continue }
      if let most = event.count.max, most < before.count.min { return false }
    }
    for (key, range) in ranges {
      if let before = earlier.ranges[key], range.last < before.first { return false }
    }
    return true
  }
}

enum RevenueKey: Hashable {
  case total(CurrencyCode)
  case event(String, CurrencyCode)
}

extension Conditions {
  var ranges: [RevenueKey: AmountRange] {
    var ranges: [RevenueKey: AmountRange] = [:]
    if let revenue { ranges[.total(revenue.currency)] = revenue.range }
    for event in events {
      if let revenue = event.revenue { ranges[.event(event.name, revenue.currency)] = revenue.range }
    }
    return ranges
  }

  /// A user who has just done what the conditions ask for, and the moment.
  var example: (totals: Totals, seconds: Int64) {
    var totals = Totals()
    for event in events {
      var total = Totals.Event(count: max(event.count.min, 1))
      if event.count.max == 0 { total.count = 0 }
      if let revenue = event.revenue {
        let amount = Amount(micros: max(revenue.range.first, min(0, revenue.range.last)))
        total.revenue[revenue.currency] = amount
        totals.revenue[revenue.currency] =
          totals.revenue[revenue.currency, default: .zero].adding(amount).sum
      }
      totals.events[event.name] = total
    }
    if let revenue {
      let known = totals.revenue[revenue.currency, default: .zero].micros
      totals.revenue[revenue.currency] = Amount(
        micros: max(revenue.range.first, min(known, revenue.range.last)))
    }
    return (totals, Int64(activeHours?.from ?? 0) * Hour.seconds)
  }
}
