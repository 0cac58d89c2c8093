package import Arguments
import JSONText
import Ledger
import Mappings
import Postbacks
package import Values

/// What an app asks for its mapping: whose, and as it is in force when.
package struct AppMappingQuestion: Equatable, Sendable {
  package static let words = ["at"]

  /// The app; `nil` where the path has no number.
  private let app: AppID?
  /// The moment; `nil` for now.
  private let moment: Instant?

  package var isForNow: Bool { moment == nil }

  /// Reads the words of a request.
  ///
  /// - Throws: ``ParameterError`` when the moment is no date or time.
  package init(app: String, at text: String?) throws(ParameterError) {
    self.app = Int64(app).flatMap { "\($0)" == app ? AppID($0) : nil }
    moment = try text.map { text throws(ParameterError) in
      guard let moment = Instant(text) else {
        throw ParameterError(
          "at",
          Sentence("found '\(name: text)'; use a date or time such as 2026-11-21 or 2026-11-21T12:00:00Z."))
      }
      return moment
    }
  }

  package struct Answer: Sendable {
    package let app: Int64
    /// The document, as `schemas/app-mapping.schema.json` describes it.
    package let text: String
    /// Since when the version is in force.
    package let effectiveFrom: Instant
    /// The SHA-256 of the mapping, in hexadecimal digits.
    package let digest: String
    /// When the document took the form that it has; never later than now.
    package let lastModified: Instant
    /// Seconds for which it can be kept; 0 where it was asked for another moment than now.
    package let freshSeconds: Int64
  }

  /// Seconds for which an answer is kept at most.
  private static let longestFreshness: Int64 = 300

  /// The version in force.
  ///
  /// - Parameters:
  ///   - now: The moment of the request.
  /// - Returns: The answer; `nil` where the app has no mapping in force, or one that this program does not understand.
  package func answer(from catalog: MappingCatalog, at now: Instant) -> Answer? {
    guard let app else { return nil }
    let versions = catalog.stored.filter { $0.app == app }.ordered { $0.effectiveFrom < $1.effectiveFrom }
    let moment = moment ?? now
    guard let index = versions.lastIndex(where: { $0.effectiveFrom <= moment }),
      let mapping = catalog.histories[app]?.versions.first(where: {
        $0.effectiveFrom == versions[index].effectiveFrom
      })
    else { return nil }
    let next = index + 1 < versions.count ? versions[index + 1] : nil
    let document = mapping.appDocument(
      digest: versions[index].digest, next: next.map { ($0.effectiveFrom, $0.digest) })
    let changes =
      [versions[index].effectiveFrom, versions[index].loadedAt] + (next.map { [$0.loadedAt] } ?? [])
    let secondsToNext = next.map { max(0, ($0.effectiveFrom.milliseconds - now.milliseconds) / 1000) }
    return Answer(
      app: app.number, text: document.text() + "\n", effectiveFrom: mapping.effectiveFrom,
      digest: versions[index].digest, lastModified: min(now, changes.max() ?? now),
      freshSeconds: self.moment == nil ? min(Self.longestFreshness, secondsToNext ?? .max) : 0)
  }
}
