public import JSONText
import Postbacks
import Values

extension Judgement {
  /// The members of the row that `skan verify` prints, in the order of the command's documentation.
  public var members: [JSONOutput.Member] {
    [
      .init("kind", .string(kind.rawValue)),
      .init("version", .optional(version)),
      .init("state", .string(state.rawValue)),
      .init("environment", .optional(environment?.rawValue)),
      .init("reason", .optional(reason?.english)),
      .init("warnings", .array(warnings.map { .string($0.description) })),
      .init("id", .optional(id)),
    ]
  }

  /// Returns the row that `skan verify` prints of this judgement.
  ///
  /// - Parameter index: Which of the bodies of the run it is, from 0.
  public func row(index: Int) -> JSONOutput { .object([.init("index", .integer(Int64(index)))] + members) }
}
