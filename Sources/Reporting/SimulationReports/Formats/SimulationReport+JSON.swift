import JSONText
import Mappings
import Postbacks
import Simulation
import Tables
import Values

extension SimulationReport {
  /// Writes the report as one JSON document, campaign by campaign.
  func writeJSON(_ write: (String) throws -> Void) throws {
    var writer = JSONWriter()
    writer.open(.object)
    writer.add("population", population.json)
    writer.open(.array, "variants")
    for study in studies { try study.write(to: &writer, write) }
    writer.close()
    writer.open(.array, "comparisons")
    for comparison in comparisons { try comparison.write(to: &writer, write) }
    writer.close()
    writer.add("rolling-chain", chain?.json ?? .null)
    writer.close()
    try write(writer.take() + "\n")
  }
}

extension SimulationReport.Population {
  fileprivate var json: JSONOutput {
    .object([
      .init("source", .string(source)), .init("rows", .integer(Int64(rows))),
      .init("users", .integer(Int64(users))),
      .init(
        "skipped",
        .array(
          skipped.map { skip in
            .object([
              .init("code", .string(skip.code)), .init("rows", .integer(Int64(skip.rows))),
              .init("first-line", .integer(Int64(skip.firstLine))),
            ])
          })),
      .init("duplicates", .integer(Int64(duplicates))),
    ])
  }
}

extension VariantStudy {
  fileprivate func write(to writer: inout JSONWriter, _ write: (String) throws -> Void) throws {
    writer.open(.object)
    for member in head { writer.add(member.name, member.value) }
    writer.open(.array, "campaigns")
    try forEachRow { row in
      writer.add(.object([.init("campaign", .string(row.campaign))] + members(of: row.figures)))
      if writer.count > writePiece { try write(writer.take()) }
    }
    writer.close()
    writer.add("total", .object(members(of: total)))
    writer.close()
  }

  /// What was simulated, and what belongs to no campaign.
  private var head: [JSONOutput.Member] {
    [
      .init("name", .string(variant.name)),
      .init("mapping", .string(configuration.mapping.name)),
      .init("protocol", .string(configuration.mapping.device.rawValue)),
      .init("threshold", .string(configuration.crowd.description)),
      .init("threshold-sentence", .string(configuration.crowd.sentence.english)),
      .init("caveat", .string(CrowdModel.caveat.english)),
      .init("notes", .array(cautions.map { .string($0.english) })),
      // A number of JSON can't carry 64 bits everywhere.
      .init("seed", .string("\(configuration.seed)")),
      .init("runs", .integer(Int64(runs))),
      .init("horizon-days", .integer(Int64(configuration.horizonDays))),
      .init("currency", .string(currency.text)),
      .init("organic-users", .integer(Int64(organicUsers))),
      .init("organic-revenue", organicRevenue.amount.json),
      .init(
        "other-revenue",
        .object(otherRevenue.map { .init($0.currency.text, $0.sum.amount.json) })),
      .init("windows-adding-up", .array(addingUp)),
    ]
  }

  /// The numbers of the windows whose worth is part of captured and visible revenue.
  private var addingUp: [JSONOutput] {
    windows.filter { total.sum.addsUp[$0.rawValue] }.map { .integer(Int64($0.rawValue + 1)) }
  }

  private func members(of figures: RunFigures) -> [JSONOutput.Member] {
    RunFigures.sheet.members(of: figures) + [
      .init("windows", .array(windows.map { figures.json(of: $0) })),
      .init("days", DayFigures.sheet.array(of: figures.days)),
    ]
  }
}

extension DayFigures {
  fileprivate static let sheet = Sheet(columns, held: [Self](), for: .json)
}

extension RunFigures {
  fileprivate static let sheet = Sheet(columns, held: [Self](), for: .json)

  fileprivate func json(of window: ConversionWindow) -> JSONOutput {
    let outcome = sum[window]
    func count(_ total: Int) -> JSONOutput { ExpectedCount(mean(total)).json }
    func money(_ total: MoneySum) -> JSONOutput { mean(total).amount.json }
    func share(_ value: Double?) -> JSONOutput { value.map { Share($0) }.json }
    func hours(_ part: Double) -> JSONOutput { outcome.delays.percentile(part).json }
    let longest = (outcome.delays.counts.lastIndex { $0 != 0 } ?? -1) + 1
    return .object([
      .init("window", .integer(Int64(window.rawValue + 1))),
      .init("postbacks", count(outcome.postbacks)), .init("withheld", count(outcome.withheld)),
      .init("nulls", count(outcome.nulls)), .init("zeroes", count(outcome.zeroes)),
      .init("non-winners", count(outcome.nonWinners)),
      .init("null-share", share(outcome.nullShare)), .init("zero-share", share(outcome.zeroShare)),
      .init("revenue", money(outcome.revenue)), .init("captured-real", money(outcome.revenueAtUpdate)),
      .init("captured", money(outcome.captured)), .init("visible-low", money(outcome.visibleLow)),
      .init("visible", money(outcome.visible)), .init("visible-high", money(outcome.visibleHigh)),
      .init("visible-without-limit", count(outcome.withoutLimit)),
      .init("delay-p50-hours", hours(0.5)), .init("delay-p90-hours", hours(0.9)),
      .init("delay-p99-hours", hours(0.99)),
      .init("true-fine", .array(outcome.trueFine.map(count))),
      .init("visible-fine", .array(outcome.visibleFine.map(count))),
      .init("revenue-by-fine", .array(outcome.revenueByFine.map(money))),
      .init("true-coarse", .array(outcome.trueCoarse.map(count))),
      .init("visible-coarse", .array(outcome.visibleCoarse.map(count))),
      .init("delay-by-hour", .array(outcome.delays.counts.prefix(longest).map(count))),
    ])
  }
}

extension VariantComparison {
  fileprivate func write(to writer: inout JSONWriter, _ write: (String) throws -> Void) throws {
    func points(_ value: Double?) -> JSONOutput { value.map { Change($0) }.json }
    writer.open(.object)
    writer.add("a", .string(nameOfA))
    writer.add("b", .string(nameOfB))
    writer.add("verdict", .string(verdict))
    writer.add("sentence", .string(sentence.english))
    writer.add("error-of-a", points(paired?.errorOfA))
    writer.add("error-of-b", points(paired?.errorOfB))
    writer.add("gain", points(paired?.gain))
    writer.add("gain-low", points(paired?.interval?.lowerBound))
    writer.add("gain-high", points(paired?.interval?.upperBound))
    writer.open(.array, "campaigns")
    let sheet = Sheet(PairedComparison.Row.columns, held: [], for: .json)
    for row in paired?.rows ?? [] {
      writer.add(.object(sheet.members(of: row)))
      if writer.count > writePiece { try write(writer.take()) }
    }
    writer.close()
    writer.close()
  }
}

extension RollingChain {
  fileprivate var json: JSONOutput {
    .object([
      .init("currency", .string(currency.text)),
      .init("lengths", Sheet(Figures.columns, held: [], for: .json).array(of: figures)),
    ])
  }
}
