public import JSONText
import Postbacks

extension Judgement {
  /// Returns the row that `skan verify` prints of this judgement.
  ///
  /// - Parameter index: Which of the bodies of the run it is, from 0.
  /// - Returns: An object with the members that the command's documentation names, in that order.
  public func row(index: Int) -> JSONOutput {
    [
      "index": .integer(Int64(index)),
      "kind": .string(kind.rawValue),
      "version": .optional(version),
      "state": .string(state.rawValue),
      "environment": .optional(environment?.rawValue),
      "reason": .optional(reason),
      "warnings": .array(warnings.map { .string($0.description) }),
      "id": .optional(id),
    ]
  }
}
