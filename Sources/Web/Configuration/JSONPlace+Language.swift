import JSONText
import Pages

extension JSONPlace {
  /// The code of a language that texts for people can have.
  func language() throws(JSONProblem) -> String {
    let code = try text()
    let codes = Language.offered.map(\.rawValue)
    guard codes.contains(code) else { throw mistake("must be one of \(codes.joined(separator: ", "))") }
    return code
  }
}
