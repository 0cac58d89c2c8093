import Arguments
import JSONText
import Tables
import Testing
import Values

/// A report of one file, as a newcomer would write it.
private struct Shops: Report {
  enum Dimension: String, CaseIterable, ParameterValue { case city, shop }

  var by: [Dimension] = [.shop]
  var from: Day?
  var most = 100
  var all = false

  static let name = "shops"
  static let summary = "Count what shops sold."
  static let examples: [Command.Example] = []
  static let pageSize: Int? = 2
  static let isCheck = true
  static let parameters: [Parameter<Self>] = [
    .init("by", \.by, "Dimensions that rows are grouped by."),
    .init("from", \.from, "First day.") { query throws(ParameterError) in
      if query.all, query.from != nil {
        throw ParameterError("from", "found a day beside 'all'. Give one of them.")
      }
    },
    .init("most", \.most, "Sales that the check allows.", in: 1...1000),
    .init("all", \.all, "Count closed shops too."),
  ]
  static let columns: [Column<Row>] = [
    Column("shop", "shop", "Name of the shop.", shown: .onRequest) { Identifier($0.shop) },
    Column("sold", "sold", "Pieces sold.", \.sold),
  ]
  static let worst = Detail<Row>(
    "worst",
    [
      Column("shop", "shop", "Name of the shop.") { Identifier($0.shop) },
      Column("few", "few", "Whether it sold few.", shown: .forPeople) { $0.sold < 10 },
    ])
  static let counts = Detail<Int>(
    "counts", [Column("shops", "shops", "Number of shops.", shown: .forPrograms) { $0 }])
  static let details = [worst.header, counts.header]

  struct Row { var shop: String, sold: Int64 }

  func rows(from source: [Int64]) throws -> Rows<Row> {
    let all = source.enumerated().map { Row(shop: "s\($0.offset)", sold: $0.element) }
    var rows = Rows.held(all, total: Row(shop: "", sold: source.reduce(0, +)), key: \.shop)
    rows.isCheckFailed = source.contains { $0 > Int64(most) }
    rows.details = [
      Self.worst.table(all.filter { $0.sold == source.min() }), Self.counts.table([all.count]),
    ]
    rows.linesForPeople = ["Ask the shop with the fewest sales."]
    rows.notes = source.isEmpty ? ["No shop sold anything."] : []
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
        "--by", "--from", "--most", "--all", "--table", "--format", "--exit-code",
      ])
    #expect(command.options.map(\.defaultText) == ["shop", nil, "100", nil, "rows", "table", nil])
    #expect(command.options[0].kind == .choice(["city", "shop"]))
  }

  @Test func `A report in one file has a parameter for every property`() {
    #expect(kind.propertyCount == Shops.parameters.count)
  }

  @Test func `A report in one file answers in JSON with rows, total, further tables and notes`() throws {
    #expect(
      try answer([:]).text == """
        {"rows":[
        {"shop":"s0","sold":5},
        {"shop":"s1","sold":3},
        {"shop":"s2","sold":8}
        ],
        "total":{"sold":16},
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
    ("table", "best", "found 'best'; use one of rows, worst, counts. Did you mean 'worst'?"),
    ("from", "2026-02-30", "found '2026-02-30'; use a UTC date such as 2026-11-21."),
  ])
  func `A report in one file states what was found, what is allowed, and the cure`(
    name: String, value: String, message: String
  ) {
    #expect(throws: ParameterError(name, message)) { try answer([name: [value]]) }
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

  @Test func `A report in one file stops when its reader stops`() throws {
    var pieces = 0
    _ = try kind.job([:])(Array(repeating: 1, count: 1000), Delivery(.json), { false }) { _ in
      pieces += 1
      return pieces < 10
    }
    #expect(pieces < 20)
  }
}
