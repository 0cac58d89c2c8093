import Arguments
import Daemon
import Ledger
import Service
import System
import Values
import Verification
import CommandSupport

/// The checks of `skan doctor`.
struct DoctorChecks {
  /// The first year in which this program can run.
  private static let firstYear = "2026-01-01"
  /// Days before a certificate's end from which on it is time to renew it.
  private static let daysToRenew: Int64 = 14

  private let call: Invocation

  init(_ call: Invocation) { self.call = call }

  /// What all checks come to, in order.
  var findings: [DoctorFinding] {
    var findings = [configuration] + keys + [libraries]
    let database = DatabaseChecks(call)
    findings += database.findings + [clock(database.newest)]
    return findings + modes + [tls, port, metrics].compactMap { $0 } + MappingChecks(call).findings
  }

  private var configuration: DoctorFinding {
    if let problem = call.configurationProblem { return .fail("configuration", problem) }
    guard let path = call.configuration.path else { return .ok("configuration", "no configuration file") }
    let networks = call.configuration.networks.count
    let tokens = call.configuration.readTokens.count
    return .ok("configuration", "'\(path)' is valid, with \(networks) networks and \(tokens) read tokens")
  }

  private var keys: [DoctorFinding] {
    do {
      let trusted = try call.trustedKeys()
      let keyring = try Keyring(trusting: trusted)
      let detail =
        "the fingerprints of Apple's keys match"
        + (trusted.isEmpty ? "" : "; \(trusted.count) test keys loaded")
      let loaded = DoctorFinding.ok("keys", detail)
      do {
        try keyring.selfTest()
        return [
          loaded, .ok("self-test", "Apple's published postbacks are valid, and an altered one is invalid"),
        ]
      } catch {
        return [loaded, .fail("self-test", CommandError(error))]
      }
    } catch {
      return [.fail("keys", CommandError(error))]
    }
  }

  private var libraries: DoctorFinding {
    .ok(
      "libraries",
      "\(signatureLibrary), \(databaseLibrary), \(serverLibraries)")
  }

  private func clock(_ newest: Instant?) -> DoctorFinding {
    let now = call.world.clock()
    let cure = "set the clock, for example with `timedatectl set-ntp true`"
    if let first = Instant(Self.firstYear), now < first {
      return .fail("clock", "the clock shows \(now), earlier than this release", cure: cure)
    }
    if let newest, now < newest {
      return .fail(
        "clock", "the clock shows \(now), earlier than the newest postback (\(newest))", cure: cure)
    }
    return .ok("clock", "the clock shows \(now)")
  }

  private var tls: DoctorFinding? {
    let files: TLSFiles?
    do { files = try call.tlsFiles() } catch { return .fail("tls", CommandError(error)) }
    guard let files else { return nil }
    do {
      let now = call.world.clock()
      let end = try files.validUntil(at: now)
      let detail = "'\(files.certificate)' matches its key and is valid until \(end)"
      return end < now + Self.daysToRenew * Day.milliseconds
        ? .warn("tls", detail, cure: "renew the certificate, then send SIGHUP to the service")
        : .ok("tls", detail)
    } catch {
      return .fail("tls", CommandError(error))
    }
  }

  private var port: DoctorFinding? {
    let address = call[ServiceSettings.listen]
    do {
      switch try ServiceProbe.at(address, overTLS: call.usesTLS) {
      case .free: return .ok("port", "\(address) is free")
      case .running: return .ok("port", "a running skan answers on \(address)")
      }
    } catch {
      return .fail("port", CommandError(error))
    }
  }

  private var metrics: DoctorFinding? {
    let listen = call[ServiceSettings.listen]
    switch call[ServiceSettings.metrics] {
    case .none: return .ok("metrics", "/metrics and /readyz are closed")
    case .address(let address):
      return .ok("metrics", "/metrics and /readyz are on \(address)")
    case .same where listen.isLoopback:
      return .ok("metrics", "/metrics and /readyz are reachable only from this machine")
    case .same:
      return .warn(
        "metrics", "every client that can reach \(listen) can read /metrics and /readyz",
        cure: "move them to another address, such as --metrics 127.0.0.1:9090, or close them with --metrics "
          + "none")
    }
  }

  /// Whether others can read the files that hold secrets.
  private var modes: [DoctorFinding] {
    var files: [String] = []
    if let database = call.databaseIfAny {
      files += [database, "\(database)-wal", "\(database)-shm", "\(database)-journal"]
    }
    let found = files.compactMap { path in Permissions(of: path).map { (path: path, mode: $0) } }
    guard !found.isEmpty else { return [] }
    let shared = found.filter { $0.mode.areShared }
    guard !shared.isEmpty else { return [.ok("modes", "only the owner can read the database files")] }
    let names = shared.map { "'\($0.path)' (\($0.mode))" }.joined(separator: ", ")
    let paths = shared.map { "'\($0.path)'" }.joined(separator: " ")
    return [
      .warn(
        "modes", "other users can read files with secrets: \(names)",
        cure: "run `chmod 600 \(paths)`, unless you share them on purpose")
    ]
  }
}
