import Arguments
import JSONText
import Tables
import Testing
import Values

/// Numbers that do not have to add up.
private struct Sold: Report {
  static let name = "sold"
  static let summary = "List what shops sold."
  static let examples: [Command.Example] = []
  static let parameters: [Parameter<Self>] = []
  static let columns: [Column<(shop: Int, sold: Int64)>] = [
    Column("shop", "shop", "Name of the shop.") { Identifier("s\($0.shop)") },
    Column("sold", "sold", "Pieces sold.") { $0.sold },
    Column("sold-red", "red", "Those of few.") { $0.sold < 8 ? $0.sold : nil },
  ]

  func rows(from source: [Int64]) throws -> Rows<(shop: Int, sold: Int64)> {
    .held(source.enumerated().map { (shop: $0.offset, sold: $0.element) })
  }
}

/// A report with a further table.
private struct Audited: Report {
  var inEuros = false

  static let name = "audited"
  static let summary = "List what shops sold, and the shops that sold nothing."
  static let examples: [Command.Example] = []
  static let parameters: [Parameter<Self>] = [.init("in-euros", \.inEuros, "Whether to count money.")]
  static let sold = Column<Int64>("sold", "sold", "Pieces sold.") { $0 }
  static let euros = Column<Int64>("euros", "euros", "Euros earned.") { 2 * $0 }
  static let columns = [sold, euros]
  static let idle = Detail<Int>("idle", [Column("shop", "shop", "Number of the shop.") { $0 }])
  static let details = [idle.header]

  var shownColumns: [Column<Int64>] { inEuros ? Self.columns : [Self.sold] }

  func rows(from source: [Int64]) throws -> Rows<Int64> {
    var rows = Rows.held(source)
    rows.details = [Self.idle.table(source.indices.filter { source[$0] == 0 })]
    return rows
  }
}

/// A report that has to be asked for something.
private struct Compared: Report {
  var a: [String] = []
  var b: [String] = []

  static let name = "compared"
  static let summary = "Compare shops."
  static let examples: [Command.Example] = []
  static let parameters: [Parameter<Self>] = [
    .init("a", \.a, "First shop.", as: .init(isRequired: true)), .init("b", \.b, "Other shops."),
  ]
  static let columns: [Column<Int64>] = [Column("sold", "sold", "Pieces sold.") { $0 }]

  func rows(from source: [Int64]) throws -> Rows<Int64> { .held(source) }
}

/// A report of one file, as a newcomer would write it.
private struct Shops: Report {
  enum Dimension: String, CaseIterable, ParameterValue { case city, shop }

  var by: [Dimension] = [.shop]
  var from: Day?
  var most = 100
  var all = false
  var top: Int?

  static let name = "shops"
  static let summary = "Count what shops sold."
  static let examples: [Command.Example] = []
  static let pageSize: Int? = 2
  static let isCheck = true
  static let parameters: [Parameter<Self>] = [
    .init("by", \.by, "Dimensions that rows are grouped by."),
    .init("from", \.from, "First day.") { query throws(ParameterError) in
      if query.all, query.from != nil {
        throw ParameterError("from", Sentence("found a day beside 'all'. Give one of them."))
      }
    },
    .init("most", \.most, "Sales that the check allows.", in: 1...1000),
    .init("all", \.all, "Count closed shops too."),
    .init("top", \.top, "Shops to print at most."),
  ]
  static let columns: [Column<Row>] = [
    Column("shop", "shop", "Name of the shop.", shown: .onRequest) { Identifier($0.shop) },
    Column("sold", "sold", "Pieces sold.", \.sold),
    .each("sold-{}", "{}", "Pieces sold, by colour.", shown: .forPrograms) { $0.colours },
  ]
  static let rank = "sold"
  static let worst = Detail<Row>(
    "worst",
    [
      Column("shop", "shop", "Name of the shop.") { Identifier($0.shop) },
      Column("few", "few", "Whether it sold few.", shown: .forPeople) { $0.sold < 10 },
    ])
  static let counts = Detail<Int>(
    "counts", [Column("shops", "shops", "Number of shops.", shown: .forPrograms) { $0 }])
  static let details = [worst.header, counts.header]

  struct Row { var shop: String, sold: Int64, colours: [String: Int64] = [:] }

  func rows(from source: [Int64]) throws -> Rows<Row> {
    let all = source.enumerated().map {
      Row(shop: "s\($0.offset)", sold: $0.element, colours: $0.element < 8 ? ["red": $0.element] : [:])
    }
    var rows = Rows.held(all, total: Row(shop: "", sold: source.reduce(0, +)), key: \.shop)
    rows.sum = { others in Row(shop: "others", sold: others.reduce(0) { $0 + $1.sold }) }
    rows.isCheckFailed = source.contains { $0 > Int64(most) }
    rows.details = [
      Self.worst.table(all.filter { $0.sold == source.min() }), Self.counts.table([all.count]),
    ]
    rows.linesForPeople = { ["Ask the shop with the fewest sales."] }
    rows.notes = source.isEmpty ? [Sentence("No shop sold anything.")] : []
    return rows
  }
}

private let kind = ReportKind(Shops.self)

private func answer(_ texts: [String: [String]], from source: [Int64] = [5, 3, 8]) throws -> (
  text: String, outcome: ReportKind<[Int64]>.Outcome
) {
  var text = ""
  let job = try kind.job(texts)
  let delivery = Delivery(
    texts["format"].flatMap { Format(rawValue: $0[0]) } ?? .json,
    limit: texts["limit"].flatMap { Int($0[0]) },
    cursor: texts["cursor"]?[0])
  let outcome = try job(source, delivery, { false }) {
    text += $0
    return true
  }
  return (text, outcome)
}

struct `A report in one file` {
  @Test func `A report in one file has a command with every parameter, its default and its help`() {
    let command = kind.command()
    #expect(command.name == "report shops")
    #expect(
      command.options.map(\.name) == [
        "--by", "--from", "--most", "--all", "--top", "--sort", "--columns", "--table", "--format",
        "--exit-code",
      ])
    #expect(
      command.options.map(\.defaultText) == ["shop", nil, "100", nil, nil, nil, nil, "rows", "table", nil])
    #expect(command.options[0].kind == .choice(["city", "shop"]))
  }

  @Test func `A report in one file has a parameter for every property`() {
    #expect(kind.propertyCount == Shops.parameters.count)
  }

  @Test func `A report in one file answers in JSON with rows, total, further tables and notes`() throws {
    #expect(
      try answer([:]).text == """
        {"rows":[
        {"shop":"s0","sold":5,"sold-red":5},
        {"shop":"s1","sold":3,"sold-red":3},
        {"shop":"s2","sold":8,"sold-red":null}
        ],
        "total":{"sold":16,"sold-red":null},
        "worst":[{"shop":"s1"}],
        "counts":[{"shops":3}],
        "notes":[]}

        """)
  }

  @Test func `A report in one file has lines for people only, and tables for programs only`() throws {
    #expect(
      try answer(["format": ["table"]]).text == """
        shop   sold
        ─────  ────
        s0        5
        s1        3
        s2        8
        ─────  ────
        total    16

        worst
        shop  few
        ────  ───
        s1    yes
        Ask the shop with the fewest sales.

        """)
    #expect(try answer(["format": ["csv"], "table": ["counts"]]).text == "shops\r\n3\r\n")
  }

  @Test func `A report in one file prints pages that are the whole when put together`() throws {
    var (text, cursor): (String, String?) = ("", nil)
    var pages = 0
    repeat {
      let page = try answer(
        ["format": ["csv"], "limit": ["2"], "cursor": cursor.map { [$0] } ?? []].filter { !$0.value.isEmpty })
      (text, cursor, pages) = (text + page.text, page.outcome.next, pages + 1)
    } while cursor != nil
    #expect(try pages == 2 && text == answer(["format": ["csv"]]).text)
    #expect(throws: ParameterError.self) { try answer(["cursor": ["nowhere"]]) }
  }

  @Test func `A report in one file prints one of its further tables on request`() throws {
    #expect(try answer(["format": ["csv"], "table": ["worst"]]).text == "shop\r\ns1\r\n")
  }

  @Test func `A further table has the order and the columns that are asked for, and no others`() throws {
    let worst = ["format": ["csv"], "table": ["worst"]]
    func text(_ more: [String: [String]]) throws -> String {
      try answer(worst.merging(more) { $1 }, from: [5, 3, 8, 3]).text
    }
    #expect(try text(["sort": ["-shop"]]) == "shop\r\ns3\r\ns1\r\n")
    #expect(try text(["columns": ["shop"], "sort": ["shop"]]) == "shop\r\ns1\r\ns3\r\n")
    let unknown = #expect(throws: ParameterError.self) { try text(["columns": ["sold"]]) }
    #expect(
      unknown?.detail.english
        == "there is no column 'sold' here; use one of `shop`, or another member of a row of --format json.")
    let beside = #expect(throws: ParameterError.self) { try text(["top": ["1"]]) }
    #expect(
      beside?.detail.english
        == "found 1 beside --table worst, which is printed whole. Leave one of them out.")
    #expect(try text(["top": ["1"], "table": ["rows"], "columns": ["shop"]]) == "shop\r\ns2\r\nothers\r\n")
  }

  @Test
  func `A report in one file ends a page when time or memory is used up, and never before its first row`()
    throws
  {
    var text = ""
    let outcome = try kind.job([:])([5, 3, 8], Delivery(.ndjson, limit: 3), { true }) {
      text += $0
      return true
    }
    #expect(outcome.next != nil && text.split(separator: "\n").count == 1)
    #expect(try kind.job([:])([5, 3, 8], Delivery(.ndjson), { true }, { _ in true }).next == nil)
  }

  @Test func `A report in one file reports a failed check`() throws {
    #expect(try !answer([:]).outcome.isCheckFailed && answer(["most": ["7"]]).outcome.isCheckFailed)
  }

  @Test(arguments: [
    ("by", "ctiy", "found 'ctiy'; use one of city, shop. Did you mean 'city'?"),
    ("by", "shop,shop", "found 'shop' twice. Give it once."),
    ("most", "0", "found '0'; use a whole number from 1 to 1000."),
    ("table", "best", "found 'best'; use one of rows, worst, counts."),
    ("from", "2026-02-30", "found '2026-02-30'; use a UTC date such as 2026-11-21."),
  ])
  func `A report in one file states what was found, what is allowed, and the cure`(
    name: String, value: String, message: String
  ) {
    let error = #expect(throws: ParameterError.self) { try answer([name: [value]]) }
    #expect(error?.name == name && error?.detail.english == message)
  }

  @Test func `A report in one file compares parameters with each other after all are set`() {
    #expect(throws: ParameterError.self) { try answer(["all": ["true"], "from": ["2026-11-22"]]) }
  }

  @Test func `A report in one file is described by OpenAPI with the same parameters`() throws {
    let parameters = try kind.openAPIParameters.map { try JSONReader.read($0.bytes()).value.object }
    #expect(
      parameters.map { $0?["name"]?.value.string } == kind.parameterNames + ["format", "limit", "cursor"])
    #expect(
      kind.markdown.contains(
        "| `--by NAME,...` | Dimensions that rows are grouped by. [some of city, shop; default: shop] |"))
  }

  @Test func `OpenAPI requires the parameters that a report requires`() throws {
    let parameters = try ReportKind(Compared.self).openAPIParameters.map {
      try JSONReader.read($0.bytes()).value.object
    }
    let required = parameters.compactMap { $0 }.filter { $0["required"]?.value == .bool(true) }
    #expect(required.map { $0["name"]?.value.string } == ["a"])
  }

  @Test func `Rows are sorted by several columns, and those without a value come last in both directions`()
    throws
  {
    func order(_ sort: String) throws -> String {
      try answer(["sort": [sort], "columns": ["shop"], "format": ["csv"]], from: [5, 3, 8, 3])
        .text.split(separator: "\r\n").dropFirst().joined(separator: " ")
    }
    #expect(try order("sold") == "s1 s3 s0 s2")
    #expect(try order("-sold") == "s2 s0 s1 s3")
    #expect(try order("sold,-shop") == "s3 s1 s0 s2")
    #expect(try order("sold-red") == "s1 s3 s0 s2")
    #expect(try order("-sold-red") == "s0 s1 s3 s2")
  }

  @Test func `Columns are chosen by name, in the order given, and printed also where people do not see them`()
    throws
  {
    #expect(
      try answer(["columns": ["sold,sold-red,shop"], "format": ["csv"]]).text
        == "sold,sold-red,shop\r\n5,5,s0\r\n3,3,s1\r\n8,,s2\r\n")
    #expect(
      try answer(["columns": ["sold-red"], "format": ["table"]]).text.hasPrefix("  red\n─────\n    5\n"))
    #expect(try answer(["columns": ["sold-blue"], "format": ["csv"]], from: []).text == "sold-blue\r\n")
  }

  @Test(arguments: [
    (
      "sort", "-solde",
      "there is no column 'solde' here; use one of `shop`, `sold`, or another member of a row of --format json. Did you mean 'sold'?"
    ),
    (
      "columns", "sold-rad",
      "there is no column 'sold-rad' here; use one of `shop`, `sold`, or another member of a row of --format json. Did you mean 'sold-red'?"
    ),
    ("columns", "sold,sold", "found 'sold' twice. Give it once."),
  ])
  func `A column that a report does not have is an error with the nearest one`(
    name: String, value: String, message: String
  ) {
    let error = #expect(throws: ParameterError.self) { try answer([name: [value], "format": ["json"]]) }
    #expect(error?.name == name && error?.detail.english == message)
  }

  @Test func `Pages of sorted rows are the whole when put together`() throws {
    let source: [Int64] = [5, 3, 8, 3, 9, 1, 8]
    let sort = ["format": ["csv"], "sort": ["-sold"]]
    var (text, cursor): (String, String?) = ("", nil)
    repeat {
      var page = sort.merging(["limit": ["2"]]) { $1 }
      page["cursor"] = cursor.map { [$0] }
      let found = try answer(page, from: source)
      (text, cursor) = (text + found.text, found.outcome.next)
    } while cursor != nil
    #expect(try text == answer(sort, from: source).text)
    #expect(text.hasPrefix("shop,sold,sold-red\r\ns4,9,\r\ns2,8,\r\ns6,8,\r\n"))
  }

  @Test func `The first rows are the largest, and one more adds up the others`() throws {
    let rows = try answer(["top": ["2"], "format": ["csv"], "columns": ["shop,sold"]], from: [5, 3, 8, 3])
      .text
    #expect(rows == "shop,sold\r\ns2,8\r\ns0,5\r\nothers,6\r\n")
    let all = try answer(["top": ["4"], "sort": ["shop"], "format": ["csv"], "columns": ["shop,sold"]]).text
    #expect(all == "shop,sold\r\ns0,5\r\ns1,3\r\ns2,8\r\n")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>, ["sold", "-sold", "sold-red", "-sold-red"])
  func `Random rows are in the order of their numbers, ties as they were and none last`(
    seed: UInt64, sort: String
  ) throws {
    var random = SplitMix64(seed: seed)
    // The largest and the smallest number are where an order of numbers could confuse them with none.
    let extremes: [Int64] = [.max, .min, .max - 1, .min + 1, 0]
    let source = (0..<60).map { _ in
      random.happens(0.2) ? extremes[random.number(below: 5)] : Int64(random.number(below: 12)) - 4
    }
    // Of the column sold-red, which has those below 8 only.
    let keys: [Int64?] = source.map { sort.hasSuffix("red") && $0 >= 8 ? nil : $0 }
    let isDescending = sort.hasPrefix("-")
    let expected = source.indices.sorted { a, b in
      guard let x = keys[a], let y = keys[b], x != y else {
        return (keys[a] == nil) == (keys[b] == nil) ? a < b : keys[b] == nil
      }
      return (x < y) != isDescending
    }
    let sorted = try Sold().answer(from: source, sort: sort)
    #expect(sorted.rows.map(\.shop) == expected)
    #expect(!sorted.isCut)
    let first = try Sold().answer(from: source, sort: sort, limit: 7)
    #expect(first.isCut)
    #expect(Array(first.document.rows.rows) == Array(sorted.document.rows.rows.prefix(7)))
    #expect(first.rows.map(\.sold) == expected.prefix(7).map { source[$0] })
  }

  @Test func `An answer has its rows, those of a further table, and chosen columns by their types`() throws {
    let report = Audited(inEuros: true)
    let answer = try report.answer(from: [3, 0, 5], sort: Audited.sold.descending)
    #expect(answer.rows == [5, 3, 0] && answer.sort == "-sold")
    #expect(answer.rows(of: Audited.idle) == [1])
    #expect(answer.rows(of: Detail<Int>("busy", [])).isEmpty)
    #expect(answer.has(Audited.euros) && answer.columns.map(\.name) == ["sold", "euros"])
    #expect(answer.text(.csv, [3, 0], [Audited.euros]) == "euros\r\n6\r\n0\r\n")
  }

  @Test func `An address that sorts by a column of another form of the report gets the usual order`() throws {
    let report = Audited()
    let answer = try report.answer(from: [3, 0, 5], sort: "-euros", usual: Audited.sold.ascending)
    #expect(answer.rows == [0, 3, 5] && answer.sort == "sold" && !answer.has(Audited.euros))
    #expect(throws: ParameterError.self) {
      try report.answer(from: [3, 0, 5], sort: "-pounds", usual: Audited.sold.ascending)
    }
  }

  @Test func `A report in one file stops when its reader stops`() throws {
    var pieces = 0
    _ = try kind.job([:])(Array(repeating: 1, count: 1000), Delivery(.json), { false }) { _ in
      pieces += 1
      return pieces < 10
    }
    #expect(pieces < 20)
  }
}
