import Postbacks
import Verification

/// The counts of the rows of a campaign report while they are added up.
struct CampaignCounters {
  /// Where a row has which count: the fine values, the columns of totals, the outcomes of first windows.
  private static let totals = 64
  private static let outcomes = totals + TotalsColumn.allCases.count
  private static let byCode = Outcome.allCases.sorted { $0.code < $1.code }
  fileprivate static let width = outcomes + byCode.count

  private var counters = CountRows(width: width)

  mutating func appendRow() { counters.appendRow() }

  mutating func add(_ count: Int64, to column: TotalsColumn, row: Int) {
    counters.add(count, row: row, column: Self.totals + column.place)
  }

  mutating func add(_ count: Int64, ofFirstWindow outcome: Outcome, row: Int) {
    counters.add(count, row: row, column: Self.column(of: outcome))
  }

  mutating func add(_ count: Int64, fine: Int, row: Int) { counters.add(count, row: row, column: fine) }

  mutating func add(_ steps: Steps, row: Int) {
    var left = steps.columns
    while left != Steps.none {
      counters.add(1, row: row, column: Int(left & 0xFF))
      left = left >> 8 | Steps.end
    }
  }

  private static func column(of outcome: Outcome) -> Int { outcomes + (byCode.firstIndex(of: outcome) ?? 0) }

  /// What a row comes to.
  ///
  /// - Parameters:
  ///   - countsCopies: Whether copies were counted.
  func counts(ofRow row: Int, countsCopies: Bool) -> CampaignCounts {
    var counts = CampaignCounts.zero
    counts.fine = FineCounts { counters[row, $0] }
    for column in TotalsColumn.allCases {
      let count = counters[row, Self.totals + column.place]
      if count != 0 { counts.add(count, to: column) }
    }
    for (place, outcome) in Self.byCode.enumerated() {
      counts.add(counters[row, Self.outcomes + place], of: outcome)
    }
    if !countsCopies { (counts.repeats, counts.conflicts) = (nil, nil) }
    return counts
  }
}

extension CampaignCounters {
  struct Steps {
    fileprivate static let none = UInt64.max
    fileprivate static let end: UInt64 = 0xFF << 56
    /// A byte for each of seven at most, the first one lowest; 255 for no more.
    fileprivate let columns: UInt64

    init(
      of outcome: Outcome, _ version: ProtocolVersion, _ window: ConversionWindow, _ value: ConversionValue,
      _ interaction: AdInteraction?
    ) {
      var found: [Int] = []
      TotalsColumn.forEach(of: outcome, version, value, interaction: interaction) {
        found.append(CampaignCounters.totals + $0.place)
      }
      if outcome != .assist, case .fine = value { found.append(Int(value.slot)) }
      if window == .first { found.append(CampaignCounters.column(of: outcome)) }
      columns = found.reversed().reduce(Self.none) { $0 << 8 | UInt64($1) }
    }
  }

  /// The steps of all postbacks of a source, by value and interaction.
  struct StepTable {
    private static let slots: Int64 = 69
    private var steps: [Steps] = []

    init(of outcome: Outcome, _ version: ProtocolVersion, _ window: ConversionWindow) {
      for slot in 0..<Self.slots {
        for interaction in [nil, AdInteraction.view, .click] {
          steps.append(
            Steps(of: outcome, version, window, ConversionValue(slot: slot) ?? .absent, interaction))
        }
      }
    }

    /// - Parameters:
    ///   - slot: The slot of the value, 0 to 68.
    ///   - interaction: The interaction's code.
    subscript(slot: Int64, interaction: Int64?) -> Steps {
      steps[Int(slot * 3 + (interaction == 0 ? 1 : interaction == 1 ? 2 : 0))]
    }
  }
}
