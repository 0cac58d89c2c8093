import Arguments
import MappingFormats
import Mappings
import Postbacks
import Signing
import Simulation
import System
import Values

/// Writes the postbacks of a simulation, signed, one a line, in an order that does not depend on the threads.
struct SimulatedPostbacks {
  private let simulator: Simulator
  private let crowd: Crowd
  private let keys: SigningKeys
  private let cast: SimulatedCast
  private let seed: UInt64

  /// Takes the first variant of a plan.
  init(_ simulator: Simulator, _ crowd: Crowd, _ plan: SimulationPlan) throws(CommandError) {
    guard let keys = plan.keys else { throw CommandError(.usage, "there is no key to sign with") }
    self.simulator = simulator
    self.crowd = crowd
    self.keys = keys
    var cast = SimulatedCast(app: simulator.configuration.mapping.app)
    cast.network = plan.network.text
    self.cast = cast
    seed = plan.seed
  }

  /// Signs everything and writes it to a file, or to standard output for `-`.
  ///
  /// - Returns: How many postbacks there were.
  /// - Throws: ``CommandError``, also for an interruption; then no file appears.
  func write(
    _ cohorts: any CohortSource, to path: String, _ call: Invocation, _ interruption: Interruption?
  ) throws -> Int {
    @Sendable func requireTime() throws(CommandError) {
      if interruption?.isRequested == true { throw .interruptedBeforeWriting }
    }
    let sink = Guarded(Sink(count: 0, obstacle: nil))
    let file = path == "-" ? nil : try PostbackFile(path)
    let console = call.console
    let pool = try OrderedWorkQueue<Int, Result<[[UInt8]], CommandError>>(
      threads: call[SimulateCommand.Options.threads] ?? processorCount
    ) { [self] index in
      do {
        try requireTime()
        return .success(try signed(cohorts.cohort(at: index)))
      } catch {
        return .failure(CommandError(error))
      }
    } deliver: { product, _ in
      sink.withLock { sink in
        guard sink.obstacle == nil else { return }
        do {
          let bodies = try product.get()
          var bytes: [UInt8] = []
          for body in bodies {
            bytes += body
            bytes.append(UInt8(ascii: "\n"))
          }
          if let file { try file.write(bytes) } else { console.write(bytes) }
          sink.count += bodies.count
        } catch {
          sink.obstacle = CommandError(error)
        }
      }
    }
    for index in 0..<cohorts.count { pool.add(index) }
    pool.finish()
    let (count, obstacle) = sink.withLock { ($0.count, $0.obstacle) }
    if let obstacle { throw obstacle }
    try requireTime()
    try file?.commit()
    return count
  }

  private struct Sink: Sendable {
    var count: Int
    var obstacle: CommandError?
  }

  private func signed(_ cohort: Cohort) throws(SigningError) -> [[UInt8]] {
    var postbacks: [SimulatedPostback] = []
    _ = simulator.run(cohort, crowd: crowd) { postbacks.append($0) }
    var bodies: [[UInt8]] = []
    for postback in postbacks {
      bodies.append(try keys.sign(postback, cast: cast, seed: seed))
    }
    return bodies
  }
}

/// A file that several threads may write to, one after the other, and that appears when it is whole.
private final class PostbackFile: Sendable {
  private let file: Guarded<AtomicFile?>

  init(_ path: String) throws(FileError) { file = Guarded(try AtomicFile(path)) }

  func write(_ bytes: [UInt8]) throws(FileError) {
    try file.withLock { file throws(FileError) in
      if let open = file.take() {
        try open.write(bytes)
        file = consume open
      }
    }
  }

  func commit() throws(FileError) {
    try file.withLock { file throws(FileError) in
      if let open = file.take() { try open.commit() }
    }
  }
}
