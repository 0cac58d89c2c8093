package import Arguments
import Values

/// What arrived from one UTC day or moment up to another.
package struct Period<Bound: ParameterValue & Comparable & CustomStringConvertible>: Query, Equatable {
  /// The first one included; `nil` for no bound.
  package var from: Bound?
  /// The first one excluded; `nil` for no bound.
  package var to: Bound?

  package init() {}

  package static var parameters: [Parameter<Self>] {
    let bound = Bound.self == Day.self ? "UTC day" : "moment of arrival (UTC)"
    return [
      .init("from", \.from, "First \(bound) to include."),
      .init("to", \.to, "First \(bound) to exclude.") { (query) throws(ParameterError) in
        try query.checkOrder()
      },
    ]
  }

  /// - Throws: ``ParameterError`` where the period ends before or when it begins.
  package func checkOrder() throws(ParameterError) {
    guard let from, let to, to <= from else { return }
    throw ParameterError(
      "to",
      Sentence(
        "found \(code: to), and the range from \(code: from) up to it is empty. Give one after \(code: from)."
      ))
  }
}
