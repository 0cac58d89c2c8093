import EventFiles
package import Mappings
import Simulation
import System
package import Values

/// Where drafts are tried: the samples of a folder, and the answers of one program.
package final class TrialDesk: Sendable {
  /// The samples; `nil` where there is no folder.
  private let samples: SampleFolder?
  private let trials = MappingTrials()

  /// Opens a folder of events files; without one, or where it can't be read, there are no samples.
  package init(folder: String?) {
    samples = folder.flatMap { try? Folder($0) }.map { SampleFolder($0) }
  }

  /// The samples' names; none where the folder can't be read.
  package var sampleNames: [String] { (try? samples?.names()) ?? [] }

  /// The users of a sample; `nil` where there is no such sample.
  ///
  /// - Throws: `CommandError` for a file that cannot be read, or has no usable rows.
  package func users(of sample: String, currency: CurrencyCode) throws(CommandError) -> TrialUsers? {
    try read(sample, currency: currency).map { TrialUsers($0) }
  }

  private func read(_ sample: String, currency: CurrencyCode?) throws(CommandError) -> UserSample? {
    do { return try samples?.sample(sample, currency: currency) } catch let error as EventFileError {
      let reason = "\(sample):\(error.line): \(error.sentence) [\(error.code)]"
      throw CommandError(.data, reason, remedy: error.cure)
    } catch {
      let found = CommandError(error)
      throw CommandError(.data, found.message, remedy: found.remedy).about(sample)
    }
  }

  /// Answers one edit; see ``MappingTrials/answer(_:of:inForce:on:_:now:)``.
  ///
  /// - Parameters:
  ///   - document: The draft's text.
  ///   - sample: The sample's name; `nil` for none.
  ///   - threshold: The privacy threshold model, as `skan simulate` takes it; one that is none counts as the usual one.
  /// - Returns: The answer; `nil` where a newer edit of the draft came meanwhile.
  /// - Throws: As ``users(of:currency:)``.
  package func answer(
    _ document: [UInt8], of draft: String?, inForce: Mapping?, sample: String?, threshold: String?, seed: Int,
    now: Instant
  ) throws -> EditorAnswer? {
    let currency = inForce?.currency ?? MappingDocument.read(document).document?.mapping.currency
    let users = try sample.flatMap { try read($0, currency: currency) }
    let settings = TrialSettings(
      threshold: threshold.flatMap { try? CrowdModel($0) } ?? .usual, seed: UInt64(max(0, seed)))
    return trials.answer(document, of: draft, inForce: inForce, on: users, settings, now: now)
  }

  /// Makes the designer's mapping for the users of a sample, like another mapping in app, currency and protocol.
  ///
  /// - Parameters:
  ///   - like: The mapping whose app, currency, protocol and date it has.
  ///   - name: What people call it.
  /// - Returns: The proposal; `nil` where there is no such sample, or none of its users has data.
  /// - Throws: As ``users(of:currency:)``.
  package func proposal(from sample: String, like: Mapping, name: String) throws -> MappingProposal? {
    guard let users = try read(sample, currency: like.currency) else { return nil }
    return MappingProposal(
      MappingProposal.Wish(
        name: name, app: like.app, currency: like.currency, effectiveFrom: like.effectiveFrom,
        device: like.device), for: users)
  }

  private static let none = TrialDesk(folder: nil)
  private static let shared = DeskCache()

  /// The desk of a folder that all screens of this program share, as its memory outlives a request.
  package static func shared(_ folder: String?) -> TrialDesk { folder.map { shared.desk($0) } ?? none }

  package static var thresholds: [(name: String, sentence: String)] {
    CrowdModel.presets.map { ($0.name, $0.model.sentence) } + [("none", CrowdModel.none.sentence)]
  }
}
