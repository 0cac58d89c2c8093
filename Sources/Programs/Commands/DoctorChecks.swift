import Daemon
import Arguments
import Ledger
import Service
import System
import Values
import Verification

/// The checks of `skan doctor`.
struct DoctorChecks {
  /// The first year in which this program can run.
  private static let firstYear = "2026-01-01"
  /// Days before a certificate's end from which on it is time to renew it.
  private static let daysToRenew: Int64 = 14

  private let call: Invocation

  init(_ call: Invocation) { self.call = call }

  /// What all checks come to, in order.
  var findings: [Finding] {
    var findings = [configuration] + keys + [libraries]
    let database = DatabaseChecks(call)
    findings += database.findings + [clock(database.newest)]
    return findings + modes + [tls, port, metrics].compactMap { $0 } + MappingChecks(call).findings
  }

  private var configuration: Finding {
    if let problem = call.configurationProblem { return .fail("configuration", problem) }
    guard let path = call.configuration.path else { return .ok("configuration", "no file is used") }
    let networks = call.configuration.networks.count
    let tokens = call.configuration.readTokens.count
    return .ok("configuration", "'\(path)' is valid, with \(networks) networks and \(tokens) read tokens")
  }

  private var keys: [Finding] {
    do {
      let trusted = try call.trustedKeys()
      let keyring = try Keyring(trusting: trusted)
      let detail =
        "Apple's keys have their fingerprints" + (trusted.isEmpty ? "" : "; \(trusted.count) test keys load")
      let loaded = Finding.ok("keys", detail)
      do {
        try keyring.selfTest()
        return [loaded, .ok("self-test", "Apple's published postbacks hold, and a tampered one does not")]
      } catch {
        return [loaded, .fail("self-test", CommandError(error))]
      }
    } catch {
      return [.fail("keys", CommandError(error))]
    }
  }

  private var libraries: Finding {
    .ok(
      "libraries",
      "\(signatureLibrary), \(databaseLibrary), \(serverLibraries)")
  }

  private func clock(_ newest: Instant?) -> Finding {
    let now = call.world.clock()
    let cure = "set the clock, for example with `timedatectl set-ntp true`"
    if let first = Instant(Self.firstYear), now < first {
      return .fail("clock", "it says \(now), which is past already", cure: cure)
    }
    if let newest, now < newest {
      return .fail("clock", "it says \(now), but the newest postback came at \(newest)", cure: cure)
    }
    return .ok("clock", "it says \(now)")
  }

  private var tls: Finding? {
    let files: TLSFiles?
    do { files = try call.tlsFiles() } catch { return .fail("tls", CommandError(error)) }
    guard let files else { return nil }
    do {
      let now = call.world.clock()
      let end = try files.validUntil(at: now)
      let detail = "'\(files.certificate)' and its key belong together, valid until \(end)"
      return end < now + Self.daysToRenew * Day.milliseconds
        ? .warn("tls", detail, cure: "renew the certificate, then send the service SIGHUP")
        : .ok("tls", detail)
    } catch {
      return .fail("tls", CommandError(error))
    }
  }

  private var port: Finding? {
    guard let address = call.settings.hostPort("--listen") else { return nil }
    do {
      switch try ServiceProbe.at(address, overTLS: call.usesTLS) {
      case .free: return .ok("port", "\(address) is free")
      case .running: return .ok("port", "a skan answers on \(address)")
      }
    } catch {
      return .fail("port", CommandError(error))
    }
  }

  private var metrics: Finding? {
    guard let listen = call.settings.hostPort("--listen") else { return nil }
    switch call.metricsPlace {
    case .none: return .ok("metrics", "/metrics and /readyz are closed")
    case .address(let address):
      return .ok("metrics", "/metrics and /readyz are on \(address)")
    case .same where listen.isLoopback:
      return .ok("metrics", "only this machine reaches /metrics and /readyz")
    case .same:
      return .warn(
        "metrics", "whoever reaches \(listen) can read /metrics and /readyz",
        cure: "put them elsewhere, such as --metrics 127.0.0.1:9090, or close them with --metrics none")
    }
  }

  /// Whether others can read the files that hold secrets.
  private var modes: [Finding] {
    var files: [String] = []
    if let database = call.settings.text("--database") {
      files += [database, "\(database)-wal", "\(database)-shm", "\(database)-journal"]
    }
    let found = files.compactMap { path in Permissions(of: path).map { (path: path, mode: $0) } }
    guard !found.isEmpty else { return [] }
    let shared = found.filter { $0.mode.areShared }
    guard !shared.isEmpty else { return [.ok("modes", "only its owner can read the database")] }
    let names = shared.map { "'\($0.path)' (\($0.mode))" }.joined(separator: ", ")
    let paths = shared.map { "'\($0.path)'" }.joined(separator: " ")
    return [
      .warn(
        "modes", "others than their owner can read files with secrets: \(names)",
        cure: "chmod 600 \(paths), unless they are shared on purpose")
    ]
  }
}
