package import Mappings
package import Postbacks
package import Values

/// A mapping made from another system's format, and what could not be taken over as it was.
package struct ImportedMapping: Equatable, Sendable {
  package let mapping: Mapping
  /// What was lost or assumed, in the order in which it was met.
  package let remarks: [ImportRemark]
}

/// What was lost or assumed where a mapping went from one format to another.
package struct ImportRemark: Hashable, Sendable {
  /// The sorts of remark; the raw value is the stable code.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case upperEndImplied = "upper-end-implied"
    case endsAssumed = "ends-assumed"
    case lockIgnored = "lock-ignored"
    case ruleDropped = "rule-dropped"
    case currencyAssumed = "currency-assumed"
    case noWorth = "no-worth"
    case alternativeCurrency = "alternative-currency"
    case windowInherited = "window-inherited"
    case coarseOrder = "coarse-order-changed"
    case memberIgnored = "member-ignored"
    case otherApp = "other-app"
    case lockAssumed = "lock-assumed"
    case hoursAssumed = "hours-assumed"
    case precedenceAssumed = "precedence-assumed"
    case allEventsAssumed = "all-events-assumed"
    case alternatives = "alternatives"
    case installIsLaunch = "install-is-launch"
    case partnerName = "partner-name"
    case countAssumed = "count-assumed"
    case countMiddle = "count-middle-dropped"
    case valuesRepeated = "values-repeated"
    case worthRecomputed = "worth-recomputed"
    case topMissing = "top-missing"
    case topOpened = "top-opened"
    case dateIgnored = "date-ignored"
    case cutoffDropped = "cutoff-dropped"
    case currencyBooking = "currency-booking"
    case windowEdge = "window-edge"
    case largestEvent = "largest-event"
    case gap = "gap"
    case more = "more"

    /// Whether something is lost, rather than assumed.
    package var isLoss: Bool {
      switch self {
      case .lockIgnored, .ruleDropped, .alternativeCurrency, .coarseOrder, .memberIgnored, .otherApp,
        .partnerName, .countMiddle, .worthRecomputed, .dateIgnored, .cutoffDropped, .currencyBooking,
        .windowEdge, .largestEvent, .more:
        true
      case .upperEndImplied, .endsAssumed, .currencyAssumed, .noWorth, .windowInherited, .lockAssumed,
        .hoursAssumed, .precedenceAssumed, .allEventsAssumed, .alternatives, .installIsLaunch, .countAssumed,
        .valuesRepeated, .topMissing, .topOpened, .gap:
        false
      }
    }
  }

  package let code: Code
  package let sentence: Sentence
  /// The rule or part of the file that it is about; `nil` for the whole.
  package let place: Sentence?

  init(code: Code, sentence: Sentence, place: Sentence? = nil) {
    self.code = code
    self.sentence = sentence
    self.place = place
  }
}

/// Why a file is not of a format.
package enum ImportDefect: String, Error, Hashable, Sendable, CaseIterable {
  case notThisFormat = "not-this-format"
  case noRule = "no-rule"
  case otherApp = "other-app"
}

/// What formats leave to their surroundings.
package struct ImportContext: Equatable, Sendable {
  /// Which ends belong to a range; the raw value is the word for it.
  package enum Ends: String, Hashable, Sendable, CaseIterable {
    case both, lower, upper
  }

  package let name: String
  package let app: AppID
  /// The currency of amounts that name none.
  package let currency: CurrencyCode
  /// When devices start to follow the mapping.
  package let effectiveFrom: Instant
  /// Whose timers the values are set under.
  package let device: Mapping.Device
  /// Which ends belong to a range where the format does not define it; `nil` includes both and remarks on it.
  package let ends: Ends?

  /// Joins what a format leaves open.
  package init(
    name: String, app: AppID, currency: CurrencyCode, effectiveFrom: Instant, device: Mapping.Device = .skan4,
    ends: Ends? = nil
  ) {
    self.name = name
    self.app = app
    self.currency = currency
    self.effectiveFrom = effectiveFrom
    self.device = device
    self.ends = ends
  }
  /// The lower end of a range where the format does not define whether it belongs to it.
  func lower(_ amount: Amount) -> AmountRange.Bound { ends == .upper ? .open(amount) : .closed(amount) }

  /// The upper end of a range where the format does not define whether it belongs to it.
  func upper(_ amount: Amount) -> AmountRange.Bound { ends == .lower ? .open(amount) : .closed(amount) }
}
