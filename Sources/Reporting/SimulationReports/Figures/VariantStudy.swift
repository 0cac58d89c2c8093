package import Mappings
import Postbacks
import Simulation
import Tables
import Values

/// One variant, with the figures that every form of the report shows.
struct VariantStudy: Sendable {
  /// A campaign with its figures, or all campaigns.
  struct Row: Sendable {
    /// The campaign's name.
    let campaign: String
    let figures: RunFigures
    var isTotal = false
  }

  /// What was simulated, and what came of it.
  let variant: SimulationReport.Variant
  /// All campaigns together.
  let total: RunFigures
  /// The most installs a day of any campaign; `nil` without campaigns, and where too few values are withheld for
  /// a person to ask.
  let mostDaily: Double?

  /// Prepares the figures.
  ///
  /// - Throws: `FileError` where the figures of campaigns cannot be read.
  init(_ variant: SimulationReport.Variant) throws {
    self.variant = variant
    total = RunFigures(variant.outcome.total)
    var mostDaily: Double?
    if Self.withheldShare(total).map({ $0 > Self.muchWithheld }) ?? false {
      try variant.outcome.forEachCampaign { _, summary in
        mostDaily = max(mostDaily ?? 0, RunFigures(summary).installsPerDay ?? 0)
      }
    }
    self.mostDaily = mostDaily
  }

  /// How many campaigns have users.
  var campaignCount: Int { variant.outcome.campaigns.count }

  /// Gives the campaigns, the largest first, equal ones by name; at most so many.
  ///
  /// - Throws: What `body` throws, or `FileError` where the figures cannot be read.
  func forEachRow(most: Int = .max, _ body: (Row) throws -> Void) throws {
    try variant.outcome.forEachCampaign(most: most) { try body(Row(campaign: $0, figures: RunFigures($1))) }
  }

  /// The first campaigns.
  ///
  /// - Throws: `FileError` where the figures cannot be read.
  func rows(most: Int) throws -> [Row] {
    var rows: [Row] = []
    try forEachRow(most: most) { rows.append($0) }
    return rows
  }

  /// The columns that people see of this device: the only window's would repeat the one of all postbacks.
  func shown(_ columns: [Column<RunFigures>]) -> [Column<RunFigures>] {
    windows.count > 1 ? columns : columns.filter { $0.header.name != RunFigures.firstWindow }
  }

  var configuration: SimulationConfiguration { variant.configuration }
  /// How many runs there were.
  var runs: Int { total.runs }
  /// The currency of every sum.
  var currency: CurrencyCode { configuration.currency }

  /// The windows that this device sends postbacks of.
  var windows: [ConversionWindow] {
    configuration.mapping.device.hasWindows ? ConversionWindow.allCases : [.first]
  }

  /// Users of no campaign; the same in every run.
  var organicUsers: Int { variant.outcome.organicUsers }
  var organicRevenue: MoneySum { variant.outcome.organicRevenue }
  /// Revenue of all users in other currencies, by the alphabet.
  var otherRevenue: [(currency: CurrencyCode, sum: MoneySum)] {
    variant.outcome.otherRevenue.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
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
