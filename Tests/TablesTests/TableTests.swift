import JSONText
@testable import Tables
import Testing
import Values

/// A row of everything that a column can hold.
private struct Sale: Sendable {
  var shop: String
  var sold: Int64?
  var share: Share?
  var revenue: [String: Amount]
  var range: Bounds<Amount>?
  var tags: [String]
  var isOpen: Bool
  var day: Day?
}

private let columns: [Column<Sale>] = [
  Column("shop", "shop", "Name of the shop.", shown: .onRequest) { Identifier($0.shop) },
  Column("day", "day", "Day of the sale.", \.day),
  Column("sold", "sold", "Pieces sold.", \.sold),
  Column("sold-share", "sold %", "Pieces sold, of all.", \.share),
  .each("revenue-{}", "{}", "Revenue.") { $0.revenue },
  Column("range", "range", "Revenue, from the lowest to the highest.", shown: .forPrograms, \.range),
  Column("tags", "tags", "Words about it.", shown: .whereUseful, \.tags),
  Column("open", "open", "Whether it is open.", \.isOpen),
  .records("parts", "Its parts.", [Column("letter", "letter", "A letter.", { $0 })]) { (sale: Sale) in
    sale.shop.map { String($0) }
  },
]

private func sale(_ shop: String, _ sold: Int64?, of all: Int64 = 10_000) -> Sale {
  Sale(
    shop: shop, sold: sold, share: sold.flatMap { Share($0, of: all) },
    revenue: sold == nil ? ["USD": Amount(micros: -1_250_000)] : ["EUR": Amount(micros: 1_234_567_895_000)],
    range: Bounds(Amount(micros: 1), nil), tags: [], isOpen: sold != nil, day: Day("2026-11-22"))
}

struct `A table` {
  private let table = Table(
    "sales", columns, rows: [sale("0012", 5000), sale("=1+1\u{202E}", nil)], total: sale("", 5000))

  @Test func `A table is aligned for people, with numbers to the right and without empty columns`() {
    #expect(
      table.text(.table, notes: ["Prices include tax."]) == """
        shop          day          sold  sold %           EUR    USD  open
        ────────────  ──────────  ─────  ──────  ────────────  ─────  ────
        0012          2026-11-22  5,000  50.0 %  1,234,567.90         yes
        =1+1\\u{202E}  2026-11-22                               -1.25  no
        ────────────  ──────────  ─────  ──────  ────────────  ─────  ────
        total         2026-11-22  5,000  50.0 %  1,234,567.90         yes
        Prices include tax.

        """)
  }

  @Test func `A table shortens texts and no number to fit a line`() {
    struct Item { let name: String, size: String }
    let columns: [Column<Item>] = [
      Column("name", "name", "Name of the item.", \.name),
      Column("size", "size", "Size of the item.") { NumberCell($0.size) },
    ]
    let table = Table(columns, rows: [Item(name: "a very long name", size: "1,234,567 h")])
    #expect(
      table.text(.table, width: 23) == """
        name               size
        ──────────  ───────────
        a very lo…  1,234,567 h

        """)
    // No text is narrower than eight letters.
    #expect(table.text(.table, width: 5).contains("a very …  1,234,567 h\n"))
  }

  @Test func `A table has a column that has something in the total alone`() {
    let columns: [Column<Int>] = [
      Column("name", "name", "A name.") { $0 < 0 ? nil : Identifier("\($0)") },
      Column("bits", "bits", "Bits of all together.", shown: .whereUseful) { $0 < 0 ? 1 : 0 },
    ]
    #expect(Table(columns, rows: [1, 2], total: -1).text(.table).hasPrefix("name   bits\n"))
    #expect(Table(columns, rows: [1, 2], total: 3).text(.table).hasPrefix("name\n"))
  }

  @Test(arguments: [999, 1000, 1001, 2000]) func `A table ends with its total, however many rows it has`(
    count: Int
  ) {
    let columns: [Column<Int>] = [
      Column("name", "name", "A name.") { $0 < 0 ? nil : Identifier("\($0)") },
      Column("number", "number", "A number.") { $0 },
    ]
    let lines = Table(columns, rows: Array(0..<count), total: -7).text(.table).split(separator: "\n")
    #expect(lines.last == "total      -7")
  }

  @Test func `A table goes on below rows that came out early, with a heading only for a further column`() {
    struct Line { let word: String, note: String? }
    let columns: [Column<Line>] = [
      Column("word", "word", "A word.", \.word),
      Column("note", "note", "A note.", shown: .forPeople, \.note),
    ]
    let sheet = Sheet(columns, held: [], for: .table)
    var renderer = Format.table.renderer(for: sheet.headers) { column, text in
      column == "word" ? "<\(text)>" : text
    }
    func row(_ word: String, _ note: String? = nil) -> String {
      renderer.row(sheet.cells(of: Line(word: word, note: note))) + renderer.flush()
    }
    #expect(renderer.flush().isEmpty)
    #expect(row("longer") == "word\n──────\n<longer>\n")
    #expect(row("ab") == "<ab>\n")
    #expect(row("ab", "odd") == "word  note\n────  ────\n<ab>    odd\n")
    #expect(row("abcdef") == "<abcdef>\n")
    #expect(renderer.end(Ending()).isEmpty)
  }

  @Test
  func `A table separates the words of a cell by semicolons in CSV, because words have commas and spaces`() {
    let columns: [Column<[String]>] = [Column("tags", "tags", "Words.") { $0 }]
    #expect(Table(columns, rows: [["red, dark", "blue"]]).text(.csv) == "tags\r\n\"red, dark; blue\"\r\n")
  }

  @Test func `A table is exact for programs, with both bounds of an interval`() {
    #expect(
      table.text(.ndjson) == """
        {"shop":"0012","day":"2026-11-22","sold":5000,"sold-share":0.5,"revenue-EUR":1234567.895,"revenue-USD":null,"range-low":0.000001,"range-high":null,"tags":[],"open":true,"parts":[{"letter":"0"},{"letter":"0"},{"letter":"1"},{"letter":"2"}]}
        {"shop":"=1+1\u{202E}","day":"2026-11-22","sold":null,"sold-share":null,"revenue-EUR":null,"revenue-USD":-1.25,"range-low":0.000001,"range-high":null,"tags":[],"open":false,"parts":[{"letter":"="},{"letter":"1"},{"letter":"+"},{"letter":"1"},{"letter":"\u{202E}"}]}

        """)
  }

  @Test func `A table has no formula and no partial row in CSV`() {
    #expect(
      table.text(.csv) == """
        shop,day,sold,sold-share,revenue-EUR,revenue-USD,range-low,range-high,tags,open\r
        0012,2026-11-22,5000,0.5,1234567.895,,0.000001,,,true\r
        '=1+1\u{FFFD},2026-11-22,,,,-1.25,0.000001,,,false\r

        """)
  }

  @Test func `A table is one JSON document whose rows are those of NDJSON and whose total has no dimension`()
    throws
  {
    let text = table.text(.json, notes: ["a \"note\""])
    let document = try JSONReader.read(Array(text.utf8)).value.object
    let rows = document?["rows"]?.value.array ?? []
    #expect(
      rows.map { JSONOutput($0.value).text() } == table.text(.ndjson).split(separator: "\n").map(String.init))
    #expect(document?["notes"].map { JSONOutput($0.value).text() } == "[\"a \\\"note\\\"\"]")
    let total = document?["total"]?.value.object
    #expect(total?["shop"] == nil && total?["sold"] != nil)
  }

  @Test func `A table prints pages of CSV that are one file when put together`() {
    let sheet = Sheet(columns, held: [], for: .csv)
    var pages = ""
    for (index, row) in [sale("a", 1), sale("b", 2)].enumerated() {
      var renderer = Format.csv.renderer(for: sheet.headers, isFirst: index == 0)
      pages += renderer.begin() + renderer.row(sheet.cells(of: row)) + renderer.end(Ending())
    }
    #expect(pages.split(separator: "\r\n").count == 3)
  }

  @Test func `A table that is long is aligned in pages and loses no row`() {
    let rows = (0..<2500).map { sale("\($0)", Int64($0)) }
    let lines = Table("sales", columns, rows: rows).text(.table).split(separator: "\n")
    #expect(lines.count == 2500 + 3 * 2)
  }

  @Test func `A table describes its rows by a schema that names every member`() throws {
    let schema = try JSONReader.read(table.headers.rowSchema().bytes()).value.object
    let known = schema?["properties"]?.value.object?.members.map(\.name) ?? []
    let row = try JSONReader.read(Array(table.text(.ndjson).prefix { $0 != "\n" }.utf8)).value.object
    #expect(row?.members.map(\.name) == known)
    #expect(columns.map(\.header).rowSchema().text().contains("\"patternProperties\":{\"^revenue-.+$\""))
  }
}

struct `Columns of counts` {
  private struct Item { let a: Int64, b: Int64, c: Int64, d: Int64 }

  private let single: [Column<Item>] = [
    Column("a", "a", "A.", \.a), Column("b", "b", "B.", \.b), Column("c", "c", "C.", \.c),
    Column("d", "d", "D.", \.d),
  ]
  private let whole: [Column<Item>] =
    Column.counts([("a", "a", "A.", .always), ("b", "b", "B.", .always)]) { $1 += [$0.a, $0.b] }
    + Column.counts([("c", "c", "C.", .always), ("d", "d", "D.", .always)]) { $1 += [$0.c, $0.d] }

  @Test(arguments: [
    [0, 1, 2, 3], [0, 3], [2, 1], [3, 2, 1, 0], [0, 2, 1, 3], [1, 1, 2], [0, 3, 1], [2],
  ])
  func `Columns of counts print what single columns print, in any order`(order: [Int]) {
    let rows = [
      Item(a: 0, b: -1, c: .max, d: 9), Item(a: .min, b: 10, c: 999, d: 0), Item(a: 1, b: 2, c: 3, d: 4),
    ]
    for format in Format.allCases {
      let expected = Table("t", order.map { single[$0] }, rows: rows, total: rows[0])
      let table = Table("t", order.map { whole[$0] }, rows: rows, total: rows[0])
      #expect(table == expected)
      var renderers = (format.renderer(for: table.headers), format.renderer(for: table.headers))
      let vectors = (
        Sheet(order.map { single[$0] }).vectors(of: rows), Sheet(order.map { whole[$0] }).vectors(of: rows)
      )
      #expect(
        renderers.0.rows(vectors.0, count: 3) + renderers.0.end(Ending()) == renderers.1.rows(
          vectors.1, count: 3) + renderers.1.end(Ending()))
    }
  }
}

struct `A number in a table` {
  @Test(
    arguments: [
      (0, "0.00"), (4999, "0.00"), (5000, "0.01"), (-5000, "-0.01"), (-4999, "0.00"), (999_999, "1.00"),
      (1_234_567_890_000, "1,234,567.89"), (.max, "9,223,372,036,854.78"), (.min, "-9,223,372,036,854.78"),
    ] as [(Int64, String)])
  func `A number in a table is rounded half away from zero for people`(micros: Int64, text: String) {
    #expect(ColumnKind.money(nil).text(.decimal(micros: micros)) == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `A number in a table that is not finite is no value`(number: Double) {
    #expect(Ratio(number).cell == .none && Share(number).cell == .none)
  }

  @Test func `A share of nothing is no number`() { #expect(Share(0, of: 0) == nil) }
}
