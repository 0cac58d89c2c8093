package import Mappings
import Simulation
import System
package import EventFiles
package import Values

/// Answers what drafts would show, from several threads at a time.
///
/// What came of the mapping in force is kept, so that a further edit costs the draft's own simulation only.
package final class MappingTrials: Sendable {
  private static let mostKept = 8
  /// How many drafts' newest edits are known at a time.
  private static let mostTickets = 1000

  private struct State: Sendable {
    /// The number of the newest edit of each draft that is being answered.
    var tickets: [String: Int] = [:]
    var lastTicket = 0
    /// Outcomes of mappings in force, the newest last.
    var outcomes: [(subject: TrialRun.Subject, outcome: SimulationOutcome)] = []
  }

  private let state = Guarded(State())

  package init() {}

  /// Answers one edit.
  ///
  /// - Parameters:
  ///   - document: The draft's text, right or not.
  ///   - draft: What the edit is one of: a newer edit of the same ends the answer to an older one. `nil` for an edit
  ///     that nothing ends.
  ///   - sample: The users; `nil` for none.
  ///   - settings: Under what it is tried.
  ///   - now: The time, from which the mapping's date should not be years away.
  /// - Returns: The answer; `nil` where a newer edit of the draft came meanwhile.
  package func answer(
    _ document: [UInt8], of draft: String? = nil, inForce: Mapping? = nil, on sample: UserSample? = nil,
    _ settings: TrialSettings = TrialSettings(), now: Instant? = nil
  ) -> EditorAnswer? {
    let ticket = draft.map { take($0) }
    defer { if let draft, let ticket { giveBack(draft, ticket) } }
    func isStale() -> Bool {
      guard let draft, let ticket else { return false }
      return state.withLock { $0.tickets[draft] != ticket }
    }
    let reading = MappingDocument.check(document, at: now)
    let findings = DraftFinding.all(reading.findings, in: document)
    guard let read = reading.document, !reading.findings.contains(where: { $0.severity == .error }) else {
      return isStale()
        ? nil : EditorAnswer(findings: findings, mapping: nil, cells: [], schedule: [], result: nil)
    }
    if isStale() { return nil }
    var result: TrialResult?
    if let sample {
      guard let tried = trial(read.mapping, inForce, sample, settings, isStale: isStale) else { return nil }
      result = tried
    }
    return EditorAnswer(
      findings: findings, mapping: read.mapping, cells: DraftCell.all(of: read, result?.draft),
      schedule: WindowSchedule.all(of: read.mapping), result: result)
  }

  private func trial(
    _ mapping: Mapping, _ inForce: Mapping?, _ sample: UserSample, _ settings: TrialSettings,
    isStale: () -> Bool
  ) -> TrialResult? {
    let currency = inForce?.currency ?? mapping.currency
    func subject(_ mapping: Mapping) -> TrialRun.Subject {
      TrialRun.Subject(sample: sample.identity, mapping: mapping, currency: currency, settings: settings)
    }
    var before: SimulationOutcome?
    if let inForce {
      guard let outcome = kept(subject(inForce), sample, isStale: isStale) else { return nil }
      before = outcome
    }
    guard let after = TrialRun.outcome(of: subject(mapping), on: sample.cohorts, isStale: isStale) else {
      return nil
    }
    let comparison = before.flatMap { PairedComparison([$0], [after], seed: settings.seed) }
    return TrialResult(
      sample: sample.name, users: sample.users, usersOfFile: sample.usersOfFile, events: sample.events,
      settings: settings, draft: TrialFigures(mapping, after),
      inForce: inForce.flatMap { mapping in before.map { TrialFigures(mapping, $0) } },
      comparison: comparison)
  }

  private func kept(
    _ subject: TrialRun.Subject, _ sample: UserSample, isStale: () -> Bool
  ) -> SimulationOutcome? {
    let known = state.withLock { state in
      state.outcomes.first { $0.subject == subject }?.outcome
    }
    if let known { return known }
    guard let outcome = TrialRun.outcome(of: subject, on: sample.cohorts, isStale: isStale) else {
      return nil
    }
    state.withLock { state in
      state.outcomes.append((subject, outcome))
      if state.outcomes.count > Self.mostKept { state.outcomes.removeFirst() }
    }
    return outcome
  }

  private func take(_ draft: String) -> Int {
    state.withLock { state in
      state.lastTicket += 1
      // Only as many drafts as there are readers of answers; a flood of names must not fill the memory.
      if state.tickets.count >= Self.mostTickets { state.tickets.removeAll() }
      state.tickets[draft] = state.lastTicket
      return state.lastTicket
    }
  }

  private func giveBack(_ draft: String, _ ticket: Int) {
    state.withLock { state in
      if state.tickets[draft] == ticket { state.tickets[draft] = nil }
    }
  }
}
