import Arguments
import Campaigns
import EstimateReports
import Journal
@testable import Ledger
import Markup
import Pages
import PostbackFixtures
import System
import Tables
import TestSupport
import Testing
import Values

/// The examples of doc comments, line by line; `tools/checks/layout` compares them with the sources.
struct `Examples of doc comments` {
  struct Sold: Report {
    var least = 0
    static let name = "sold", summary = "List what shops sold.", examples: [Command.Example] = []
    static let parameters: [Parameter<Self>] = [.init("least", \.least, "Pieces at least.", in: 0...1000)]
    static let pieces = Column<Int>("pieces", "pieces", "Pieces sold.") { $0 }, columns = [pieces]
    func rows(from source: [Int]) throws -> Rows<Int> { .held(source.filter { $0 >= least }) }
  }

  @Test func `The example of a report has its parameter, and sorts its column`() throws {
    let answer = try Sold(["least": ["3"]]).answer(from: [5, 2, 8], sort: Sold.pieces.descending)
    #expect(answer.rows == [8, 5])
    #expect(answer.text(.csv, answer.rows, Sold.columns) == "pieces\r\n8\r\n5\r\n")
  }

  @Test func `The example of an answer reads rows, and those of a further table`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    try OpenSite.store(
      ["0001", "0002", "0002"].map { .init(campaign: $0, at: noon, value: .absent) }, in: path)
    let source = ReportSource(reader: try LedgerReader(path: path), now: noon)
    let answer = try NullReport().answer(from: source, sort: NullReport.postbacks.descending)
    let withheld = answer.rows.map(\.nulls)
    let changes = answer.rows(of: NullReport.changes)
    #expect(withheld == [2, 1] && changes.isEmpty)
  }

  struct Shop {
    var city = "Essen"
    var sold: Int?
    var opened: Day?

    static let city = Column<Shop>("city", "city", "Name of the city.") { Identifier($0.city) }
    static let sold = Column<Shop>("sold", "sold", "Pieces sold; none before the opening.", \.sold)
    static let opened = Column<Shop>("opened", "opened", "First day.", shown: .whereUseful, \.opened)
  }

  @Test func `The example of columns has names, plain numbers, and a day where there is one`() {
    let shop = Shop(sold: 7)
    let cells = [Shop.city, Shop.sold, Shop.opened].map { $0.cell(of: shop) }
    #expect(cells == [.text("Essen"), .integer(7), .none])
    #expect(Shop.city.header.kind == .identifier && Shop.sold.header.isOptional)
  }

  struct Row {
    var currencies: [CurrencyCode] = []

    func revenue(_ currency: CurrencyCode) -> Amount? {
      currencies.contains(currency) ? Amount(micros: 1_500_000) : nil
    }

    static let revenue = ColumnFamily<Row, CurrencyCode>(
      "revenue-{}", "{}", "Revenue.", keys: \.currencies
    ) { row, currency in row.revenue(currency) }
  }

  @Test func `The example of a family has a column for each currency`() throws {
    let (euro, dollar) = (try #require(CurrencyCode("EUR")), try #require(CurrencyCode("USD")))
    let rows = [Row(currencies: [dollar]), Row(currencies: [euro])]
    #expect(Row.revenue.keys(of: rows) == [euro, dollar])
  }

  @Test func `The example of sentences groups counts and keeps names`() {
    let (undated, network, hours) = (1200, "acme", 1)
    var notes: [Sentence] = []
    notes.append(Sentence("\(grouped: undated) values came while no mapping was in force"))
    notes.append(Sentence("network \(name: network) sent nothing for \(hours, "hour")"))
    #expect(notes[0].english == "1,200 values came while no mapping was in force")
    #expect(notes[1].english == "network acme sent nothing for 1 hour")
  }

  @Test func `The example of a page's language is a heading`() {
    let language = PageLanguage.english
    let heading: HTML = "<h2>\(language.phrase(Sentence("Delay of postbacks")))</h2>"
    #expect(heading.text == "<h2>Delay of postbacks</h2>")
  }

  struct SpendScreen: ScreenContent {
    var most = 100
    static let path = "/spend-rows"
    static let parameters: [Parameter<Self>] = [.init("most", \.most, "Rows to count at most.", in: 1...1000)]
    static func title(_ texts: Texts) -> HTML { texts.dataTitle }
    func answer(_ context: ScreenContext) throws -> PageAnswer {
      let count = try context.reader.importedCount(.spend, atMost: most)
      return .page(Page(Self.title(context.texts), body: "<p>\(count)</p>"))
    }
  }

  @Test func `The example of a screen answers its address, and rejects what its parameter does not allow`()
    throws
  {
    let site = try OpenSite(at: noon, screens: [SpendScreen.self]) { database in
      _ = try ReferenceStore(path: database).put(
        (1...3).map { number in
          SpendRow(
            day: noon.day, network: "net.skadnetwork", campaign: "\(number)", app: 1, currency: "EUR",
            micros: 7_500_000)
        })
    }
    #expect(try site.page("/spend-rows").contains("<p>3</p>"))
    #expect(try site.page("/spend-rows?most=2").contains("<p>2</p>"))
    #expect(try site.answer("/spend-rows?most=0").status == 400)
  }

  struct TokenUse: ChangeRecord {
    let token: Int64
    let day: Day

    static let form = Form(Self.init) { ($0.token, $0.day) }
  }

  @Test func `The example of a form reads what it wrote`() throws {
    var bytes = ChangeEncoder()
    bytes.add(TokenUse(token: 7, day: noon.day))
    var decoder = ChangeDecoder(bytes.bytes)
    let use = try TokenUse(from: &decoder)
    #expect(use.token == 7 && use.day == noon.day && decoder.rest == 0)
  }

  struct TokenEnd: LedgerChange {
    static let kind = ChangeKind.tokenRevocation
    static let form = Form(Self.init) { ($0.id, $0.at) }
    let id: Int64
    let at: Instant
    func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
      try connection.prepare("UPDATE token SET revoked_at = ?2 WHERE id = ?1").run(id, at.milliseconds)
      return connection.changedRows > 0
    }
  }

  @Test func `The example of a change is written to a ledger, and states what it did`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let id = try TokenStore(path: path).add(.read, name: "anna", token: "t", now: noon)
    let ledger = try LedgerFile(path: path)
    #expect(try ledger.write(TokenEnd(id: id, at: noon + 1)))
    #expect(try !ledger.write(TokenEnd(id: id + 1, at: noon)))
    #expect(try LedgerReader(path: path).tokens().map(\.revokedAt) == [noon + 1])
  }

  @Test func `The example of a journal follows what it appended`() throws {
    let journal: any Journal = MemoryJournal(identity: try .random())
    let node = try #require(NodeName("a"))
    let content: [UInt8] = [1, 2]
    var followed: [JournalPosition] = []
    var appender = try JournalAppender(journal, node: node)
    let position = try appender.append(content).position
    var follower = JournalFollower(journal, at: JournalPlace(start: try journal.ends().identity))
    for batch in try follower.next(atMost: 100) { followed.append(batch.place.position) }
    #expect(followed == [position])
  }
}
