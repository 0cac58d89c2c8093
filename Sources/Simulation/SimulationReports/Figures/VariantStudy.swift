package import Mappings
import Postbacks
import Simulation
import Values

/// One variant, with the figures that every form of the report shows.
struct VariantStudy: Sendable {
  /// A campaign with its figures.
  struct Row: Sendable {
    /// The campaign's name.
    let campaign: String
    /// What came of it.
    let figures: RunFigures
  }

  /// What was simulated, and what came of it.
  let variant: SimulationReport.Variant
  /// The campaigns, the largest first, equal ones by name.
  let rows: [Row]
  /// All campaigns together.
  let total: RunFigures

  /// Prepares the figures.
  init(_ variant: SimulationReport.Variant) {
    self.variant = variant
    let names = variant.outcomes.reduce(into: Set<String>()) { $0.formUnion($1.campaigns.keys) }
    rows = names.sorted().map { name in
      Row(
        campaign: name,
        figures: RunFigures(variant.outcomes.map { $0.campaigns[name] ?? CampaignOutcome() }))
    }.sorted { ($1.figures.sum.installs, $0.campaign) < ($0.figures.sum.installs, $1.campaign) }
    total = RunFigures(variant.outcomes.map(\.total))
  }

  /// What was simulated.
  var configuration: SimulationConfiguration { variant.configuration }
  /// How many runs there were.
  var runs: Int { variant.outcomes.count }
  /// The currency of every sum.
  var currency: CurrencyCode { configuration.currency }

  /// The windows that this device sends postbacks of.
  var windows: [ConversionWindow] {
    configuration.mapping.device.hasWindows ? ConversionWindow.allCases : [.first]
  }

  /// Users of no campaign; the same in every run.
  var organicUsers: Int { variant.outcomes[0].organicUsers }
  /// Their revenue.
  var organicRevenue: MoneySum { variant.outcomes[0].organicRevenue }
  /// Revenue of all users in other currencies, by the alphabet.
  var otherRevenue: [(currency: CurrencyCode, sum: MoneySum)] {
    variant.outcomes[0].otherRevenue.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The name as people see it.
  var name: String { printable(variant.name) }

  /// The device as people call it.
  var deviceName: String { configuration.mapping.device.title }
}

extension Mapping.Device {
  /// The device's attribution as people call it.
  package var title: String {
    switch self {
    case .skan3: "SKAdNetwork 3"
    case .skan4: "SKAdNetwork 4"
    case .aak: "AdAttributionKit"
    }
  }
}
