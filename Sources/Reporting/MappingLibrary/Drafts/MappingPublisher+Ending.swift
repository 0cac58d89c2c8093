import Ledger
import Mappings
import Postbacks
package import Values

extension MappingPublisher {
  /// What became of a publication, without the types of the database.
  package enum Ending: Hashable, Sendable {
    case published
    /// The other version, what was to be published, and what stands for the versions by now.
    case outdated(theirs: [UInt8], yours: [UInt8], state: String)
    /// Who saved the draft meanwhile.
    case stale(by: String)
    case dateTaken
    case missing
    case broken(String)

    init(_ outcome: Outcome) {
      switch outcome {
      case .published: self = .published
      case .outdated(let contest):
        self = .outdated(
          theirs: contest.theirs?.document ?? [], yours: contest.yours, state: contest.state)
      case .stale(let draft): self = .stale(by: draft.savedBy)
      case .dateTaken: self = .dateTaken
      case .missing: self = .missing
      case .broken(let findings): self = .broken(findings.first?.sentence ?? "it has errors")
      case .otherApp(let app): self = .broken("the document is for app \(app.number)")
      case .notLoaded(let reason, _): self = .broken(reason)
      }
    }
  }

  /// Publishes a draft; see ``publish(draft:ifMatch:_:now:)``.
  package func publishing(draft id: Int64, ifMatch etag: String?, _ order: Order, now: Instant) throws
    -> Ending
  {
    Ending(try publish(draft: id, ifMatch: etag, order, now: now))
  }

  /// Rolls back; see ``rollBack(_:to:knowing:_:now:)``.
  package func rollBack(
    app: Int64, to date: Instant, knowing state: String?, _ order: Order, now: Instant
  ) throws -> Ending {
    guard let app = AppID(app) else { return .missing }
    return Ending(try rollBack(app, to: date, knowing: state, order, now: now))
  }
}
