/// A test of whether signed installs look earned; the raw value is the word in reports.
package enum PatternTest: String, Hashable, Sendable, CaseIterable {
  /// The share of ads that were only seen rose, by the logit of the share.
  case viewShare = "view-share"
  /// Installs by views follow the app's other installs, won by other networks or by none, more than clicks explain.
  case viewRhythm = "view-rhythm"
  /// Users who only saw an ad resemble own users more than those who acted upon it.
  case viewMix = "view-mix"
  /// ``viewRhythm`` and ``viewMix`` together, where each alone may be chance.
  case viewOrigin = "view-origin"
  /// A publisher's users have higher or lower values than those of the campaign's other publishers.
  case publisherMix = "publisher-mix"
  /// The share of installs that another network won rose, by the logit of the share.
  case assistShare = "assist-share"

  /// By how much networks are taken to differ before any is looked at, as a standard deviation.
  ///
  /// They are assumptions, worth as much as ``PatternSpread/priorFreedom`` networks. The first and last are of logits, the
  /// second of an elasticity, the third of the way from clicks to own users, the fourth of a rank between 0 and 1.
  var priorSpread: Double {
    switch self {
    case .viewShare, .assistShare: 0.3
    case .viewRhythm: 0.2
    case .viewMix, .viewOrigin: 0.15
    case .publisherMix: 0.05
    }
  }

  /// What an effect is taken to be before any network is looked at; worth one network.
  var priorMean: Double {
    switch self {
    case .viewShare, .assistShare, .publisherMix: 0
    case .viewRhythm, .viewMix, .viewOrigin: 0.2
    }
  }

  /// Whether both signs are unusual.
  var isTwoSided: Bool { self == .publisherMix }
}
