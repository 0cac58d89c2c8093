import Foundation
import Intake
import Ledger
import Testing
import Values

struct `A file from a spreadsheet` {
  private static let header = "date,network,campaign,amount,currency\n"

  private func semicolons(_ amount: String) -> String {
    "date;network;campaign;amount;currency\r\n2026-11-01;n;39;\(amount);EUR\r\n"
  }

  private func micros(_ text: String) throws -> [Int64] {
    try ReferenceFile.read(SpendRow.self, Array(text.utf8)).map(\.micros)
  }

  private func defect(_ bytes: [UInt8]) -> ReferenceFileError? {
    do {
      _ = try ReferenceFile.read(SpendRow.self, bytes)
      return nil
    } catch { return error }
  }

  @Test func `A file from a spreadsheet with semicolons or tabs may have decimal commas and points`() throws {
    #expect(try micros(semicolons("120,5")) == [120_500_000])
    #expect(try micros(semicolons("120,50")) == [120_500_000])
    #expect(try micros(semicolons("0,1234")) == [123_400])
    #expect(try micros(semicolons("120.50")) == [120_500_000])
    #expect(try micros(semicolons("120")) == [120_000_000])
    let tabs = semicolons("7,25").replacingOccurrences(of: ";", with: "\t")
    #expect(try micros(tabs) == [7_250_000])
    #expect(try micros("sep=;\r\n" + semicolons("7,25")) == [7_250_000])
    #expect(try micros("\u{FEFF}" + semicolons("7,25")) == [7_250_000])
  }

  @Test func `A file from a spreadsheet keeps its lines behind a line for spreadsheets`() {
    #expect(defect(Array(("sep=;\r\n" + semicolons("x")).utf8))?.line == 3)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [true, false])
  func `A file from a spreadsheet is read in UTF-16, with a mark and without one`(
    encoding: String.Encoding, isMarked: Bool
  ) throws {
    let text = (isMarked ? "\u{FEFF}" : "") + semicolons("7,25").replacingOccurrences(of: "39", with: "Été")
    let rows = try ReferenceFile.read(SpendRow.self, Array(try #require(text.data(using: encoding))))
    #expect(rows.map(\.campaign) == ["Été"] && rows.map(\.micros) == [7_250_000])
  }

  @Test
  func `A file from a spreadsheet in broken UTF-16, Windows-1252 or as a workbook is rejected with the cure`()
  {
    let header = Array(Self.header.utf8)
    let odd = Array("\u{FEFF}a\nb".data(using: .utf16LittleEndian) ?? Data()) + [0x41]
    #expect(defect([0xFF, 0xFE] + odd)?.code == "not-utf-16")
    let latin = defect(header + Array("2026-11-01,n,caf".utf8) + [0xE9] + Array(",1,EUR\n".utf8))
    #expect(latin?.code == "not-utf-8" && latin?.line == 2)
    #expect(latin?.sentence.english.contains("UTF-8") == true)
    #expect(defect([0x50, 0x4B, 3, 4, 0])?.code == "workbook")
  }

  @Test(arguments: [
    ("1,234.50", "thousands-separator", "write 1234.50"),
    ("1.234,50", "thousands-separator", "write 1234.50"),
    ("1.234.567", "thousands-separator", "write 1234567"), ("1 234,5", "thousands-separator", "write 1234.5"),
    ("1'234", "thousands-separator", "write 1234"), ("1,234,567", "thousands-separator", "write 1234567"),
    ("1\u{A0}234", "thousands-separator", "write 1234"), ("1,234", "ambiguous-comma", "can be 1234 or 1.234"),
  ])
  func `A file from a spreadsheet with grouped digits is rejected with the number to write`(
    amount: String, code: String, cure: String
  ) {
    for text in [semicolons(amount), Self.header + "2026-11-01,n,39,\"\(amount)\",EUR\n"] {
      let found = defect(Array(text.utf8))
      #expect(found?.code == code && found?.line == 2)
      #expect(found?.sentence.english.contains(cure) == true)
    }
  }

  @Test func `A file from a spreadsheet with commas between cells has no decimal commas`() {
    let quoted = defect(Array((Self.header + "2026-11-01,n,39,\"120,50\",EUR\n").utf8))
    #expect(quoted?.code == "decimal-comma" && quoted?.sentence.english.contains("write 120.50") == true)
    let split = defect(Array((Self.header + "2026-11-01,n,39,120,50,EUR\n").utf8))
    #expect(split?.sentence.english.contains("write a decimal point") == true)
    let json = #"{"date":"2026-11-01","network":"n","campaign":"1","amount":"1,5","currency":"EUR"}"#
    #expect(defect(Array(json.utf8))?.code == "decimal-comma")
  }

  @Test func `A file from a spreadsheet of spend may have impressions and clicks, which are added up`() throws
  {
    let header = "date,network,campaign,amount,currency,impressions,clicks\n"
    let rows = try ReferenceFile.read(
      SpendRow.self,
      Array(
        (header + "2026-11-01,n,1,1,EUR,1000,\n2026-11-01,n,1,2,EUR,500,\n2026-11-02,n,1,1,EUR,,0\n").utf8))
    #expect(rows.map(\.impressions) == [1500, nil] && rows.map(\.clicks) == [nil, 0])
    for (row, code) in [
      ("2026-11-01,n,1,1,EUR,\"1,200\",", "thousands-separator"),
      ("2026-11-01,n,1,1,EUR,-1,", "negative-impressions"),
      ("2026-11-01,n,1,1,EUR,,1.5", "invalid-clicks"),
      ("2026-11-01,n,1,1,EUR,5,\n2026-11-01,n,1,1,EUR,,", "missing-impressions"),
    ] {
      #expect(defect(Array((header + row + "\n").utf8))?.code == code)
    }
  }

  @Test(arguments: UInt64(1)...200)
  func `A file from a spreadsheet separates cells as the header does, whatever the letter`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let rows = (0..<20).map { _ in (random.number(below: 1_000_000), 1 + random.number(below: 9999)) }
    func text(_ separator: String) -> String {
      let cells =
        [["date", "network", "campaign", "amount", "currency"]]
        + rows.enumerated().map { index, row in
          ["2026-11-01", "n\(index)", "\(row.1)", "\(row.0 / 100).\(row.0 / 10 % 10)\(row.0 % 10)", "EUR"]
        }
      return cells.map { $0.joined(separator: separator) + "\n" }.joined()
    }
    let wanted = rows.map { Int64($0.0) * 10_000 }
    for separator in [",", ";", "\t"] { #expect(try micros(text(separator)) == wanted) }
    #expect(try micros(text(";").replacingOccurrences(of: ".", with: ",")) == wanted)
  }
}
