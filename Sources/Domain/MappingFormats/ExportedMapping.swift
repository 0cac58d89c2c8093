package import Mappings
package import Postbacks
package import Values

/// A mapping written in another system's format, and what that format cannot express.
package struct ExportedMapping: Equatable, Sendable {
  package let bytes: [UInt8]
  /// What reading the file gives, once the reader knows what the file has no place for.
  ///
  /// It is the mapping that was to be written, if no remark states that it is changed.
  package let mapping: Mapping
  package let remarks: [ExportRemark]
}

/// What was lost or assumed where a mapping was written in another system's format.
package struct ExportRemark: Equatable, Sendable {
  /// The sorts of remark; the raw value is the stable code.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    // What a reader has to know besides the file.
    case name = "name-not-written"
    case app = "app-not-written"
    case currency = "currency-not-written"
    case date = "date-not-written"
    case device = "protocol-not-written"
    // What changes the mapping.
    case dateRounded = "date-rounded"
    case raiseOnly = "raise-only-changed"
    case measurementWindow = "measurement-window-changed"
    case measurementAssumed = "measurement-window-assumed"
    case precedence = "precedence-changed"
    case precedenceRewritten = "precedence-rewritten"
    case partners = "partners-changed"
    case declaredEvents = "declared-events-dropped"
    case ruleDropped = "rule-dropped"
    case order = "order-changed"
    case label = "label-changed"
    case coarse = "coarse-changed"
    case coarseAssumed = "coarse-assumed"
    case lock = "lock-changed"
    case priority = "priority-changed"
    case hours = "hours-dropped"
    case conversionTypes = "conversion-types-dropped"
    case count = "count-changed"
    case event = "event-dropped"
    case total = "total-as-event"
    case revenue = "revenue-dropped"
    case lowerEnd = "lower-end-changed"
    case upperEnd = "upper-end-changed"
    case ends = "ends-changed"
    case worth = "worth-dropped"
    case totals = "totals-changed"
    case emptyWindow = "empty-window-dropped"
    // What the other system makes of it.
    case indistinct = "indistinct"
    case fallingLadder = "falling-ladder"
    case gap = "gap"

    /// Whether something is lost, rather than assumed or expressed in another way.
    package var isLoss: Bool {
      switch self {
      case .measurementAssumed, .precedenceRewritten, .partners, .order, .coarseAssumed, .emptyWindow, .gap:
        false
      case .name, .app, .currency, .date, .device, .dateRounded, .raiseOnly, .measurementWindow, .precedence,
        .declaredEvents, .ruleDropped, .label, .coarse, .lock, .priority, .hours, .conversionTypes, .count,
        .event, .total,
        .revenue,
        .lowerEnd, .upperEnd, .ends, .worth, .totals, .indistinct, .fallingLadder:
        true
      }
    }

    /// Whether reading the file gives another mapping, even when the reader knows what the file has no place for.
    package var changesMapping: Bool {
      switch self {
      case .name, .app, .currency, .date, .device, .indistinct, .fallingLadder, .gap: false
      default: true
      }
    }
  }

  package let code: Code
  package let sentence: Sentence
  /// The rules that it is about; empty for the whole mapping.
  package let places: [ExportPlace]
}

/// A rule of a mapping that is written, or a window of it.
package enum ExportPlace: Hashable, Sendable {
  case rule(WindowValue)
  case window(ConversionWindow)

  /// The place in words: `value 6`, `high of window 2` or `window 2`.
  package var words: Sentence {
    switch self {
    case .rule(.fine(let value)): Sentence("value \(value.number)")
    case .rule(.coarse(let window, let value)):
      Sentence("\(code: value.rawValue) of window \(window.rawValue + 1)")
    case .window(let window): Sentence("window \(window.rawValue + 1)")
    }
  }
}

/// Why a format can't hold a mapping at all.
package struct ExportDefect: Error, Equatable, Sendable {
  /// The reasons; the raw value is the stable code.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case nothingLeft = "nothing-left"
    case openTop = "open-top"
    case tooManyRules = "too-many-rules"
    case totalRevenue = "total-revenue"
    case notInTable = "not-in-table"
  }

  package let code: Code
  package let sentence: Sentence
  /// The rules that it is about; empty for the whole mapping.
  package let places: [ExportPlace]
}

/// What is decided for a mapping that a format can't hold as it is.
package struct ExportContext: Equatable, Sendable {
  /// The upper end that is written for ranges without one, where the format needs one.
  package let cap: Amount?
  /// The event whose revenue a condition on total revenue becomes one on, where the format has none on a total.
  package let revenueEvent: String?

  package init(cap: Amount? = nil, revenueEvent: String? = nil) {
    (self.cap, self.revenueEvent) = (cap, revenueEvent)
  }
}
