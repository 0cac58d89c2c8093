import Arguments
import Configuration
import Health
import Ledger
import System
import Values
import Verification

/// The checks of `skan doctor`.
struct DoctorChecks {
  private let call: Invocation
  private let service: ServiceConfiguration

  init(_ call: Invocation, _ service: ServiceConfiguration) {
    self.call = call
    self.service = service
  }

  /// What all checks come to, in order.
  var findings: [HealthFinding] {
    var findings = [configuration] + keys + [libraries]
    let now = call.world.clock()
    let database = databaseChecks
    findings += database.findings + [evidence].compactMap { $0 }
    findings.append(ServiceChecks.clock(now, newest: database.newest))
    findings += [call.databaseIfAny.flatMap { ServiceChecks.modes(of: $0) }].compactMap { $0 }
    let mappings = MappingChecks(
      service.mappings?.text, database: call.databaseIfAny, now: now)
    findings += Self.journal(
      service.journal, database: call.databaseIfAny, isDeep: call[DoctorCommand.Options.deep],
      clock: call.world.clock, on: call.console)
    return findings + [tls, port, metrics].compactMap { $0 } + mappings.findings
  }

  private var databaseChecks: DatabaseChecks {
    let isDeep = call[DoctorCommand.Options.deep]
    var parts = Progress("doctor", unit: "parts", total: 4, on: call.console)
    return DatabaseChecks(call.databaseIfAny, isDeep ? .deep : .usual) { parts.advance(to: $0) }
  }

  private var evidence: HealthFinding? {
    guard call[DoctorCommand.Options.deep], let keys = try? call.trustedKeys() else { return nil }
    return Self.bodies(of: call.databaseIfAny, trusting: keys, on: call.console)
  }

  private var configuration: HealthFinding {
    if let unusable = Self.unusableConfiguration(of: call) { return unusable }
    guard let path = call.configuration.path else {
      return .ok(.configuration, english: "no configuration file")
    }
    let networks = call.configuration.networks.count
    let tokens = call.configuration.readTokens.count
    return .ok(
      .configuration, english: "'\(path)' is valid, with \(networks) networks and \(tokens) read tokens")
  }

  /// A configuration file that cannot be used, so that the other checks are of other settings; `nil` for one that can.
  static func unusableConfiguration(of call: Invocation) -> HealthFinding? {
    call.configurationProblem.map {
      .fail(
        .configuration,
        english:
          "\($0.message); the other checks are of the options of this command and of defaults, not of this file",
        cure: $0.remedy)
    }
  }

  private var keys: [HealthFinding] {
    do {
      let trusted = try call.trustedKeys()
      return ServiceChecks.keys(try Keyring(trusting: trusted), testKeys: trusted.count)
    } catch {
      return [.fail(.keys, CommandError(error))]
    }
  }

  private var libraries: HealthFinding {
    .ok(
      .libraries,
      english: "\(signatureLibrary), \(databaseLibrary), \(serverLibraries)")
  }

  private var tls: HealthFinding? {
    do {
      try call.requireBothTLSFiles(service)
      guard let files = service.tlsFiles else { return nil }
      let now = call.world.clock()
      let end = try files.validUntil(at: now)
      return ServiceChecks.certificate(
        Sentence(name: "'\(files.certificate)' matches its key and"), until: end, now: now)
    } catch {
      return .fail(.tls, CommandError(error))
    }
  }

  private var port: HealthFinding? {
    let address = service.listen
    do {
      switch try ServiceProbe.at(address, overTLS: service.usesTLS) {
      case .free: return .ok(.port, english: "\(address) is free")
      case .running: return .ok(.port, english: "a running skan answers on \(address)")
      }
    } catch {
      return .fail(.port, CommandError(error))
    }
  }

  private var metrics: HealthFinding? {
    let listen = service.listen
    switch service.metrics {
    case .none: return .ok(.metrics, english: "/metrics and /readyz are closed")
    case .address(let address):
      return .ok(.metrics, english: "/metrics and /readyz are on \(address)")
    case .same where listen.isLoopback:
      return .ok(.metrics, english: "/metrics and /readyz are reachable only from this machine")
    case .same:
      return .warn(
        .metrics, english: "every client that can reach \(listen) can read /metrics and /readyz",
        cure: "move them to another address, such as --metrics 127.0.0.1:9090, or close them with --metrics "
          + "none")
    }
  }
}
