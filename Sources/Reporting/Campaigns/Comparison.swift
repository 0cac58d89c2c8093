package import Arguments
package import Ledger
package import Values

/// The days that a report is compared with.
package enum Comparison: Equatable, ParameterValue {
  /// As many days, directly before.
  case previous
  case days(Range<Day>)

  package static let kind = ValueKind.form(Sentence("previous, or FROM..TO such as 2026-10-01..2026-11-01"))
  package static let placeholder = "DAYS"

  package init?(parameter text: String) {
    guard text != "previous" else {
      self = .previous
      return
    }
    guard let dots = text.firstRange(of: ".."), let from = Day(String(text[..<dots.lowerBound])),
      let to = Day(String(text[dots.upperBound...])), from < to
    else { return nil }
    self = .days(from..<to)
  }

  package var parameterText: String {
    switch self {
    case .previous: "previous"
    case .days(let days): "\(days.lowerBound)..\(days.upperBound)"
    }
  }

  /// The days, for a report of others.
  ///
  /// - Throws: ``ParameterError`` where the report has no first or last day, or rows that no other days can have.
  package func days(
    for period: Period<Day>, by dimensions: [CampaignDimension]
  ) throws(ParameterError) -> Range<Day> {
    guard let from = period.from, let to = period.to else {
      throw ParameterError(
        "compare",
        Sentence("found \(name: parameterText) without the days to compare. Give --from and --to, too."))
    }
    if let dimension = dimensions.first(where: { [.day, .week, .month].contains($0) }) {
      throw ParameterError(
        "compare",
        Sentence(
          "found rows by \(code: dimension.rawValue), which no other days have. Leave \(code: dimension.rawValue) out of --by."
        ))
    }
    switch self {
    case .previous:
      let first = from.number.subtractingReportingOverflow(to.number - from.number).partialValue
      return Day(number: first)..<from
    case .days(let days): return days
    }
  }
}
