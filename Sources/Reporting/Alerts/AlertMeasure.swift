import Estimates
import Ledger
import Postbacks
package import Values

/// What one rule found about one scope.
package struct AlertMeasure: Equatable, Sendable {
  /// How a value compares with its bound; the raw value is the word in reports.
  package enum AlertStatus: String, Hashable, Sendable {
    case beyond = "fires"
    /// Within the bound, but so near that an alert which fires goes on.
    case near
    case clear
    /// Too little to report anything; an alert that fires ends.
    case unknown = "too-few"
  }

  package let kind: AlertKind
  package let severity: AlertSeverity
  package let scope: AlertScope
  /// How the value compares with the bound.
  package let standing: AlertStatus
  package let value: Double
  /// What the value has to stay within.
  package let bound: Double
  package let unit: Sentence
  package let sentence: Sentence
  package let remedy: Sentence
  package let command: String

  /// The same each time: the kind and the scope.
  package var id: String {
    let parts = [
      scope.app.map { "app=\($0.number)" }, scope.network.map { "network=\($0)" },
      scope.campaign.map { "campaign=\($0)" }, scope.origin.map { "origin=\($0)" },
    ]
    return ([kind.rawValue] + parts.compactMap { $0 }).joined(separator: "/")
  }

  init(
    _ rule: AlertRule, _ scope: AlertScope, _ standing: AlertStatus, value: Double, bound: Double,
    unit: Sentence, _ sentence: Sentence, remedy: Sentence, command: String
  ) {
    kind = rule.kind
    severity = rule.severity
    self.scope = scope
    self.standing = standing
    self.value = value
    self.bound = bound
    self.unit = unit
    self.sentence = sentence
    self.remedy = remedy
    self.command = command
  }

  func record(since: Instant) -> AlertRecord {
    AlertRecord(
      id: id, kind: kind.rawValue, severity: severity.rawValue, app: scope.app, network: scope.network,
      campaign: scope.campaign, origin: scope.origin, since: since, value: value, bound: bound,
      sentence: sentence, remedy: remedy, command: command)
  }
}

extension AlertMeasure {
  /// Compares a share with a bound: beyond it is what has its whole 90 % interval above the bound.
  static func share(
    of count: Int64, in total: Int64, least: Int, _ rule: AlertRule, _ scope: AlertScope, bound: Double,
    unit: Sentence, _ sentence: Sentence, remedy: Sentence, command: String
  ) -> AlertMeasure {
    let value = total > 0 ? Double(count) / Double(total) : 0
    let low = Interval(shareOf: Double(count), in: Double(total)).low
    let standing: AlertStatus =
      total < least
      ? .unknown
      : low > bound ? .beyond : AlertStatus(value, above: bound) == .clear ? .clear : .near
    return AlertMeasure(
      rule, scope, standing, value: value, bound: bound, unit: unit, sentence, remedy: remedy,
      command: command)
  }
}

extension AlertMeasure.AlertStatus {
  /// How far below its bound a value has to be before an alert ends, as a share of the bound.
  static let slack = 0.2

  init(_ value: Double, above bound: Double) {
    self = value > bound ? .beyond : value > bound * (1 - Self.slack) ? .near : .clear
  }
}

extension AlertFacts {
  /// A command about the database, as it is typed into a shell.
  func command(_ words: String, _ options: [(String, String?)] = []) -> String {
    var line = "skan \(words) --database \(Self.shellWord(database))"
    for (name, value) in options {
      if let value { line += " \(name) \(Self.shellWord(value))" }
    }
    return line
  }

  private static func shellWord(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || Array("-_./:=@%+,".utf8).contains($0)
      }
    return isPlain
      ? text
      : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
