package import Ledger
package import Mappings
import Postbacks
package import Values

/// The mapping versions and drafts of one app, as a page shows them.
package struct AppMappings: Sendable {
  package struct Version: Sendable {
    /// Its number among the app's versions by date, from 1.
    package let number: Int
    package let stored: StoredMapping
    package let mapping: Mapping
    /// Who published it, and what for; `nil` where a file was loaded.
    package let publication: MappingPublication?
    /// When an app first got it from the service; `nil` where none did.
    package let appsSince: Instant?

    package var effectiveFrom: Instant { stored.effectiveFrom }
  }

  /// The apps that have a version or a draft, in order.
  package let apps: [Int64]
  /// The app that is shown; `nil` where there is none at all.
  package let app: Int64?
  /// The app's versions, the oldest first.
  package let versions: [Version]
  /// The app's drafts, the last saved first.
  package let drafts: [StoredDraft]
  /// What stands for the state of the app's versions.
  package let state: String

  /// - Parameter wanted: The app; `nil` for the first.
  package init(_ reader: LedgerReader, app wanted: Int64? = nil) throws(LedgerError) {
    let stored = try reader.mappings()
    let all = try reader.mappingDrafts()
    apps = Set(stored.map(\.app) + all.map(\.app)).map(\.number).sorted()
    let app = wanted ?? apps.first
    self.app = app
    guard let app, let id = AppID(app) else {
      (versions, drafts, state) = ([], [], "")
      return
    }
    drafts = all.filter { $0.app == id }
    state = stored.state(of: id)
    let publications = try reader.mappingPublications(of: id)
    let own = stored.filter { $0.app == id }
    let served = try reader.served(own)
    versions = own.enumerated().compactMap { index, version in
      guard let mapping = MappingDocument.read(version.document).document?.mapping else { return nil }
      return Version(
        number: index + 1, stored: version, mapping: mapping,
        publication: publications.first {
          $0.digest == version.digest && $0.effectiveFrom == version.effectiveFrom
        }, appsSince: served[index])
    }
  }

  /// The version that is in force at a moment.
  package func inForce(at now: Instant) -> Version? { versions.last { $0.effectiveFrom <= now } }
}
