import Postbacks
import Values

/// The size of a group on one day.
struct CrowdPlace: Sendable {
  /// Conversions of the campaign on that day.
  let size: Int
  /// The tier, under a model that has tiers.
  let tier: Int
  /// The digits of the source identifier, under a model that has tiers.
  let digits: Int
  /// The users of the week by final value, under a model that asks for them.
  let values: [Int]
  /// The probabilities that the value and the source app are shown, under a model of chances.
  let chances: (value: Double, source: Double)

  init() {
    (size, tier, digits, values, chances) = (0, 0, 2, [], (0, 0))
  }

  init(_ crowd: Crowd, _ group: CrowdGroup, day: Int32, hasWindows: Bool) {
    let campaign = group.campaign
    size = crowd.size(campaign, day: day)
    if case .tiers(let rule) = crowd.model {
      // SKAdNetwork 3 knows no digits; its group is the campaign alone.
      (tier, digits) = hasWindows ? crowd.pick(rule, group, day: day) : (rule.tier(of: size), 4)
    } else {
      (tier, digits) = (0, 4)
    }
    if case .value = crowd.model {
      values = crowd.values(campaign, week: Day(number: day).monday)
    } else {
      values = []
    }
    if case .logistic(let rule) = crowd.model {
      chances = (rule.probability(installs: size), rule.ofSource.probability(installs: size))
    } else {
      chances = (1, 1)
    }
  }
}

/// What Apple shows of one conversion; decided once, at the conversion.
struct Disclosure: Equatable, Sendable {
  /// The tier; -1 where the model has none.
  var tier = -1
  /// The digits of the source identifier, at most.
  var digits = 4
  var showsFine = true
  /// Whether the coarse value replaces the fine one in the first window, and is shown in the later ones.
  var showsCoarseFirst = false
  var showsCoarseLater = true
  var showsSource = true
  /// Whether the postbacks of the second and third window are sent.
  var sendsLater = true

  /// Everything is kept back: as in tier 0.
  private static let nothing = Disclosure(
    digits: 2, showsFine: false, showsCoarseLater: false, showsSource: false, sendsLater: false)

  /// Decides for one conversion.
  ///
  /// Models without tiers show a conversion as in tier 3 or as in tier 0. Under SKAdNetwork 3 a value is shown from
  /// tier 2 on and the source app in tier 3, as its successor does it.
  /// Source for tiers: Apple, "Receiving postbacks in multiple conversion windows".
  static func decide(
    _ model: CrowdModel, _ place: CrowdPlace, hasWindows: Bool, value: @autoclosure () -> Double,
    source: @autoclosure () -> Double
  ) -> Disclosure {
    switch model {
    case .none, .value: return Disclosure()
    case .hard(let rule): return rule.isReached(by: place.size) ? Disclosure() : .nothing
    case .logistic:
      let showsSource = source() < place.chances.source
      let showsValue = value() < place.chances.value
      var disclosure = showsValue ? Disclosure() : .nothing
      // Up to SKAdNetwork 3 the two are decided independently of each other; a tier without a value has no source.
      disclosure.showsSource = showsSource && (showsValue || !hasWindows)
      return disclosure
    case .tiers:
      return Disclosure(
        tier: place.tier, digits: place.digits, showsFine: place.tier >= 2,
        showsCoarseFirst: place.tier == 1 && hasWindows, showsCoarseLater: place.tier >= 1,
        showsSource: place.tier == 3, sendsLater: place.tier >= 1)
    }
  }

  /// Returns the values that a window's postback carries, -1 for none.
  ///
  /// From tier 2 on the first window shows a fine value or none: the coarse one replaces it only in tier 1.
  func shown(_ end: WindowEnd, _ model: CrowdModel, _ place: CrowdPlace) -> (fine: Int8, coarse: Int8) {
    let isFirst = end.window == .first
    var fine = isFirst && showsFine ? end.fine : -1
    var coarse = (isFirst ? showsCoarseFirst : showsCoarseLater) ? end.coarse : -1
    if case .value(let rule) = model {
      if fine >= 0, !rule.isReached(by: place.values.count(at: Int(fine))) { fine = -1 }
      if coarse >= 0, !rule.isReached(by: place.values.count(at: end.coarsePlace)) { coarse = -1 }
    }
    return (fine, coarse)
  }
}

extension WindowEnd {
  /// Where the coarse value lies in the counts of values.
  var coarsePlace: Int { 64 + 3 * window.rawValue + Int(coarse) }
}

extension [Int] {
  /// The number at a place; 0 outside.
  fileprivate func count(at index: Int) -> Int { indices.contains(index) ? self[index] : 0 }
}
