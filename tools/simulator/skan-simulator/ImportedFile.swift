import Imports
import Intake
import JSONText
import Ledger
import Postbacks
import System
import Values

/// A kind of files that operators import, as rows of one key and one figure.
enum ImportedFile: String, CaseIterable, Sendable {
  case spend, names, rates, totals, installs, proceeds

  /// The keys of its rows.
  private var keys: [String] {
    switch self {
    case .spend, .totals, .names: ["1001", "1002", "1003"]
    case .rates: ["SEK", "CHF"]
    case .installs, .proceeds: ["525463029", "1176027022"]
    }
  }

  /// The text of a file with one row, its key, and its figure as the database has it.
  func row(_ random: inout SplitMix64) -> (text: String, key: String, figure: JSONOutput) {
    let key = keys[random.number(below: keys.count)]
    let number = 1 + random.number(below: 900)
    let network = "example123.skadnetwork"
    switch self {
    case .spend:
      return (
        "date,network,campaign,amount,currency\n2024-10-04,\(network),\(key),\(number),EUR\n", key,
        .integer(Int64(number) * 1_000_000)
      )
    case .names:
      return (
        "network,campaign,name,from\n\(network),\(key),\"name, \(number)\",2024-10-04\n", key,
        .string("name, \(number)")
      )
    case .rates:
      return (
        "date;currency;quote;rate\n2024-10-04;\(key);EUR;0,\(1000 + number)\n", key,
        .integer(Int64(1000 + number) * 100_000_000)
      )
    case .totals:
      return (
        #"{"date":"2024-10-04","network":"\#(network)","campaign":"\#(key)","installs":\#(number)}"# + "\n",
        key,
        .integer(Int64(number))
      )
    case .installs: return ("date,app,installs\n2024-10-04,\(key),\(number)\n", key, .integer(Int64(number)))
    case .proceeds:
      return (
        "date\tapp\tproceeds\tcurrency\n2024-10-04\t\(key)\t\(number),5\tEUR\n", key,
        .integer(Int64(number) * 1_000_000 + 500_000)
      )
    }
  }

  func store(_ text: String, in changes: PostbackLedger, now: Instant) throws {
    switch self {
    case .spend: try Self.store(SpendImport.self, SpendImport.Choice(), text, changes, now)
    case .names: try Self.store(NameImport.self, NameImport.Choice(), text, changes, now)
    case .rates: try Self.store(RateImport.self, RateImport.Choice(), text, changes, now)
    case .totals: try Self.store(TotalImport.self, TotalImport.Choice(), text, changes, now)
    case .installs: try Self.store(InstallImport.self, InstallImport.Choice(), text, changes, now)
    case .proceeds: try Self.store(ProceedsImport.self, ProceedsImport.Choice(), text, changes, now)
    }
  }

  private static func store<Kind: ReferenceImport>(
    _: Kind.Type, _ choice: Kind.Choice, _ text: String, _ changes: PostbackLedger, _ now: Instant
  ) throws {
    _ = try Kind.store(Array(text.utf8), ImportForm(), choice, in: changes, now: now)
  }
}

extension Operators {
  /// Imports a file of one row; one of eight files is wrong, and changes nothing.
  func importFile(_ random: inout SplitMix64, at node: SimulatedNode) throws {
    let kind = ImportedFile.allCases[random.number(below: ImportedFile.allCases.count)]
    let (text, key, figure) = kind.row(&random)
    let isWrong = random.number(below: 8) == 0
    try ask(
      node, "import",
      [
        .init("kind", .string(kind.rawValue)), .init("key", .string(key)), .init("figure", figure),
        .init("wrong", .bool(isWrong)),
      ]
    ) { ledger, now in
      try kind.store(isWrong ? text + "nothing\n" : text, in: ledger, now: now)
      return []
    }
  }

  /// Removes a rate.
  func removeRate(_ random: inout SplitMix64, at node: SimulatedNode) throws {
    let currency = ["SEK", "CHF"][random.number(below: 2)]
    try ask(
      node, "import",
      [
        .init("kind", .string("rates")), .init("key", .string(currency)), .init("figure", .null),
        .init("wrong", .bool(false)),
      ]
    ) { ledger, _ in
      _ = try ReferenceStore(ledger).remove([
        RateRow(day: Day(number: 20_000), currency: currency, quote: "EUR", picos: 0)
      ])
      return []
    }
  }
}
