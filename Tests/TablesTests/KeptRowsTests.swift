import Arguments
import Tables
import Testing
import Values

/// A report that counts how often it is gathered.
private struct Counted: Report {
  init() {}

  static let name = "counted"
  static let summary = "Count."
  static let examples: [Command.Example] = []
  static let pageSize: Int? = 2
  static let parameters: [Parameter<Self>] = []
  static let columns: [Column<Int64>] = [Column("n", "n", "Number.") { $0 }]

  func rows(from source: Source) throws -> Rows<Int64> {
    source.gathered += 1
    var rows = Rows.held(Array(source.numbers), total: source.numbers.reduce(0, +), key: { "\($0)" })
    rows.notes = [Sentence("\(source.numbers.count) rows")]
    return rows
  }

  final class Source {
    var gathered = 0
    var numbers: [Int64] = [1, 2, 3, 4, 5]
  }
}

/// Keeps everything.
private final class Store: PageStore {
  nonisolated(unsafe) var kept: [String: any Sendable] = [:]

  func rows(for question: String) -> (any Sendable)? { unsafe kept[question] }
  func keep(_ rows: (any Sendable)?, count: Int, for question: String) { unsafe kept[question] = rows }
}

struct `Rows kept between pages` {
  private func page(
    _ source: Counted.Source, _ store: Store?, cursor: String?, _ words: [String: [String]] = [:]
  ) throws -> (text: String, next: String?) {
    var text = ""
    let delivery = Delivery(.csv, limit: 2, cursor: cursor, pages: store)
    let next = try ReportKind(Counted.self).job(words)(source, delivery, { false }) {
      text += $0
      return true
    }.next
    return (text, next)
  }

  @Test(arguments: [true, false])
  func `Rows kept between pages make the same pages as rows that are gathered for each`(keeps: Bool) throws {
    let (source, store) = (Counted.Source(), keeps ? Store() : nil)
    var (texts, cursor): ([String], String?) = ([], nil)
    repeat {
      let found = try page(source, store, cursor: cursor)
      texts.append(found.text)
      cursor = found.next
    } while cursor != nil
    #expect(texts == ["n\r\n1\r\n2\r\n", "3\r\n4\r\n", "5\r\n"])
    #expect(source.gathered == (keeps ? 1 : 3))
    // The last page needs them no more.
    #expect(unsafe store?.kept.isEmpty ?? true)
  }

  @Test func `Rows kept between pages are of the first page, and a new first page has what changed`() throws {
    let (source, store) = (Counted.Source(), Store())
    let first = try page(source, store, cursor: nil)
    source.numbers = [7, 8, 9]
    let second = try page(source, store, cursor: first.next)
    #expect(second.text == "3\r\n4\r\n")
    #expect(try page(source, store, cursor: nil).text == "n\r\n7\r\n8\r\n")
    #expect(source.gathered == 2)
    #expect(throws: ParameterError.self) { try page(source, store, cursor: second.next) }
    // Another order is another question.
    #expect(try page(source, store, cursor: nil, ["sort": ["-n"]]).text == "n\r\n9\r\n8\r\n")
    #expect(unsafe store.kept.count == 2)
  }

  @Test func `Rows kept between pages can be asked for again from any page`() throws {
    let (source, store) = (Counted.Source(), Store())
    let first = try page(source, store, cursor: nil)
    let second = try page(source, store, cursor: first.next)
    #expect(try page(source, store, cursor: first.next).text == second.text)
    #expect(source.gathered == 1)
  }
}
