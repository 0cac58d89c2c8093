public import JSONText
public import Values

public struct Place: Hashable, Sendable {
  /// The first byte, from 0.
  public let offset: Int
  public let path: JSONPath
  /// The value that the rule there gives; `nil` for what is no rule.
  public var slot: WindowValue?
}

/// Something in a mapping file that is wrong, or that people regret later.
public struct MappingFinding: Hashable, Sendable {
  /// How much it matters; the raw value is the word in reports.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    case error
    /// The mapping works, but probably not as meant.
    case warning
  }

  public let code: Code
  /// Where, as editors count it.
  public let position: TextPosition
  /// Where, as a way through the document.
  public let path: JSONPath
  package let sentence: Sentence
  package let hint: Sentence?
  public var slot: WindowValue?
  public var repair: MappingRepair?

  public var severity: Severity { code.severity }

  public enum Code: Hashable, Sendable {
    /// The file is not strict JSON.
    case json(JSONDefect.Reason)
    case amount(Amount.Defect)
    case rule(RuleCode)

    public var text: String {
      switch self {
      case .json(let reason): reason.rawValue
      case .amount(let defect): defect.rawValue
      case .rule(let code): code.rawValue
      }
    }

    public var severity: Severity {
      switch self {
      case .json, .amount: .error
      case .rule(let code): code.severity
      }
    }
  }
}

extension MappingFinding: CustomStringConvertible {
  /// The line, the severity, the sentence and the code: `3:7: error: … [unknown-member]`.
  public var description: String {
    "\(position): \(severity.rawValue): \(sentence.english) [\(code.text)]"
  }
}

/// The rules that are checked on a mapping file; the raw value is the stable code.
public enum RuleCode: String, Hashable, Sendable, CaseIterable {
  // What makes a file unreadable.
  case fileTooLarge = "file-too-large"
  case wrongType = "wrong-type"
  case missingMember = "missing-member"
  case unknownMember = "unknown-member"
  case unknownWord = "unknown-word"
  case invalidDate = "invalid-date"
  case emptyText = "empty-text"
  case outOfRange = "out-of-range"
  case currencyNotListed = "currency-not-listed"
  case emptyRange = "empty-range"
  case worthOutsideRange = "worth-outside-range"
  case notRising = "not-rising"
  case tooFewEdges = "too-few-edges"
  case wrongNumberOfAmounts = "wrong-number-of-amounts"
  case valuesPassTheEnd = "values-pass-63"
  case tooManyRules = "too-many-rules"
  case repeatedName = "repeated-name"
  case valueTaken = "value-taken"
  case twoCoarseSources = "two-coarse-sources"
  // What people regret.
  case unreachableValue = "unreachable-value"
  case blockedMoney = "early-event-blocks-money"
  case impossibleInWindow = "impossible-in-window"
  case coarseFalls = "coarse-not-rising"
  case lockLosesMoney = "lock-loses-money"
  case overlappingRanges = "overlapping-ranges"
  case gapBetweenRanges = "gap-between-ranges"
  case noRoom = "no-room-for-new-values"
  case fewRevenueRanges = "few-revenue-ranges-for-meta"
  case openTopForAppsFlyer = "open-top-for-appsflyer"
  case openTopWithoutWorth = "open-top-without-representative"
  case countEndsRevenue = "count-ends-revenue"
  case rangeWithoutEnd = "range-without-end"
  case undeclaredEvent = "undeclared-event"
  case withoutEffect = "without-effect"
  case noRules = "no-rules"
  case repeatedRule = "repeated-rule"
  case severalMeanings = "value-with-several-meanings"
  case nothingAboveTop = "no-value-above-the-last-range"
  case nothingForInstalls = "no-value-for-plain-installs"
  case nothingForSmallCrowds = "no-coarse-value-for-small-campaigns"
  case unpayableEdge = "edge-cannot-be-paid"
  case negativeEdge = "negative-edge"
  case decimalComma = "decimal-comma"
  case farDate = "effective-date-far-away"
  case placeholderApp = "placeholder-app"

  public var severity: MappingFinding.Severity {
    switch self {
    case .fileTooLarge, .wrongType, .missingMember, .unknownMember, .unknownWord, .invalidDate, .emptyText,
      .outOfRange, .currencyNotListed, .emptyRange, .worthOutsideRange, .notRising, .tooFewEdges,
      .wrongNumberOfAmounts, .valuesPassTheEnd, .tooManyRules, .repeatedName, .valueTaken, .twoCoarseSources:
      .error
    case .unreachableValue, .blockedMoney, .impossibleInWindow, .coarseFalls, .lockLosesMoney,
      .overlappingRanges,
      .gapBetweenRanges, .noRoom, .fewRevenueRanges, .openTopForAppsFlyer, .openTopWithoutWorth,
      .countEndsRevenue, .rangeWithoutEnd, .undeclaredEvent, .withoutEffect, .noRules, .repeatedRule,
      .severalMeanings,
      .nothingAboveTop,
      .nothingForInstalls, .nothingForSmallCrowds, .unpayableEdge, .negativeEdge, .decimalComma, .farDate,
      .placeholderApp:
      .warning
    }
  }
}
