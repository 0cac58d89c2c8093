import System

/// The table of multiples of one key: made once the key has been asked often enough, then used by all.
///
/// Making a table costs as much as it saves in about 600 checks, so a key that checks a handful of signatures
/// goes without. A new table is tested against `EVP_PKEY_verify` and thrown away when the two disagree.
final class FixedKeyTable: Sendable {
  private enum State {
    case counting(Int)
    case building
    case ready(FixedKeyVerifier)
    case unavailable
  }

  private enum Step {
    case build
    case use(FixedKeyVerifier?)
  }

  /// How many checks go by before the table is made.
  static let patience = 512

  private let ordinary: EVPVerifier
  private let state: Guarded<State>

  /// Starts without a table; there never is one when it is not wanted or the curve is not P-256.
  init(of ordinary: EVPVerifier, isWanted: Bool) {
    self.ordinary = ordinary
    state = Guarded(isWanted && ordinary.curve == .p256 ? .counting(Self.patience) : .unavailable)
  }

  /// Counts a check and returns what to do it with; `nil` means the ordinary way.
  ///
  /// Only the check that is one too many waits for the table to be made.
  func verifier() -> FixedKeyVerifier? {
    let step = state.withLock { state -> Step in
      switch state {
      case .ready(let verifier): return .use(verifier)
      case .building, .unavailable: return .use(nil)
      case .counting(let left) where left > 0:
        state = .counting(left - 1)
        return .use(nil)
      case .counting:
        state = .building
        return .build
      }
    }
    return finish(step)
  }

  /// Makes the table if there is none yet, and returns what checks are done with from now on.
  func prepared() -> FixedKeyVerifier? {
    let step = state.wait { state -> Step? in
      switch state {
      case .ready(let verifier): return .use(verifier)
      case .unavailable: return .use(nil)
      case .building: return nil
      case .counting:
        state = .building
        return .build
      }
    }
    return finish(step)
  }

  private func finish(_ step: Step) -> FixedKeyVerifier? {
    if case .use(let verifier) = step { return verifier }
    let built = ordinary.point.flatMap { FixedKeyVerifier(point: $0) }
    let tested = built.flatMap { $0.agrees(with: ordinary) ? $0 : nil }
    state.withLock { $0 = tested.map(State.ready) ?? .unavailable }
    state.wakeAll()
    return tested
  }
}
