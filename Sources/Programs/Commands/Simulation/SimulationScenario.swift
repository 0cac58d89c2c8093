package import JSONText
import MappingFormats
import Mappings
import Simulation
import System
import Values

/// A file that describes a repeatable simulation; its form is `schemas/scenario.schema.json`.
package struct SimulationScenario: Sendable {
  /// A mapping under a protocol and a privacy threshold model.
  struct Variant: Sendable {
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
  var variant = Variant()
  var compare: [Variant] = []
  var events: String?
  var users: [User] = []
  var seed: UInt64?
  var runs: Int?
  var horizonDays: Int?
  var nonWinnerPercent: Int?
  var lostUpdates: Percentage?
  var appOpens: [String] = []
  var currency: CurrencyCode?
  var overlappingWindows: Bool?
  var installCooldownHours: Int?
  var reengagementCooldownHours: Int?

  /// All members that the file may have.
  static let members = [
    "$schema", "comment", "name", "mapping", "protocol", "threshold", "compare", "events", "users", "seed",
    "runs", "horizon-days", "non-winner-percent", "lost-updates", "app-opens", "currency",
    "overlapping-windows",
    "install-cooldown-hours", "re-engagement-cooldown-hours",
  ]

  static let form = JSONForm("a scenario", optional: members)
  static let userForm = JSONForm(
    "a user", optional: ["name", "campaign", "installed", "events", "count", "comment"])
  static let eventForm = JSONForm(
    "an event", optional: ["seconds", "event", "revenue", "currency", "conversion-tag", "comment"])

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
    let reader = ScenarioReader(file: file, folder: folder)
    return try file.read { (root) throws(JSONProblem) in try reader.scenario(root) }
  }
}

private struct ScenarioReader {
  let file: JSONFile
  /// What relative paths start with.
  let folder: String

  func scenario(_ root: JSONPlace) throws(JSONProblem) -> SimulationScenario {
    var scenario = SimulationScenario()
    let members = try root.members(SimulationScenario.form)
    // Amounts of users are in the scenario's currency, wherever it is written.
    scenario.currency = try members["currency"]?.currency()
    scenario.name = try members["name"]?.text()
    scenario.variant = try variant(members)
    for entry in try members["compare"]?.list() ?? [] { scenario.compare.append(try compared(entry)) }
    scenario.events = try members["events"]?.text().inFolder(folder)
    if let place = members["users"] {
      let users = try place.list()
      guard !users.isEmpty else { throw place.mistake("needs at least one user") }
      for (index, user) in users.enumerated() {
        scenario.users.append(try self.user(user, number: index, scenario.currency))
      }
    }
    scenario.seed = try members["seed"]?.integer(in: 0...(.max)).magnitude
    scenario.runs = try members["runs"]?.count(in: 1...10_000)
    scenario.horizonDays = try members["horizon-days"]?.count(in: 1...36_500)
    scenario.nonWinnerPercent = try members["non-winner-percent"]?.count(in: 0...100)
    scenario.lostUpdates = try members["lost-updates"]?.percentage()
    for entry in try members["app-opens"]?.list() ?? [] { scenario.appOpens.append(try entry.text()) }
    scenario.overlappingWindows = try members["overlapping-windows"]?.truth()
    scenario.installCooldownHours = try members["install-cooldown-hours"]?.count(in: 0...720)
    scenario.reengagementCooldownHours = try members["re-engagement-cooldown-hours"]?.count(in: 0...720)
    if scenario.variant.mapping == nil { throw root.mistake("needs a \"mapping\"") }
    if (scenario.events == nil) == scenario.users.isEmpty {
      throw root.mistake("needs either \"events\" or \"users\"")
    }
    return scenario
  }

  private func source(_ place: JSONPlace) throws(JSONProblem) -> SimulationScenario.Source {
    switch place.node.value {
    case .string: .file(try place.text().inFolder(folder))
    case .object: .inline(Array(file.bytes[place.node.range]), name: "\(file.name) \(place.path)")
    default: throw place.wrongType(Sentence("\(code: "a path or a mapping")"))
    }
  }

  private func compared(_ place: JSONPlace) throws(JSONProblem) -> SimulationScenario.Variant {
    if place.node.value.string != nil { return SimulationScenario.Variant(mapping: try source(place)) }
    return try variant(
      try place.members(JSONForm("a comparison", optional: ["mapping", "protocol", "threshold"])))
  }

  private func variant(_ members: JSONMembers) throws(JSONProblem) -> SimulationScenario.Variant {
    var variant = SimulationScenario.Variant()
    if let place = members["mapping"] { variant.mapping = try source(place) }
    variant.device = try members["protocol"]?.word(synonyms: MappingWords.synonyms)
    variant.threshold = try members["threshold"]?.crowd()
    return variant
  }

  private func user(_ place: JSONPlace, number: Int, _ home: CurrencyCode?) throws(JSONProblem)
    -> SimulationScenario.User
  {
    let members = try place.members(SimulationScenario.userForm)
    var events: [UserEvent] = []
    for entry in try members["events"]?.list() ?? [] { events.append(try entry.userEvent(home)) }
    return SimulationScenario.User(
      name: try members["name"]?.text() ?? "user \(number)", campaign: try members["campaign"]?.text(),
      installed: try members["installed"]?.instant() ?? Instant(seconds: 1_767_225_600), events: events,
      count: try members["count"]?.count(in: 1...1_000_000) ?? 1)
  }
}

extension String {
  fileprivate func inFolder(_ folder: String) -> String {
    hasPrefix("/") || self == "-" ? self : folder + self
  }
}

extension JSONPlace {
  fileprivate func count(in range: ClosedRange<Int64>) throws(JSONProblem) -> Int {
    Int(try integer(in: range))
  }

  fileprivate func percentage() throws(JSONProblem) -> Percentage {
    let word = try text()
    guard let share = Percentage(word) else {
      throw mistake("must be \(Percentage.allowed), found \(quoted(word))")
    }
    return share
  }

  fileprivate func crowd() throws(JSONProblem) -> CrowdModel {
    let text = try text()
    do throws(CrowdModelDefect) { return try CrowdModel(text) } catch { throw mistake(error.sentence) }
  }

  fileprivate func userEvent(_ home: CurrencyCode?) throws(JSONProblem) -> UserEvent {
    let members = try members(SimulationScenario.eventForm)
    guard let time = members["seconds"], let name = members["event"] else {
      throw mistake("needs \"seconds\" since install and an \"event\"")
    }
    var money: Money?
    if let revenue = members["revenue"] {
      guard let currency = try members["currency"]?.currency() ?? home else {
        throw revenue.mistake("has no currency; give one here or to the whole scenario")
      }
      money = Money(try revenue.amount(), currency)
    }
    return UserEvent(
      secondsSinceInstall: try time.integer(in: 0...2_000_000_000), name: try name.text(), revenue: money,
      conversionTag: try members["conversion-tag"]?.text())
  }
}
