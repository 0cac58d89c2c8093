package import Campaigns
package import Ledger
package import MappingEditing
package import Markup
import Postbacks
package import Routing
package import Values
package import Verification

package struct ScreenContext {
  /// The database, which ends a question that takes too long.
  package let reader: LedgerReader
  /// Where the figures come from.
  package let data: PageSource
  /// The folder for sample data, which need not be there.
  package let sampleFolder: String
  package let now: Instant
  package let viewer: Viewer
  package let texts: Texts
  /// What people call apps and networks.
  package let called: Called
  package let address: PageAddress
  /// What comes before the path of an address that others open, such as `https://skan.example`.
  package let origin: String
  /// The last part of the path, where the screen's path has a name in braces.
  package let name: String
  /// The keys that postbacks are judged by.
  package let keyring: Keyring
  /// When the certificate of TLS ends; `nil` without one.
  package let certificateEnd: Instant?
  package let alerts: [AlertRecord]
  /// Keeps what several figures are estimated from.
  package let keeper: PartKeeper
  /// Whether estimates that are not kept may be made now, or else ``PartIsMissing`` is thrown.
  package let makesEstimates: Bool
  /// Costly answers of the last minute.
  let answers: AnswerCache
  /// Files that are yet to be confirmed.
  let uploads: UploadStore
  /// Who is signed in.
  package let sessions: SessionStore

  /// A costly answer, which pages of the next minute show too; `question` has all that it depends on.
  ///
  /// - Parameter seconds: For how long it is right to show it.
  package func remembered<Answer: Sendable>(
    _ question: String, forSeconds seconds: Int64 = 60, _ make: () throws -> Answer
  ) rethrows -> Answer {
    // Own data and sample data answer the same questions, and viewers of some apps or networks do not share answers.
    let limit = "\(viewer.limit.apps.map(\.number)) \(viewer.limit.networks.map(\.canonical))"
    return try answers.value("\(database)\n\(limit)\n\(question)", now: now, keptSeconds: seconds, make)
  }

  /// The path of the database.
  package var database: String { data.database }
  /// Where a form's changes of the database go.
  package var changes: any ChangeWriter & Sendable { data.changes }
  /// The folder of mapping files; `nil` where the database alone has them.
  package var mappings: String? { data.mappings }
  /// Tries mappings on stored samples of users.
  package var trials: MappingTrials { data.trials }
  /// The path of the sample database.
  package var sampleDatabase: String { PageSources.database(inSample: sampleFolder) }
  /// Whether the figures are those of the sample data.
  package var showsSample: Bool { database == sampleDatabase }
  /// Whether sample data have been made.
  package var hasSample: Bool { PageSources.hasSample(in: sampleFolder) }

  /// The fields that every form needs: proof that it came from a page of this viewer.
  package var formToken: HTML {
    "<input type=\"hidden\" name=\"\(PageRoutes.formTokenField)\" value=\"\(viewer.formToken)\">"
  }

  /// The name of the viewer's token; empty without a sign-in.
  package var viewerName: String { viewer.name }

  /// What distinguishes this viewer's session from all others.
  package var session: String { viewer.formToken }

  package var mayEdit: Bool { viewer.role == .editor }
}
