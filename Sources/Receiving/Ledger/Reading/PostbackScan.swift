import Postbacks
import SQLite
import Verification

/// Reads the facts of every postback that can count in a question.
enum PostbackScan {
  final class Source {
    let number: Int
    let codes: PostbackFacts.Source
    let version: ProtocolVersion
    let window: ConversionWindow
    let outcome: Outcome
    let steps: CampaignCounters.StepTable

    /// - Returns: `nil` for codes that this program does not know.
    fileprivate init?(_ codes: PostbackFacts.Source, number: Int, _ tables: inout StepTables) {
      guard let version: ProtocolVersion = decoded(codes.version, by: { $0.code }),
        let window = ConversionWindow(rawValue: Int(codes.window)),
        let outcome: Outcome = decoded(codes.outcome, by: { $0.code })
      else { return nil }
      (self.number, self.codes) = (number, codes)
      (self.version, self.window, self.outcome) = (version, window, outcome)
      steps = tables.table(of: outcome, version, window)
    }
  }

  /// The tables of steps so far.
  ///
  /// Sources share them: a table for each of a thousand would not fit into the caches of a processor.
  fileprivate struct StepTables {
    private struct Key: Hashable {
      let outcome: Outcome
      let version: ProtocolVersion
      let window: ConversionWindow
    }

    private var tables: [Key: CampaignCounters.StepTable] = [:]

    mutating func table(
      of outcome: Outcome, _ version: ProtocolVersion, _ window: ConversionWindow
    ) -> CampaignCounters.StepTable {
      let key = Key(outcome: outcome, version: version, window: window)
      if let known = tables[key] { return known }
      let table = CampaignCounters.StepTable(of: outcome, version, window)
      tables[key] = table
      return table
    }
  }

  /// Visits postbacks of the plan's environment, apps and networks, in the order of their rows.
  ///
  /// - Parameters:
  ///   - plan: The question; its conditions are left to the visitor, and postbacks of the days beside its own come too.
  ///   - visit: Takes a postback, what is common to its source, and the slot of its value.
  static func forEach(
    _ plan: CampaignPlan, on connection: borrowing Connection,
    _ visit: (borrowing FactBlock.Cursor, Source, Int64) -> Void
  ) throws(SQLiteError) {
    var known = NumberedKeys(width: 6)
    // The places of the known codes in `sources`, or -1 for those that do not count.
    var places: [Int] = []
    var sources: [Source] = []
    var tables = StepTables()
    try FactBlocks.forEach(in: plan.moments, on: connection) { bytes throws(SQLiteError) in
      do throws(FactBlock.Malformed) {
        var block = try FactBlock.Cursor(bytes)
        // The numbers of the block's sources, or -1 for those that do not count.
        var numbers: [Int] = []
        while try block.next() {
          while numbers.count < block.sources.count {
            let codes = block.sources[numbers.count]
            let number = known.number(of: [
              codes.environment, codes.app, codes.network, codes.version, codes.window, codes.outcome,
            ])
            if number == places.count {
              let source = plan.admits(codes) ? Source(codes, number: sources.count, &tables) : nil
              places.append(source?.number ?? -1)
              if let source { sources.append(source) }
            }
            numbers.append(places[number])
          }
          let number = numbers[block.source]
          guard number >= 0, let slot = ConversionValue.slot(ofCode: block.value) else { continue }
          visit(block, sources[number], slot)
        }
      } catch {
        throw FactBlocks.malformed
      }
    }
  }
}
