import CSVText
import JSONText
import Ledger
import Mappings
import Values
import Verification

// Names, spend, cost per install and return on spend, in the formats of the campaign report.

extension CampaignReport {
  // MARK: Names

  /// The members that tell what a row's campaign is called.
  func nameMembers(_ match: CampaignNames.Match) -> [JSONOutput.Member] {
    guard query.dimensions.contains(.campaign), query.dimensions.contains(.network) else { return [] }
    switch match {
    case .unknown: return [.init("name", .null), .init("name-candidates", .array([]))]
    case .ambiguous(let names):
      return [.init("name", .null), .init("name-candidates", .array(names.map { .string($0) }))]
    case .known(let row):
      return [
        .init("name", .string(row.name)), .init("name-candidates", .array([.string(row.name)])),
        .init("ad-set", .optional(row.adSet)), .init("creative", .optional(row.creative)),
        .init("named-country", .optional(row.country)),
      ]
    }
  }

  /// The title of the column of names in the table for people; none where nothing has a name.
  var nameTitles: [String] { hasNames ? ["name"] : [] }

  /// The cell under it.
  func nameCells(_ match: CampaignNames.Match) -> [String] {
    guard hasNames else { return [] }
    switch match {
    case .unknown: return [""]
    case .ambiguous(let names): return ["ambiguous: " + names.map(printable).joined(separator: " | ")]
    case .known(let row):
      return [[row.name, row.adSet, row.creative].compactMap { $0.map(printable) }.joined(separator: " / ")]
    }
  }

  // MARK: Spend

  /// The titles of the columns of spend in the table for people; none where nothing was spent.
  var efficiencyTitles: [String] {
    spending.currencies.flatMap { ["spend \($0.text)", "eCPI", "ROAS low", "ROAS", "ROAS high"] }
  }

  /// The cells under those titles; of one row, or of everything.
  func efficiencyCells(_ index: Int?) -> [String] {
    let figures = figures(index)
    return spending.currencies.flatMap { currency -> [String] in
      guard let figures = figures.first(where: { $0.currency == currency }) else {
        return ["", "", "", "", ""]
      }
      let high = figures.high.map { money($0) } ?? (figures.representative == nil ? "" : "no limit")
      return [figures.spend, figures.costPerInstall, figures.low, figures.representative]
        .map { $0.map { money($0) } ?? "" } + [high]
    }
  }

  /// What spend and revenue come to: of one row, or of everything, which is the same however rows are told apart.
  private func figures(_ index: Int?) -> [Efficiency] {
    guard let index else { return Efficiency.all(spending.total, totalTally, total) }
    return Efficiency.all(spending.rows[index], tallies[index], rows[index].counts)
  }

  /// What a reader has to know of the spend.
  var spendingNote: String {
    var notes = spending.unmatched.sorted { $0.key.text < $1.key.text }.map { currency, amount in
      "\(money(amount)) \(currency.text) of spend belongs to no row or to several, and stands in the total alone"
    }
    if spending.rows.contains(where: { $0.count > 1 }) || spending.total.count > 1 {
      notes.append("where spend is in several currencies, eCPI and ROAS need one: ask --currency")
    }
    if isSpendElsewhere {
      let environment = query.environment.rawValue
      notes.append(
        "there is spend of another environment only; import spend for this one with --environment \(environment)"
      )
    }
    return notes.map { $0 + "\n" }.joined()
  }

  /// The member that tells what was paid for a row, or for everything, and what came of it.
  func efficiency(_ index: Int?) -> JSONOutput.Member {
    .init(
      "spend",
      .array(
        figures(index).map { figures in
          [
            "currency": .string(figures.currency.text), "amount": figures.spend.json,
            "ecpi": figures.costPerInstall?.json ?? .null, "roas-low": figures.low?.json ?? .null,
            "roas": figures.representative?.json ?? .null, "roas-high": figures.high?.json ?? .null,
          ]
        }))
  }

  /// Money by currency as JSON.
  func sums(_ sums: [CurrencyCode: Amount]) -> JSONOutput {
    .array(
      sums.sorted { $0.key.text < $1.key.text }.map {
        ["currency": .string($0.key.text), "amount": $0.value.json]
      })
  }

  /// The names of the columns for spreadsheets.
  var spendingNames: [String] {
    (hasNames ? ["name", "name-candidates"] : [])
      + spending.currencies.flatMap { currency in
        ["spend", "ecpi", "roas-low", "roas", "roas-high"].map { "\($0)-\(currency.text)" }
      }
  }

  /// The cells under those names.
  func spendingCells(_ index: Int) -> [CSV.Cell] {
    var cells: [CSV.Cell] = []
    if hasNames {
      switch names[index] {
      case .unknown: cells += [.none, .none]
      case .known(let row): cells += [.string(row.name), .string(row.name)]
      case .ambiguous(let names): cells += [.none, .string(names.joined(separator: " | "))]
      }
    }
    let figures = figures(index)
    for currency in spending.currencies {
      let row = figures.first { $0.currency == currency }
      cells += [row?.spend, row?.costPerInstall, row?.low, row?.representative, row?.high].map(
        CSV.Cell.amount)
    }
    return cells
  }
}
