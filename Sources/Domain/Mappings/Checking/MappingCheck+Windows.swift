import JSONText
import Postbacks
import Values

// Rules for a time at which their value can't be set any more, or not yet.

extension MappingCheck {
  /// Reports rules for hours outside of those in which their value is set.
  mutating func checkWindows() {
    var reported: Set<JSONPath> = []
    let end = mapping.fineEnd.map { ($0 + Hour.seconds - 1) / Hour.seconds } ?? Int64(HourRange.longest)
    for (rule, place) in zip(mapping.fine, document.finePlaces) {
      checkHours(rule.conditions, within: 0..<end, place, nil, &reported)
    }
    for (window, rules) in mapping.coarse.ordered(by: { $0.key < $1.key }) {
      for (rule, place) in zip(rules.rules, document.coarsePlaces[window] ?? []) {
        checkHours(rule.conditions, within: window.hourRange, place, window, &reported)
      }
    }
  }

  private mutating func checkHours(
    _ conditions: Conditions, within hours: Range<Int64>, _ place: Place, _ window: ConversionWindow?,
    _ reported: inout Set<JSONPath>
  ) {
    let what =
      window.map { Sentence("coarse values of window \($0.rawValue + 1)") } ?? Sentence("fine values")
    let span = Sentence("hours \(hours.lowerBound) to \(hours.upperBound)")
    if let active = conditions.activeHours,
      Int64(active.from) >= hours.upperBound || Int64(active.to) <= hours.lowerBound
    {
      guard reported.insert(place.path).inserted else { return }
      log.report(
        .impossibleInWindow, place,
        Sentence(
          "activity in hours \(active.from) to \(active.to) has no effect: \(what) are set in \(span)"),
        hint: cure(for: Int64(active.from), span))
      return
    }
    let possible = (window ?? .first).hourRange
    if mapping.device.hasWindows, let beyond = conditions.activeHours?.hours(outside: possible),
      reported.insert(place.path).inserted
    {
      let span = Sentence("hours \(possible.lowerBound) to \(possible.upperBound)")
      log.report(
        .impossibleInWindow, place,
        Sentence(
          "activity in hours \(beyond.lowerBound) to \(beyond.upperBound) has no effect: "
            + "\(what) are set in \(span)"),
        hint: cure(for: beyond.lowerBound, span))
    }
    let latest = min(hours.upperBound, conditions.activeHours.map { Int64($0.to) } ?? .max)
    for event in conditions.events where event.count.min > 0 {
      guard let declared = mapping.declaredEvents.first(where: { $0.name == event.name }),
        Int64(declared.earliestHours) >= latest, reported.insert(place.path).inserted
      else { continue }
      let name = quoted(event.name)
      log.report(
        .impossibleInWindow, place,
        latest < hours.upperBound
          ? Sentence(
            "\(name: name) cannot happen before hour \(declared.earliestHours), but \(what) are set in \(span) "
              + "and the rule ends at hour \(latest)")
          : Sentence(
            "\(name: name) cannot happen before hour \(declared.earliestHours), but \(what) are set in \(span)"
          ),
        hint: cure(for: Int64(declared.earliestHours), span))
    }
  }

  /// What to do with a rule for an hour at which its value can't be set.
  private func cure(for hour: Int64, _ span: Sentence) -> Sentence {
    guard mapping.device.hasWindows else {
      return Sentence("SKAdNetwork 3 has no later window; write hours within \(span).")
    }
    guard let window = ConversionWindow(secondsSinceInstall: hour * Hour.seconds) else {
      return Sentence(
        "Window 3 is the last and ends with hour 840; write hours within \(span), or delete the rule.")
    }
    let end = mapping.fineEnd ?? 0
    if window == .first, hour * Hour.seconds >= end {
      return Sentence("Write hours within \(span), or raise \"measurement-window-hours\", at most to 48.")
    }
    return Sentence(
      "Move the rule to the coarse values of window \(window.rawValue + 1), which has hours "
        + "\(window.hourRange.lowerBound) to \(window.hourRange.upperBound), or write hours within \(span).")
  }
}

extension HourRange {
  /// The hours before or behind others; `nil` where there are none, or an end is only the first or last hour of all.
  fileprivate func hours(outside hours: Range<Int64>) -> Range<Int64>? {
    if to < Self.longest, Int64(to) > hours.upperBound {
      return max(Int64(from), hours.upperBound)..<Int64(to)
    }
    return from > 0 && Int64(from) < hours.lowerBound ? Int64(from)..<min(Int64(to), hours.lowerBound) : nil
  }
}

extension ConversionWindow {
  /// The hours since first launch that belong to the window.
  fileprivate var hourRange: Range<Int64> {
    seconds.lowerBound / Hour.seconds..<seconds.upperBound / Hour.seconds
  }
}
