package import EventFiles
package import MappingDesign
package import Mappings
import Postbacks
package import Simulation
import System
import Values

/// Mappings that the designer makes of users beside the answers to requests, one for each draft.
package final class MappingProposals: Sendable {
  /// How far the search for a draft's mapping is.
  package struct State: Sendable {
    /// The users' name.
    package let sample: String
    /// The installs a week of the campaigns that it is made for; none for the usual ones.
    package let sizes: [Int]
    /// How many parts of the work are done, and how many there are.
    package var done = 0
    package var steps = 1
    /// The best way to cut so far, with its error.
    package var best: DesignReport.ChoiceRow?
    /// Whether someone has seen enough; what is best so far is then made a mapping.
    package var isStopped = false
    /// What came of it; `nil` while it runs, and where no user has revenue.
    package var report: DesignReport?
    /// The mapping of the report, for the draft's protocol.
    package var mapping: Mapping?
    package var hasEnded = false
    fileprivate let number: Int
  }

  /// How many searches run at a time: each takes a processor.
  private static let mostRunning = 2
  /// How many are kept, with what came of them.
  private static let mostKept = 16
  private static let target = DesignTarget.revenue(days: 7)
  private static let values = 60

  private struct Searches: Sendable {
    var states: [Int64: State] = [:]
    var last = 0
    /// Threads that are at work, also for searches that were dropped.
    var running = 0
  }

  private let searches = Guarded(Searches())

  package init() {}

  /// The search for a draft; `nil` where there is none.
  package func state(of draft: Int64) -> State? {
    searches.withLock { $0.states[draft] }
  }

  /// Begins to design a mapping like another one in app, currency, protocol and date; what was begun before is dropped.
  ///
  /// AdAttributionKit has the windows of SKAdNetwork 4, so that a mapping for the one is made as for the other.
  ///
  /// - Parameter sizes: The installs a week of the campaigns that it is made for; none for the usual ones.
  /// - Returns: Whether it was begun; `false` while too many others run.
  /// - Throws: `ThreadError`.
  package func begin(
    for draft: Int64, named name: String, like other: Mapping, of sample: UserSample,
    _ threshold: CrowdModel = .usual, sizes: [Int] = []
  ) throws -> Bool {
    guard
      var request = DesignRequest(
        name: name, app: other.app, currency: other.currency, effectiveFrom: other.effectiveFrom,
        device: other.device == .skan3 ? .skan3 : .skan4, target: Self.target, values: Self.values)
    else { return false }
    request.crowd = threshold
    if !sizes.isEmpty { request.sizes = sizes }
    request.seed = 1
    let order = request
    let begun = searches.withLock { searches -> Int? in
      guard searches.running < Self.mostRunning else { return nil }
      searches.running += 1
      if searches.states.count >= Self.mostKept {
        searches.states = searches.states.filter { !$0.value.hasEnded }
      }
      searches.last += 1
      searches.states[draft] = State(sample: sample.name, sizes: sizes, number: searches.last)
      return searches.last
    }
    guard let begun else { return false }
    do { _ = try Worker(.background) { search() } } catch {
      searches.withLock { searches in
        searches.running -= 1
        searches.states[draft] = nil
      }
      throw error
    }
    return true
    @Sendable func search() {
      let report = Self.report(order, sample) { done, steps, best in
        change(draft, begun) { state in
          (state.done, state.steps, state.best) = (done, steps, best)
          return !state.isStopped
        } ?? false
      }
      _ = change(draft, begun) { state in
        (state.report, state.mapping, state.hasEnded) = (report, report?.mapping.on(other.device), true)
        return true
      }
      searches.withLock { $0.running -= 1 }
    }
  }

  /// Ends the search with the best so far.
  package func stop(_ draft: Int64) {
    searches.withLock { $0.states[draft]?.isStopped = true }
  }

  /// Drops the search and what came of it.
  package func forget(_ draft: Int64) {
    searches.withLock { _ = $0.states.removeValue(forKey: draft) }
  }

  /// Changes the state of a search; `nil` where it was dropped or begun anew.
  private func change(_ draft: Int64, _ number: Int, _ body: (inout State) -> Bool) -> Bool? {
    searches.withLock { searches in
      guard var state = searches.states[draft], state.number == number else { return nil }
      let answer = body(&state)
      searches.states[draft] = state
      return answer
    }
  }

  private static func report(
    _ request: DesignRequest, _ sample: UserSample,
    _ goesOn: (Int, Int, DesignReport.ChoiceRow?) -> Bool
  ) -> DesignReport? {
    guard let end = sample.cohorts.compactMap({ DesignUsers.end(of: $0) }).max() else { return nil }
    var users = DesignUsers(target: target, currency: request.currency)
    for cohort in sample.cohorts { users.add(cohort, until: end) }
    let study = DesignStudy(request, users, population: sample.users)
    var done = 0
    return study.run(following: { best in
      done += 1
      return goesOn(done, study.steps, best)
    })
  }
}

extension Mapping {
  /// The same for another protocol with the same windows.
  fileprivate func on(_ other: Device) -> Mapping {
    guard other != device else { return self }
    return Mapping(
      name: name, app: app, currency: currency, effectiveFrom: effectiveFrom, device: other,
      isRaiseOnly: isRaiseOnly, measurementWindowHours: measurementWindowHours, precedence: precedence,
      partners: partners, declaredEvents: declaredEvents, fine: fine, coarse: coarse)
  }
}
