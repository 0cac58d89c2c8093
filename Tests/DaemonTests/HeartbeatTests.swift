@testable import Daemon
import System
import Testing

@Suite struct `A heartbeat` {
  private typealias Look = Heartbeat.Look

  @Test(
    arguments: [
      // A writer with nothing to do.
      ([Look(), Look(), Look()], [true, true, true]),
      // One that is given work, ends it, and is given more.
      (
        [Look(), Look(attempts: 0, hasWork: true), Look(attempts: 1, hasWork: true), Look(attempts: 2)],
        [true, true, true, true]
      ),
      // One that hangs in what it began, and goes on.
      (
        [
          Look(attempts: 4, hasWork: true), Look(attempts: 4, hasWork: true),
          Look(attempts: 4, hasWork: true),
          Look(attempts: 5, hasWork: true),
        ], [true, false, false, true]
      ),
    ] as [([Heartbeat.Look], [Bool])])
  func `A heartbeat stops if work waits and no transaction ends`(looks: [Heartbeat.Look], beats: [Bool])
    throws
  {
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere"]))
    let left = Guarded(looks)
    let heartbeat = Heartbeat(manager) { left.withLock { $0.removeFirst() } }
    #expect(looks.indices.map { _ in heartbeat.makesProgress() } == beats)
  }
}
