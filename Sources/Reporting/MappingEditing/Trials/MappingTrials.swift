package import EventFiles
package import Mappings
package import Simulation
import System
package import Values

/// Under what a draft is tried.
package struct TrialSettings: Equatable, Sendable {
  /// When Apple shows a value.
  package var threshold: CrowdModel
  /// Decides every random draw; the same number gives the same answer.
  package var seed: UInt64
  /// The share of the app's users that the chosen ones are, above 0 and at most 1; figures are those of the app.
  package var share: Double
  /// The days since install whose revenue is the truth to compare with.
  package var horizonDays = 35

  package init(threshold: CrowdModel = .usual, share: Double = 1, seed: UInt64 = 1) {
    self.threshold = threshold
    self.share = share
    self.seed = seed
  }
}

extension CrowdModel {
  /// The preset that is called `default`.
  package static var usual: CrowdModel { presets.first { $0.name == "default" }?.model ?? .none }
}

/// Tries mappings on the users of a folder's samples, from several threads at a time.
///
/// What came of the mapping in force is kept, so that a further edit costs the draft's own simulation only.
package final class MappingTrials: Sendable {
  private static let mostKept = 8
  /// How many drafts' newest edits are known at a time.
  private static let mostDrafts = 1000

  /// What is simulated; two that are equal have the same outcome.
  private struct Subject: Equatable {
    let sample: UserSample.Identity
    let mapping: Mapping
    let currency: CurrencyCode
    let settings: TrialSettings
  }

  private struct State: Sendable {
    /// The number of the newest edit of each draft that is being answered.
    var newestEdits: [String: Int] = [:]
    var lastEdit = 0
    /// Outcomes of mappings in force, the newest last.
    var outcomes: [(subject: Subject, outcome: SimulationOutcome)] = []
  }

  /// The paths of folders of samples, and those that could be opened.
  private let folders: [String]
  private let opened = Guarded<[String: SampleFolder]>([:])
  private let state = Guarded(State())
  /// Mappings that are being made of the samples.
  package let proposals = MappingProposals()

  /// - Parameter folders: The paths of folders of events files; one that can't be read has no samples, until it can.
  package init(samples folders: String?...) {
    self.folders = folders.compactMap { $0 }
  }

  private var samples: [SampleFolder] {
    opened.withLock { opened in
      folders.compactMap { path in
        if let known = opened[path] { return known }
        opened[path] = (try? Folder(path)).map { SampleFolder($0) }
        return opened[path]
      }
    }
  }

  /// The samples' names; none where no folder can be read.
  package var sampleNames: [String] { samples.flatMap { (try? $0.names()) ?? [] } }

  /// The users of a sample; `nil` where there is no such sample.
  ///
  /// - Parameters:
  ///   - currency: The currency of amounts that name none.
  /// - Throws: `CommandError` for a file that cannot be read, or has no usable rows.
  package func users(of sample: String, currency: CurrencyCode?) throws(CommandError) -> UserSample? {
    do {
      for folder in samples {
        if let users = try folder.sample(sample, currency: currency) { return users }
      }
      return nil
    } catch let error as EventFileError {
      let reason = "\(sample):\(error.line): \(error.sentence) [\(error.code)]"
      throw CommandError(.data, reason, remedy: error.cure?.english)
    } catch {
      let found = CommandError(error)
      throw CommandError(.data, found.message, remedy: found.remedy).about(sample)
    }
  }

  /// Answers one edit.
  ///
  /// - Parameters:
  ///   - reading: What a check made of the draft's text, right or not.
  ///   - document: That text.
  ///   - draft: What the edit is one of: a newer edit of the same ends the answer to an older one. `nil` for an edit
  ///     that nothing ends.
  ///   - users: The users that the draft is tried on; `nil` for none.
  /// - Returns: The answer; `nil` where a newer edit of the draft came meanwhile.
  package func answer(
    _ reading: MappingDocument.Reading, of document: [UInt8], draft: String? = nil, inForce: Mapping? = nil,
    on users: UserSample? = nil, _ settings: TrialSettings = TrialSettings()
  ) -> EditorAnswer? {
    let edit = draft.map { begin($0) }
    defer { if let draft, let edit { end(draft, edit) } }
    func isStale() -> Bool {
      guard let draft, let edit else { return false }
      return state.withLock { $0.newestEdits[draft] != edit }
    }
    let findings = DraftFinding.all(reading, in: document)
    if isStale() { return nil }
    var result: TrialResult?
    if let mapping = reading.sound, let users {
      guard let tried = trial(mapping, inForce, users, settings, isStale: isStale) else { return nil }
      result = tried
    }
    return EditorAnswer(
      root: reading.root, findings: findings, mapping: reading.sound, result: result,
      unknownEvents: unknownEvents(of: reading.sound, users))
  }

  /// The events of a mapping that no user of a sample has.
  private func unknownEvents(of mapping: Mapping?, _ users: UserSample?) -> [String] {
    guard let mapping, let users else { return [] }
    let known = Set(users.cohorts.flatMap(\.names.events))
    return mapping.eventNames.filter { !known.contains($0) }.sorted()
  }

  private func trial(
    _ mapping: Mapping, _ inForce: Mapping?, _ users: UserSample, _ settings: TrialSettings,
    isStale: () -> Bool
  ) -> TrialResult? {
    let currency = inForce?.currency ?? mapping.currency
    func subject(_ mapping: Mapping) -> Subject {
      Subject(sample: users.identity, mapping: mapping, currency: currency, settings: settings)
    }
    var before: SimulationOutcome?
    if let inForce {
      guard let outcome = kept(subject(inForce), users, isStale: isStale) else { return nil }
      before = outcome
    }
    guard let after = Self.outcome(of: subject(mapping), on: users.cohorts, isStale: isStale) else {
      return nil
    }
    let comparison = before.flatMap { PairedComparison([$0], [after], seed: settings.seed) }
    return TrialResult(
      users: users.users, events: users.events, isOneCampaign: users.isOneCampaign, seed: settings.seed,
      draft: TrialFigures(mapping, after, share: settings.share),
      inForce: inForce.flatMap { mapping in before.map { TrialFigures(mapping, $0, share: settings.share) } },
      comparison: comparison)
  }

  /// Simulates; `nil` when the work was ended.
  ///
  /// - Parameters:
  ///   - isStale: Looked at after each part of the users; `true` ends the work.
  private static func outcome(
    of subject: Subject, on cohorts: [Cohort], isStale: () -> Bool
  ) -> SimulationOutcome? {
    var configuration = SimulationConfiguration(subject.mapping)
    configuration.crowd = subject.settings.threshold
    configuration.share = subject.settings.share
    configuration.seed = subject.settings.seed
    configuration.horizonDays = subject.settings.horizonDays
    configuration.currency = subject.currency
    let simulator = Simulator(configuration)
    var counts = CrowdCounts()
    for cohort in cohorts {
      if isStale() { return nil }
      counts.merge(simulator.crowd(of: cohort))
    }
    let crowd = simulator.crowd(from: counts)
    var outcome = SimulationOutcome(currency: subject.currency)
    for cohort in cohorts {
      if isStale() { return nil }
      outcome.merge(simulator.run(cohort, crowd: crowd))
    }
    return outcome
  }

  private func kept(
    _ subject: Subject, _ users: UserSample, isStale: () -> Bool
  ) -> SimulationOutcome? {
    let known = state.withLock { state in
      state.outcomes.first { $0.subject == subject }?.outcome
    }
    if let known { return known }
    guard let outcome = Self.outcome(of: subject, on: users.cohorts, isStale: isStale) else { return nil }
    state.withLock { state in
      state.outcomes.append((subject, outcome))
      if state.outcomes.count > Self.mostKept { state.outcomes.removeFirst() }
    }
    return outcome
  }

  private func begin(_ draft: String) -> Int {
    state.withLock { state in
      state.lastEdit += 1
      // Only as many drafts as there are readers of answers; a flood of names must not fill the memory.
      if state.newestEdits.count >= Self.mostDrafts { state.newestEdits.removeAll() }
      state.newestEdits[draft] = state.lastEdit
      return state.lastEdit
    }
  }

  private func end(_ draft: String, _ edit: Int) {
    state.withLock { state in
      if state.newestEdits[draft] == edit { state.newestEdits[draft] = nil }
    }
  }
}
