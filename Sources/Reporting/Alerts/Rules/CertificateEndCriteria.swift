import Values

struct CertificateEndCriteria: AlertCriteria {
  static let kind = AlertKind.certificateEnd

  var days = 14

  static let parameters: [AlertParameter] = [
    .init("days", \Self.days, 0...365, "Minimum remaining validity of the certificate.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self), let certificateEnd = facts.certificateEnd else {
      return []
    }
    let days = Double(certificateEnd.milliseconds - now.milliseconds) / Double(Day.milliseconds)
    let bound = Double(criteria.days)
    let standing: AlertMeasure.AlertStatus =
      days < bound ? .beyond : days < bound * (1 + AlertMeasure.AlertStatus.slack) ? .near : .clear
    let measure = AlertMeasure(
      rule, AlertScope(), standing, value: days, bound: bound, unit: Sentence("days left"),
      days < 0
        ? Sentence("The certificate ended at \(certificateEnd); devices do not connect.")
        : Sentence(
          "The certificate ends at \(certificateEnd), in \(number: fixed(days, 1)) days; "
            + "\(number: trimmed(bound, 0)) days are needed."),
      remedy: Sentence("Renew the certificate, then send the service SIGHUP."),
      command: facts.command("doctor"))
    return [measure]
  }
}
