package import Simulation
import Values

/// What a simulation shows about a mapping, for people and for programs: table, JSON, CSV and a page.
package struct SimulationReport: Sendable {
  /// One mapping under one protocol and one privacy threshold model, simulated.
  package struct Variant: Sendable {
    /// What people call it.
    package let name: String
    package let configuration: SimulationConfiguration
    package let outcome: VariantOutcome

    package init(name: String, configuration: SimulationConfiguration, outcome: VariantOutcome) {
      self.name = name
      self.configuration = configuration
      self.outcome = outcome
    }
  }

  package struct Population: Sendable {
    /// Where the users come from, such as the name of a file.
    package let source: String
    /// Rows of events, without those that were skipped.
    package let rows: Int
    /// Users, organic ones too.
    package let users: Int
    /// Rows that could not be used: the code of the reason, how many, and the line of the first, from 1.
    package let skipped: [(code: String, rows: Int, firstLine: Int)]
    /// Rows that were there before, and count once.
    package let duplicates: Int

    package init(
      source: String, rows: Int, users: Int, skipped: [(code: String, rows: Int, firstLine: Int)] = [],
      duplicates: Int = 0
    ) {
      self.source = source
      self.rows = rows
      self.users = users
      self.skipped = skipped
      self.duplicates = duplicates
    }
  }

  /// The variants with their figures, in the order they were given.
  let studies: [VariantStudy]
  /// Every other variant against the first.
  let comparisons: [VariantComparison]
  let population: Population
  /// What SKAdNetwork 3's timer costs at best.
  let chain: RollingChain?

  /// Prepares the report.
  ///
  /// - Parameters:
  ///   - variants: The mapping, then those that are compared with it; at least one, all of the same users and runs.
  ///   - chain: What SKAdNetwork 3's timer alone costs, where that was counted.
  /// - Throws: `FileError` where the figures of campaigns cannot be read; so do all that print it.
  package init(_ variants: [Variant], population: Population, chain: RollingChain? = nil) throws {
    precondition(!variants.isEmpty, "A report is about at least one mapping.")
    studies = try variants.map { try VariantStudy($0) }
    comparisons = try variants.dropFirst().map { try VariantComparison(variants[0], $0) }
    self.population = population
    self.chain = chain
  }

  /// The mapping that the report is about.
  var first: VariantStudy { studies[0] }
}

extension SimulationReport {
  /// What a reader has to know if no privacy threshold model was chosen.
  static let withoutCrowd = Sentence(
    "No privacy threshold model is selected, so every value is shown; real reports have many "
      + "withheld values (`--threshold default`).")
}
