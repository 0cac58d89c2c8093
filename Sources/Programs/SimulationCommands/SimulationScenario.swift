package import JSONText
import MappingFormats
import Mappings
import Simulation
import System
import Values
import CommandSupport

/// A file that describes a repeatable simulation; its form is `schemas/scenario.schema.json`.
package struct SimulationScenario: Sendable {
  /// A mapping and what it is played on.
  struct Play: Sendable {
    /// The mapping's file, or `nil` for the scenario's own mapping.
    var mapping: Source?
    /// The device; `nil` for the mapping's own.
    var device: Mapping.Device?
    /// The privacy threshold model; `nil` for the scenario's.
    var threshold: CrowdModel?
  }

  /// The place of a mapping.
  enum Source: Sendable {
    case file(String)
    /// In the scenario itself, with the name it has in messages.
    case inline([UInt8], name: String)
  }

  /// Users that are described in the scenario itself.
  struct User: Sendable {
    let name: String
    let campaign: String?
    let installed: Instant
    let events: [UserEvent]
    /// How many such users there are; only their names differ.
    let count: Int
  }

  var name: String?
  var play = Play()
  var compare: [Play] = []
  var events: String?
  var users: [User] = []
  var seed: UInt64?
  var runs: Int?
  var horizonDays: Int?
  var nonWinnerPercent: Int?
  var lostUpdates: Percentage?
  var currency: CurrencyCode?
  var overlappingWindows: Bool?
  var installCooldownHours: Int?
  var reengagementCooldownHours: Int?

  /// All members that the file may have.
  static let members = [
    "$schema", "comment", "name", "mapping", "protocol", "threshold", "compare", "events", "users", "seed",
    "runs", "horizon-days", "non-winner-percent", "lost-updates", "currency", "overlapping-windows",
    "install-cooldown-hours", "re-engagement-cooldown-hours",
  ]

  /// Reads a scenario; paths in it are relative to its folder.
  static func read(_ path: String) throws(CommandError) -> SimulationScenario {
    let bytes: [UInt8]
    do { bytes = try FileReader.contents(of: path, limit: 64 << 20) } catch { throw CommandError(error) }
    do { return try read(bytes, named: path) } catch { throw CommandError(error) }
  }

  /// Reads the bytes of a scenario; the name is for messages, and paths are relative to its folder.
  package static func read(_ bytes: [UInt8], named path: String) throws(JSONFileError) -> SimulationScenario {
    let file = JSONFile(bytes, name: path, schema: "schemas/scenario.schema.json")
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return try file.scenario(file.read(), folder: folder)
  }
}

extension JSONFile {
  fileprivate func scenario(_ root: JSONNode, folder: String) throws(JSONFileError) -> SimulationScenario {
    var scenario = SimulationScenario()
    let object = try object(root, .root, allowing: SimulationScenario.members)
    // Amounts of users are in the scenario's currency, wherever it is given.
    if let node = object["currency"] { scenario.currency = try currency(node, .root.member("currency")) }
    for member in object.members {
      let path = JSONPath.root.member(member.name)
      let node = member.value
      switch member.name {
      case "name": scenario.name = try text(node, path)
      case "mapping": scenario.play.mapping = try source(node, path, folder)
      case "protocol": scenario.play.device = try device(node, path)
      case "threshold": scenario.play.threshold = try crowd(node, path)
      case "compare":
        for (index, element) in try array(node, path).enumerated() {
          scenario.compare.append(try play(element, path.element(index), folder))
        }
      case "events": scenario.events = try relative(text(node, path), folder)
      case "users":
        let users = try array(node, path)
        guard !users.isEmpty else { throw mistake(node, path, "needs at least one user") }
        for (index, element) in users.enumerated() {
          scenario.users.append(try user(element, path.element(index), number: index, scenario.currency))
        }
      case "seed": scenario.seed = UInt64(try integer(node, path, in: 0...(.max)))
      case "runs": scenario.runs = Int(try integer(node, path, in: 1...10_000))
      case "horizon-days": scenario.horizonDays = Int(try integer(node, path, in: 1...36_500))
      case "non-winner-percent": scenario.nonWinnerPercent = Int(try integer(node, path, in: 0...100))
      case "lost-updates":
        let word = try text(node, path)
        guard let share = Percentage(word) else {
          throw mistake(node, path, "must be \(Percentage.allowed), found \(quoted(word))")
        }
        scenario.lostUpdates = share
      case "overlapping-windows": scenario.overlappingWindows = try truth(node, path)
      case "install-cooldown-hours":
        scenario.installCooldownHours = Int(try integer(node, path, in: 0...720))
      case "re-engagement-cooldown-hours":
        scenario.reengagementCooldownHours = Int(try integer(node, path, in: 0...720))
      default: break
      }
    }
    if scenario.play.mapping == nil { throw mistake(root, .root, "needs a \"mapping\"") }
    if (scenario.events == nil) == scenario.users.isEmpty {
      throw mistake(root, .root, "needs either \"events\" or \"users\"")
    }
    return scenario
  }

  private func relative(_ path: String, _ folder: String) -> String {
    path.hasPrefix("/") || path == "-" ? path : folder + path
  }

  private func source(_ node: JSONNode, _ path: JSONPath, _ folder: String) throws(JSONFileError)
    -> SimulationScenario.Source
  {
    switch node.value {
    case .string: return .file(relative(try text(node, path), folder))
    case .object: return .inline(Array(bytes[node.range]), name: "\(name) \(path)")
    default: throw wrongType(node, path, "a path or a mapping")
    }
  }

  private func play(_ node: JSONNode, _ path: JSONPath, _ folder: String) throws(JSONFileError)
    -> SimulationScenario.Play
  {
    if case .string = node.value {
      return SimulationScenario.Play(mapping: .file(relative(try text(node, path), folder)))
    }
    let object = try object(node, path, allowing: ["mapping", "protocol", "threshold"])
    var play = SimulationScenario.Play()
    if let node = object["mapping"] { play.mapping = try source(node, path.member("mapping"), folder) }
    if let node = object["protocol"] { play.device = try device(node, path.member("protocol")) }
    if let node = object["threshold"] { play.threshold = try crowd(node, path.member("threshold")) }
    return play
  }

  private func device(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> Mapping.Device {
    let word = try text(node, path)
    guard let device = Mapping.Device(rawValue: word) else {
      let all = Mapping.Device.allCases.map(\.rawValue).joined(separator: ", ")
      throw mistake(
        node, path, "must be one of \(all), found \(quoted(word))",
        cure: Mapping.Device.meant(by: word).map { "Did you mean \(quoted($0.rawValue))?" })
    }
    return device
  }

  private func crowd(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> CrowdModel {
    let text = try text(node, path)
    do throws(CrowdModelDefect) { return try CrowdModel(text) } catch {
      throw mistake(node, path, error.sentence)
    }
  }

  private func currency(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> CurrencyCode {
    let code = try text(node, path)
    guard let currency = CurrencyCode(code) else {
      throw mistake(
        node, path, "must be a code of ISO 4217, such as \"USD\", found \(quoted(code))",
        cure: CurrencyCode(anyCase: code).map { "Did you mean \(quoted($0.text))?" })
    }
    return currency
  }

  private func truth(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> Bool {
    guard case .bool(let truth) = node.value else { throw wrongType(node, path, "true or false", .truth) }
    return truth
  }

  private func user(_ node: JSONNode, _ path: JSONPath, number: Int, _ home: CurrencyCode?)
    throws(JSONFileError)
    -> SimulationScenario.User
  {
    let members = ["name", "campaign", "installed", "events", "count", "comment"]
    let object = try object(node, path, allowing: members)
    let place = { (name: String) in path.member(name) }
    var installed = Instant(seconds: 1_767_225_600)
    if let node = object["installed"] {
      let date = try text(node, place("installed"))
      guard let time = Instant(date) else {
        throw mistake(
          node, place("installed"), "must be RFC 3339 text or a date, found \(quoted(date))",
          cure: Instant.mistake(in: date))
      }
      installed = time
    }
    var events: [UserEvent] = []
    if let node = object["events"] {
      for (index, element) in try array(node, place("events")).enumerated() {
        events.append(try event(element, place("events").element(index), home))
      }
    }
    return SimulationScenario.User(
      name: try object["name"].map { (node) throws(JSONFileError) in try text(node, place("name")) }
        ?? "user \(number)",
      campaign: try object["campaign"].map { (node) throws(JSONFileError) in try text(node, place("campaign"))
      },
      installed: installed, events: events,
      count: try object["count"].map { (node) throws(JSONFileError) in
        Int(try integer(node, place("count"), in: 1...1_000_000))
      } ?? 1)
  }

  private func event(_ node: JSONNode, _ path: JSONPath, _ home: CurrencyCode?) throws(JSONFileError)
    -> UserEvent
  {
    let object = try object(
      node, path,
      allowing: ["seconds", "event", "revenue", "currency", "conversion-tag", "comment"])
    guard let time = object["seconds"], let name = object["event"] else {
      throw mistake(node, path, "needs \"seconds\" since install and an \"event\"")
    }
    var money: Money?
    if let node = object["revenue"] {
      let place = path.member("revenue")
      let digits: String
      switch node.value {
      case .string(let text): digits = text
      case .number(let number): digits = number.text
      default: throw wrongType(node, place, "an amount")
      }
      let own = try object["currency"].map { (node) throws(JSONFileError) in
        try currency(node, path.member("currency"))
      }
      guard let currency = own ?? home else {
        throw mistake(node, place, "has no currency; give one here or to the whole scenario")
      }
      do throws(Amount.Defect) { money = Money(try Amount(decimal: digits), currency) } catch {
        throw mistake(
          node, place, error.sentence, cure: Amount.meant(by: digits).map { "Did you mean \($0)?" })
      }
    }
    return UserEvent(
      secondsSinceInstall: try integer(time, path.member("seconds"), in: 0...2_000_000_000),
      name: try text(name, path.member("event")), revenue: money,
      conversionTag: try object["conversion-tag"].map { (node) throws(JSONFileError) in
        try text(node, path.member("conversion-tag"))
      })
  }
}
