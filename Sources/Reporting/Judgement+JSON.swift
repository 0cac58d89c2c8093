public import JSONText
import Postbacks
public import Verification

extension Judgement {
  /// The members of a verdict as `skan verify` and the forwarding route show it.
  public var members: [JSONOutput.Member] {
    [
      .init("kind", .string(kind.rawValue)), .init("version", .optional(version)),
      .init("state", .string(state.rawValue)), .init("environment", .optional(environment?.rawValue)),
      .init("reason", .optional(reason)), .init("warnings", .array(warnings.map { .string($0.description) })),
      .init("id", .optional(id)),
    ]
  }
}
