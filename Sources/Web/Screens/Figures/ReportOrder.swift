import Arguments
import Tables

/// The order of a report's rows on a page, whose address can name a column that another choice has taken away.
enum ReportOrder {
  /// Orders an answer as the address asks, or as usual where only another form of the report has the column, such as one in
  /// another currency.
  ///
  /// - Parameter order: What is done with the parameter in force.
  /// - Throws: ``ParameterError`` for a column that no form of the report has.
  static func used<R: Report, Answer>(
    _ report: R.Type, asked: String, usual: String, _ order: (_ sort: String) throws -> Answer
  ) throws -> (answer: Answer, sort: String) {
    do {
      return (try order(asked), asked)
    } catch let error as ParameterError where error.name == "sort" && has(asked, report) {
      return (try order(usual), usual)
    }
  }

  private static func has<R: Report>(_ asked: String, _ report: R.Type) -> Bool {
    let name = asked.hasPrefix("-") ? asked.dropFirst() : asked[...]
    return report.columns.contains { column in
      column.header.fields.contains { field in
        guard let place = field.firstRange(of: "{}") else { return name == field }
        return name.hasPrefix(field[..<place.lowerBound]) && name.hasSuffix(field[place.upperBound...])
      }
    }
  }
}
