import Ledger
import Verification

extension Explanation {
  package var explainedConversions: [ExplainedConversion] {
    conversions.map { ExplainedConversion($0, in: self) }
  }

  /// The first rejected bodies, in words for people.
  package func explainedRejections(atMost count: Int) -> [ExplainedRejection] {
    rejections.prefix(count).map { rejection in
      ExplainedRejection(
        facts: ExplainedBody(rejection.body, keyring: keyring), state: rejection.state,
        reason: rejection.reason, receivedAt: rejection.receivedAt,
        route: ExplainedConversion.route(rejection.origin),
        body: String(decoding: rejection.body, as: UTF8.self))
    }
  }

  /// How many rejected bodies claim the identifier.
  package var rejectionCount: Int { rejections.count + rejectionsLeftOut }
}
