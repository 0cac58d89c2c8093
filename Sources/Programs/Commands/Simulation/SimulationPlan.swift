import Arguments
import MappingFormats
import Mappings
import Postbacks
import Signing
import Simulation
import SimulationReports
import System
import Values

/// What a call of `skan simulate` asks for: a scenario file, and options that count before it.
struct SimulationPlan {
  /// A mapping under a protocol and a privacy threshold model, with its name in reports.
  struct Variant {
    let name: String
    let configuration: SimulationConfiguration
  }

  /// The mapping itself, then what it is compared with.
  let variants: [Variant]
  let seed: UInt64
  /// How often each variant is run.
  let runs: Int
  /// The events file; `nil` where the scenario has users of its own.
  let events: String?
  let users: [SimulationScenario.User]
  /// Where signed postbacks go.
  let postbacks: String?
  /// What they are signed with; there whenever ``postbacks`` is.
  let keys: SigningKeys?
  let network: AdNetworkID

  var currency: CurrencyCode { variants[0].configuration.currency }

  private typealias Options = SimulateCommand.Options

  init(_ call: Invocation) throws {
    let settings = call.settings
    let scenario =
      try settings.positionals.first.map { try SimulationScenario.read($0) } ?? SimulationScenario()
    let events = call[Options.events] ?? (settings.positionals.isEmpty ? nil : scenario.events)
    guard events != nil || !scenario.users.isEmpty else {
      throw call.mistake("The option '--events' is missing.", hint: "Give it, or a scenario file.")
    }
    self.events = events
    users = call[Options.events] == nil ? scenario.users : []
    seed = call[Options.seed].map { UInt64($0) } ?? scenario.seed ?? 1
    runs = call[Options.runs] ?? scenario.runs ?? 1
    let reader = VariantReader(call, scenario, seed: seed)
    variants = try reader.variants()
    postbacks = call[Options.postbacks]
    guard let network = AdNetworkID(call[Options.network]) else {
      throw call.mistake("The value of '--network' is not an ad network identifier.")
    }
    self.network = network
    switch (postbacks, call[Options.testKey]) {
    case (nil, nil): keys = nil
    case (nil, _?): throw call.mistake("'--test-key' requires '--postbacks'.")
    case (_?, nil):
      throw call.mistake(
        "The option '--test-key' is missing.", hint: "Create a key with `skan sign --new-key FILE` first.")
    case (_?, let path?):
      keys = try SigningKeys(Invocation.keys(in: path))
      if keys?.keys.isEmpty != false {
        throw CommandError(
          .data, "there is no private key in '\(path)'",
          remedy: "create a key with `skan sign --new-key FILE`")
      }
    }
    if call[Options.html] == "-" {
      throw call.mistake("'--html' requires a file, found '-'.")
    }
    var inputs = NamedFiles()
    inputs.add("the scenario", settings.positionals.first)
    inputs.add("the events", self.events)
    for path in reader.mappingPaths { inputs.add("a mapping", path) }
    inputs.add("'--test-key'", call[Options.testKey])
    try call.checkOutputs(
      [(Options.html.name, call[Options.html]), (Options.postbacks.name, postbacks)], besides: inputs)
  }
}

/// Makes configurations of options and a scenario.
private struct VariantReader {
  private typealias Options = SimulateCommand.Options

  private let call: Invocation
  private let scenario: SimulationScenario
  private let seed: UInt64

  init(_ call: Invocation, _ scenario: SimulationScenario, seed: UInt64) {
    self.call = call
    self.scenario = scenario
    self.seed = seed
  }

  /// The mapping files of all variants.
  var mappingPaths: [String] {
    ([main.mapping] + compared().map(\.mapping)).compactMap { source in
      if case .file(let path) = source { path } else { nil }
    }
  }

  /// The first variant: the scenario's mapping, unless options name another.
  private var main: SimulationScenario.Variant {
    var main = scenario.variant
    if let path = call[Options.mapping] { main.mapping = .file(path) }
    if let device = call[Options.protocol] { main.device = device }
    return main
  }

  func variants() throws -> [SimulationPlan.Variant] {
    var main = main
    if let model = call[Options.threshold] { main.threshold = try call.crowdModel(model) }
    guard let source = main.mapping else {
      throw call.mistake("The option '--mapping' is missing.", hint: "Give it, or a scenario file.")
    }
    let mapping = try mapping(source)
    let currency = try call.currency(call[Options.currency]) ?? scenario.currency ?? mapping.currency
    func variant(_ mapping: Mapping, _ asked: SimulationScenario.Variant) throws -> SimulationPlan.Variant {
      let device = asked.device ?? mapping.device
      var configuration = SimulationConfiguration(mapping, device: device)
      configuration.seed = seed
      configuration.currency = currency
      configuration.crowd = asked.threshold ?? main.threshold ?? CrowdModel.none
      configuration.horizonDays = call[Options.horizon] ?? scenario.horizonDays ?? 35
      let percent = call[Options.nonWinners] ?? scenario.nonWinnerPercent ?? 0
      configuration.nonWinnerShare = Double(percent) / 100
      configuration.lostUpdateShare = try lostUpdates()?.share ?? 0
      configuration.appOpens = appOpens
      configuration.attributionKit.hasOverlappingWindows = scenario.overlappingWindows ?? false
      configuration.attributionKit.installCooldownHours = scenario.installCooldownHours ?? 0
      configuration.attributionKit.reengagementCooldownHours = scenario.reengagementCooldownHours ?? 0
      let name = device == mapping.device ? mapping.name : "\(mapping.name) on \(device.title)"
      return SimulationPlan.Variant(name: name, configuration: configuration)
    }
    var variants = [try variant(mapping, main)]
    for compared in compared() {
      let other = try compared.mapping.map { try self.mapping($0) } ?? mapping
      var asked = compared
      // The same mapping stays on its device unless another is named.
      if asked.mapping == nil { asked.device = asked.device ?? main.device }
      variants.append(try variant(other, asked))
    }
    return variants
  }

  /// The share of updates that get lost: the option, or else the scenario.
  private func lostUpdates() throws -> Percentage? {
    guard let text = call[Options.lostUpdates] else { return scenario.lostUpdates }
    guard let share = Percentage(text) else {
      throw call.mistake("The value '\(printable(text))' of '--lost-updates' is not \(Percentage.allowed).")
    }
    return share
  }

  /// The events at which the app is open: the options, or else the scenario's.
  private var appOpens: Set<String> {
    let names = call[Options.appOpens]
    return Set(names.isEmpty ? scenario.appOpens : names)
  }

  private func compared() -> [SimulationScenario.Variant] {
    let words = call[Options.compare]
    guard !words.isEmpty else { return scenario.compare }
    return words.map { word in
      guard let at = word.lastIndex(of: "@") else { return SimulationScenario.Variant(mapping: .file(word)) }
      guard let device = Mapping.Device(rawValue: String(word[word.index(after: at)...])) else {
        // A path may have an @ in it.
        return SimulationScenario.Variant(mapping: .file(word))
      }
      return SimulationScenario.Variant(
        mapping: at == word.startIndex ? nil : .file(String(word[..<at])), device: device)
    }
  }

  private func mapping(_ source: SimulationScenario.Source) throws -> Mapping {
    let file: MappingFile
    switch source {
    case .file(let path): file = try MappingFile(path, on: call.console)
    case .inline(let bytes, let name): file = MappingFile(bytes, name: name)
    }
    let errors = file.rows.filter { $0.finding.severity == .error }
    if errors.isEmpty, let mapping = file.mapping { return mapping }
    for row in errors {
      call.console.errors.write(Array(row.text(call.console, on: call.console.errors).utf8))
    }
    throw CommandError(.data, "'\(file.path)' has errors and cannot be simulated")
  }
}
