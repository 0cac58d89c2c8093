import Configuration
import Ledger
import Routing
import System
import Values

/// Keeps a running service's tokens in step with the configuration file, logs those that are made and revoked, and stores
/// on which days they are used.
///
/// No line has a token, a secret or a digest in it.
final class TokenWatch: Watch {
  private let access: Access
  private let log: ServiceLog
  private let path: String?
  /// The networks of the file as they were read last.
  private let networks: Guarded<[Access.Network]>
  private let periodic = Periodic(everyMicroseconds: 1_000_000)
  /// Stores days of use; a token causes one write a day.
  private let storing = Periodic(everyMicroseconds: 30_000_000)

  init(_ access: Access, _ configuration: ConfigurationFile, log: ServiceLog) {
    self.access = access
    self.log = log
    path = configuration.path
    networks = Guarded(configuration.networks)
  }

  /// Logs the changes in the database from now on.
  func start() throws(ThreadError) {
    _ = access.tokenChanges()
    try periodic.start { [self] in look() }
    try storing.start { [access] in access.storeTokenUses() }
  }

  func stop() {
    periodic.stop()
    storing.stop()
    access.storeTokenUses()
  }

  private func look() {
    for change in access.tokenChanges() {
      log.write(
        .info, "token-\(change.kind.rawValue)",
        [
          ("id", .integer(change.id)), ("use", .string(change.use.rawValue)), ("name", .string(change.name)),
        ])
    }
  }

  /// Reads the tokens and secrets of the configuration file again; where it is wrong, the old ones hold.
  func reload() {
    guard let path else { return }
    log.noteRereading(of: "tokens", from: path) { file in
      access.use(networks: file.networks, readTokens: file.readTokens)
      let before = networks.withLock { networks in
        defer { networks = file.networks }
        return networks
      }
      let changed = Set(before).symmetricDifference(file.networks).map(\.name)
      return [
        ("networks", .integer(Int64(file.networks.count))),
        ("read-tokens", .integer(Int64(file.readTokens.count))),
        ("changed", .string(Set(changed).sorted().joined(separator: ","))),
      ]
    }
  }
}
