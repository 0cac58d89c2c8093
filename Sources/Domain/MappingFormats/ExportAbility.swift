import Mappings
import Postbacks
import Values

struct ExportAbility {
  /// How often an event has to have happened.
  enum Counts {
    case happened
    case least
    case range
    /// The fewest and the most times, where 0 means neither.
    case rangeAboveZero
  }

  /// What a range of amounts is when it is read again.
  enum Ends {
    case both
    /// Its lower end belongs to it, its upper one does not.
    case lower
    /// Its upper end belongs to it, its lower one does not.
    case upper
    /// It goes from its lower end, which does not belong to it, to the next rule's.
    case above
    /// It goes from its lower end, which belongs to it, without end.
    case from
  }

  enum Locks {
    case none
    case each
    case oneValue
    /// High locks a window, or nothing does.
    case high
  }

  /// How the rule that applies is found, and with it in which order rules come back.
  enum Order {
    /// The highest value applies, and rules come back in the order of the file.
    case free
    /// The highest value applies, and rules come back by value.
    case values
    /// The first of the list applies.
    case list
    case ranks
  }

  /// The text for values that only rise.
  enum Raising { case never, always, stated }

  enum Measurement {
    case nothing
    case hours
    /// Whole days, at most that many.
    case days(Int)
  }

  let format: Sentence
  var events = 0...16
  var counts = Counts.happened
  var hasHours = false
  var ends = Ends.both
  var needsLowerEnd = false
  var needsUpperEnd = false
  /// Whether an amount of 0 means no end, but for a lower end beside an upper one above it.
  var isZeroUnset = false
  /// Whether lower ends come back a thousandth lower where they end in one.
  var dropsThousandth = false
  var hasCurrencies = false
  var hasWorth = false
  /// Whether several rules of one value are kept apart.
  var hasAlternatives = false
  var order = Order.free
  var coarse: [ConversionWindow] = []
  var hasCoarseBesideFine = false
  var longestLabel = 0
  var longestName = Int.max
  var locks = Locks.none
  var raising = Raising.never
  var measurement = Measurement.nothing
  var partner: Mapping.Partner?
  var hasApp = false
  var hasCurrency = false
  var hasDate = false
}
