import Arguments
import Commands
import Configuration
import EventFiles
import JSONText
import Reports
import Service
import Simulation
import System
import Tables
import Values

extension FuzzTarget {
  /// Words of queries and options: what is understood is written as it was meant.
  static let words = FuzzTarget(
    "words",
    dictionary: reports.flatMap(\.parameterNames) + [
      "=", "&", ",", "day", "app,network", "production", "2026-01-01", "2026-01-01T00:00:00.123Z", "+02:00",
      "192.0.2.7", "::1", "2001:db8::/32", "10.0.0.0/8", "::ffff:192.0.2.7", "[::1]:8080", ":0", "65536",
      "hard:5", "soft:", "user=id,time=ts", "9999-12-31", "0000-01-01", "1e5", "-0.000001",
    ]
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    var words: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      words[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    for kind in reports {
      do throws(ParameterError) {
        _ = try kind.job(words.mapValues { [$0] })
      } catch {
        try law(kind.parameterNames.contains(error.name), "a mistake names its parameter")
        try law(error.detail.english.utf8.count <= 1_000 + 4 * bytes.count, "a message is bounded")
      }
    }
    try checkValues(text)
    for value in words.values { try checkValues(value) }
  }

  private static func checkValues(_ text: String) throws {
    if let day = Day(text) { try law(Day(day.description) == day, "a day reads as it is written: \(day)") }
    if let instant = Instant(text) {
      try law(Instant(instant.description) == instant, "a moment reads as it is written: \(instant)")
      try law(instant.day.start <= instant, "a moment lies on its day")
    }
    if let place = HostPort(text) {
      try law(HostPort(place.description) == place, "a place reads as it is written: \(place)")
    }
    if let amount = try? Amount(decimal: text) {
      try law((try? Amount(decimal: amount.description)) == amount, "an amount reads as written: \(amount)")
    }
    if let range = AddressRange(text), let address = IPAddress(String(text.split(separator: "/")[0])) {
      try law(range.contains(address), "a range holds its first address")
    }
    if let currency = CurrencyCode(anyCase: text) {
      try law(CurrencyCode(currency.text) == currency, "a currency reads as it is written")
    }
    _ = try? CrowdModel(text)
    _ = try? EventColumns(text)
  }

  /// Configuration files: reading never traps, and the message of an error is short.
  static let configuration = FuzzTarget(
    "configuration",
    dictionary: jsonWords + [
      "database", "listen", "mappings", "trust-test-keys", "tls-certificate", "tls-key", "log-format",
      "threads",
      "connections-per-address", "networks", "read-tokens", "read-token-sha256", "network-hosts",
      "trusted-proxies", "pages-sign-in", "header", "groups-header", "proxies", "editors", "readers",
      "limits", "$schema", "name", "token", "token-sha256", "hmac-secret", "burst",
      "requests-per-second", "rejected-per-day", "127.0.0.1:8080", "10.0.0.0/8",
    ]
  ) { bytes in
    try checkFile(bytes) { (bytes) throws(JSONFileError) in
      _ = try ConfigurationFile.read(bytes, named: "file")
    }
  }

  /// Scenario files: reading never traps, and the message of an error is short.
  static let scenario = FuzzTarget(
    "scenario",
    dictionary: jsonWords + [
      "mapping", "protocol", "threshold", "compare", "events", "users", "seed", "runs", "horizon-days",
      "non-winner-percent", "currency", "overlapping-windows", "install-cooldown-hours", "count", "installed",
      "seconds", "event", "revenue", "campaign", "hard:5", "skan4", "USD", "../x.json", "-",
    ]
  ) { bytes in
    try checkFile(bytes) { (bytes) throws(JSONFileError) in
      _ = try SimulationScenario.read(bytes, named: "file")
    }
  }

  private static func checkFile(
    _ bytes: [UInt8], _ read: ([UInt8]) throws(JSONFileError) -> Void
  ) throws {
    let mistake: String
    do throws(JSONFileError) { return try read(bytes) } catch { mistake = error.message }
    try law(mistake.hasPrefix("file:"), "a mistake has its place: \(mistake)")
    try law(mistake.utf8.count <= 2_000 + 12 * bytes.count, "a message is bounded")
  }
}
