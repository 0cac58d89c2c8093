public import Postbacks

/// What gives a user one of the 64 values of the first window.
public struct FineRule: Hashable, Sendable {
  public let value: FineValue
  public let conditions: Conditions
  public let label: String?
  /// The coarse value that is set with it; `nil` leaves that to the rules for coarse values.
  public let coarse: CoarseValue?
  /// Whether the window is locked, so that its postback is prepared at once.
  public let lock: Bool
  /// The rank where the mapping uses ranks: the highest applies, and of equal ranks the highest value.
  public let priority: Int

  public init(
    value: FineValue, conditions: Conditions = Conditions(), label: String? = nil, coarse: CoarseValue? = nil,
    lock: Bool = false, priority: Int = 0
  ) {
    self.value = value
    self.conditions = conditions
    self.label = label
    self.coarse = coarse
    self.lock = lock
    self.priority = priority
  }
}

/// What gives a user one of the three coarse values of a window.
public struct CoarseRule: Hashable, Sendable {
  public let value: CoarseValue
  public let conditions: Conditions
  public let label: String?
  /// Whether the window is locked, so that its postback is prepared at once.
  public let lock: Bool

  public init(
    value: CoarseValue, conditions: Conditions = Conditions(), label: String? = nil, lock: Bool = false
  ) {
    self.value = value
    self.conditions = conditions
    self.label = label
    self.lock = lock
  }
}

public struct CoarseRules: Hashable, Sendable {
  /// Which totals the rules look at; the raw value is the word in the file.
  public enum Totals: String, Hashable, Sendable, CaseIterable {
    case sinceInstall = "since-install"
    case window
  }

  public let totals: Totals
  /// The rules, low ones first; several of one value are alternatives, and the highest that holds applies.
  public let rules: [CoarseRule]

  /// Joins the rules of a window, putting them in order.
  public init(totals: Totals = .sinceInstall, rules: [CoarseRule]) {
    self.totals = totals
    self.rules = CoarseValue.allCases.flatMap { value in rules.filter { $0.value == value } }
  }
}

extension CoarseValue {
  /// The step, from 0 for low.
  public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
