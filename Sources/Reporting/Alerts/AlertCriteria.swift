package import Values

/// What one kind of alert is judged by: numbers with their defaults, which a rules file can change, and the judgement.
///
/// A new kind of alert is a type of this, a case of ``AlertKind``, and an entry in `schemas/alerts.schema.json`.
package protocol AlertCriteria: Sendable {
  static var kind: AlertKind { get }
  static var severity: AlertSeverity { get }
  static var scopes: [AlertScope.Part] { get }
  static var parameters: [AlertParameter] { get }
  /// The days of arrivals, today with them, that the judgement looks at.
  var arrivalDays: Int { get }

  init()

  /// What the rules of this kind find, once for each scope that there are facts of.
  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure]
}

extension AlertCriteria {
  static var severity: AlertSeverity { .warning }
  static var scopes: [AlertScope.Part] { [] }
  var arrivalDays: Int { 0 }
}

/// A number that rules of one kind can set.
package struct AlertParameter: Sendable {
  package let name: String
  package let standard: Double
  package let range: ClosedRange<Double>
  /// Whether only whole numbers make sense.
  package let isWhole: Bool
  package let meaning: String
  let setting: @Sendable (any AlertCriteria, Double) -> any AlertCriteria

  init<Criteria: AlertCriteria>(
    _ name: String, _ path: any WritableKeyPath<Criteria, Int> & Sendable, _ range: ClosedRange<Int>,
    _ meaning: String
  ) {
    self.name = name
    standard = Double(Criteria()[keyPath: path])
    self.range = Double(range.lowerBound)...Double(range.upperBound)
    isWhole = true
    self.meaning = meaning
    setting = { criteria, number in
      guard var changed = criteria as? Criteria, let whole = Int(exactly: number) else { return criteria }
      changed[keyPath: path] = whole
      return changed
    }
  }

  init<Criteria: AlertCriteria>(
    _ name: String, _ path: any WritableKeyPath<Criteria, Double> & Sendable, _ range: ClosedRange<Double>,
    _ meaning: String
  ) {
    self.name = name
    standard = Criteria()[keyPath: path]
    self.range = range
    isWhole = false
    self.meaning = meaning
    setting = { criteria, number in
      guard var changed = criteria as? Criteria else { return criteria }
      changed[keyPath: path] = number
      return changed
    }
  }
}
