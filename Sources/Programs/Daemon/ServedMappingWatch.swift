import Ledger
import Postbacks
import Service
import System
import Values

/// Keeps in the database since when apps got the versions of their mapping, so that a restart does not forget it.
final class ServedMappingWatch: Watch {
  private let context: DaemonContext
  private let kept = Guarded<Set<ServedMapping>>([])
  private let periodic = Periodic(everyMicroseconds: 1_000_000)

  init(_ context: DaemonContext) { self.context = context }

  func start() throws(ThreadError) { try periodic.start { [self] in look() } }

  func stop() {
    periodic.stop()
    look()
  }

  private func look() {
    let served = context.figures.reading.mappingsServed.compactMap { version, served in
      AppID(version.app).map {
        ServedMapping(
          app: $0, effectiveFrom: version.effectiveFrom, digest: version.digest, since: served.first)
      }
    }
    let new = kept.withLock { Array(Set(served).subtracting($0)) }
    guard !new.isEmpty else { return }
    do {
      try MappingStore(context.changes).note(new)
      kept.withLock { $0.formUnion(new) }
    } catch {
      // The next look tries again.
      context.log.write(.warning, "served-mappings-not-kept", [("reason", .string(error.message))])
    }
  }
}
