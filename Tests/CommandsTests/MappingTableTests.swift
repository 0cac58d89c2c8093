import TestSupport
import Testing
import Values

/// The models of the editor.
private let models = [
  "revenue", "revenue-by-day", "subscription", "funnel", "ads-and-purchases", "retention",
]

private let table =
  "Value;Event;Revenue from;Revenue to;Worth;Currency;Label\n0;;;;;;installed\n1;buy;0;4,99;;EUR;\n2;buy;4,99;;10;EUR;\n"

struct `Mappings from models and tables` {
  @Test(arguments: models) func `A mapping made of a model has no finding but that of its app`(
    _ model: String
  ) throws {
    let folder = try TemporaryFolder()
    let made = skan("mapping", "new", "--model", model, "--app", "1000000001")
    #expect(made.code == .done && made.errors.isEmpty)
    let path = try folder.write(made.output, to: "m.json")
    let checked = skan("mapping", "check", "--strict", path)
    #expect(checked.code == .done && checked.output.isEmpty && checked.errors == "0 errors, 0 warnings\n")
    #expect(skan("mapping", "new", "--help").output.contains(model))
  }

  @Test func `A mapping made of a model takes the currency, date, name and protocol`() {
    let words = [
      "mapping", "new", "--model", "revenue", "--app", "7", "--currency", "eur", "--effective-from",
      "2027-01-02", "--name", "Launch", "--protocol", "aak",
    ]
    let made = outcome(of: words)
    for part in ["\"EUR\"", "2027-01-02", "\"Launch\"", "\"aak\"", "\"app\": 7"] {
      #expect(made.output.contains(part), "\(part)")
    }
    let wrong = skan("mapping", "new", "--model", "revenues", "--app", "7")
    #expect(wrong.code == .usage)
    for model in models { #expect(wrong.errors.contains(model), "\(wrong.errors)") }
    #expect(outcome(of: words.map { $0 == "eur" ? "euro" : $0 }).code == .usage)
  }

  @Test func `A table from a spreadsheet becomes a mapping, and a table again`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(table, to: "table.csv")
    let made = skan("mapping", "from-table", "--app", "1000000001", "--effective-from", "2026-12-01", path)
    #expect(made.code == .done)
    #expect(made.errors == "the mapping's currency is EUR, the first in the file\n")
    let mapping = try folder.write(made.output, to: "m.json")
    let shown = skan("mapping", "show", "--format", "csv", mapping)
    #expect(shown.code == .done && shown.errors.isEmpty)
    #expect(
      shown.output == """
        value,coarse,window,event,revenue from,revenue to,worth,currency,hours from,hours to,label\r
        0,,1,,,,,,,,installed\r
        1,,1,buy,0,4.99,,EUR,,,\r
        2,,1,buy,4.99,,10,EUR,,,\r

        """)
    let again = try folder.write(shown.output, to: "again.csv")
    let same = skan(
      "mapping", "from-table", "--app", "1000000001", "--effective-from", "2026-12-01", "--name", "table.csv",
      again)
    #expect(same.output == made.output)
  }

  @Test func `A table without an app or with a wrong cell gets the cure`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(table, to: "table.csv")
    #expect(skan("mapping", "from-table", path).errors.contains("--app"))
    let wrong = try folder.write(table.replacing("4,99;;10", with: "4,99 €;;10"), to: "wrong.csv")
    let outcome = skan("mapping", "from-table", "--app", "7", wrong)
    #expect(outcome.code == .data && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains("wrong.csv: line 4, column \"revenue from\": \"4,99 €\" is not an amount"))
    let other = try folder.write(
      "cv,custom_event_name,min_range,max_range,currency\n1,buy,1,2,USD\n", to: "t.csv")
    #expect(
      skan("mapping", "from-table", "--app", "7", other).errors.contains("skan mapping convert --from tenjin")
    )
  }

  @Test func `A mapping that does not fit into a table is named with the rule and another way`() throws {
    let folder = try TemporaryFolder()
    let text =
      #"{"name":"t","app":7,"currency":"USD","effective-from":"2026-12-01","protocol":"skan4","#
      + #""fine":[{"value":3,"events":["a","b"]}]}"#
    let path = try folder.write(text, to: "m.json")
    let outcome = skan("mapping", "show", "--format", "csv", path)
    #expect(outcome.code == .data && outcome.output.isEmpty)
    #expect(outcome.errors.contains("value 3 [not-in-table]") && outcome.errors.contains("--format json"))
  }
}
