@testable import Intake
import Testing
import Values

struct `A partner's export` {
  private func rows(_ text: String, _ export: PartnerExport = .adjust) throws -> [ExportRow] {
    var reader = ExportRows(export, ArrivalTimes(hasFallback: true))
    var rows: [ExportRow] = []
    try reader.append(Array(text.utf8), to: &rows)
    try reader.append(nil, to: &rows)
    return rows
  }

  @Test func `A partner's export has its rows by line, as JSON in the order of the columns`() throws {
    let found = try rows("{sk_payload},{event_name},{sk_ts}\n\"{\"\"a\"\":1}\",,1795262400\n\n,null,\n")
    #expect(found.map(\.line) == [2, 4])
    #expect(found[0].cells == ["sk_payload": #"{"a":1}"#, "sk_ts": "1795262400"])
    #expect(
      String(decoding: found[0].document, as: UTF8.self)
        == #"{"sk_payload":"{\"a\":1}","sk_ts":"1795262400"}"#)
    #expect(found[1].cells.isEmpty)
  }

  @Test(arguments: ["null", "none", "N/A", "\\N", "nan", "None", "#N/A"])
  func `A partner's export has no cell for a text for no value`(text: String) throws {
    let found = try rows(
      "skad_transaction_id,skad_conversion_value,skad_coarse_conversion_value\nt,12,\(text)\n\(text),1,low\n",
      .appsflyer)
    #expect(
      found.map(\.cells) == [
        ["skad_transaction_id": "t", "skad_conversion_value": "12"],
        ["skad_conversion_value": "1", "skad_coarse_conversion_value": "low"],
      ])
  }

  @Test(arguments: [
    ("", "line 1: the file is empty"),
    ("a,b\n1,2\n", "line 1: found no column sk_payload or sk_transaction_id"),
    ("sk_payload,b\n1\n", "line 2: found 1 cell, the first line has 2"),
    ("sk_payload,b\n1,2,3\n", "line 2: found 3 cells, the first line has 2"),
    ("sk_payload,b,b\n", "line 1: found the column b twice"),
    ("sk_payload,b\n\"1,2\n", "line 2: the file ends inside a quoted cell"),
  ])
  func `A partner's export is rejected with its line`(text: String, words: String) throws {
    let error = try #require(throws: PartnerFileError.self) { try rows(text) }
    #expect(error.message == words)
    #expect(error.remedy != nil)
  }

  @Test(arguments: [
    "sk_payload;event_name;sk_ts\r\n\"{\"\"a\"\":1;2}\";a,b;1795262400\r\n",
    "sep=;\r\nsk_payload;event_name;sk_ts\r\n\"{\"\"a\"\":1;2}\";a,b;1795262400\r\n",
    "sk_payload\tevent_name\tsk_ts\n\"{\"\"a\"\":1;2}\"\ta,b\t1795262400\n",
    #"{"sk_payload":"{\"a\":1;2}","event_name":"a,b","sk_ts":1795262400,"none":null}"#,
    "\u{FEFF}\n" + #"[{"sk_payload":"{\"a\":1;2}","event_name":"a,b","sk_ts":"1795262400"}]"#,
  ])
  func `A partner's export has cells between semicolons or tabs too, or is JSON`(text: String) throws {
    for size in [1, 7, 10_000] {
      var reader = ExportRows(.adjust, ArrivalTimes())
      var found: [ExportRow] = []
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        try reader.append(Array(bytes[start..<min(bytes.count, start + size)]), to: &found)
      }
      try reader.append(nil, to: &found)
      #expect(
        found.map(\.cells) == [
          ["sk_payload": #"{"a":1;2}"#, "event_name": "a,b", "sk_ts": "1795262400"]
        ])
      #expect(found.first?.time?.milliseconds == 1_795_262_400_000)
    }
  }

  @Test(
    arguments: [
      ("{\"a\":1}\n", "row 1: no row has a member sk_payload or sk_transaction_id"),
      ("{\"sk_payload\":\"x\"}\n{\"sk_payload\":}\n", "row 2: the row is not JSON: "),
      ("[{\"sk_payload\":\"x\"},5]", "row 2: the row is an integer, not a JSON object"),
    ])
  func `A partner's export in JSON is rejected with its row`(text: String, words: String) throws {
    let error = try #require(throws: PartnerFileError.self) { try rows(text) }
    #expect(error.message.hasPrefix(words), "\(error.message)")
    #expect(error.remedy != nil)
  }

  private func renamed(_ pairs: String) throws -> ExportColumns {
    var form = ImportForm()
    try form.rename(pairs)
    return try ExportColumns(form, for: .appsflyer)
  }

  @Test(arguments: [
    "txid,value,skad_conversion_value,when\nt,12,9,1795262400\n",
    #"{"txid":"t","value":12,"skad_conversion_value":9,"when":1795262400}"#,
  ])
  func `A partner's export has columns under the names that the command line has for them`(text: String)
    throws
  {
    let names = try renamed("skad_transaction_id=txid,skad_conversion_value=value,timestamp=when")
    var reader = ExportRows(.appsflyer, ArrivalTimes(), names)
    var found: [ExportRow] = []
    try reader.append(Array(text.utf8), to: &found)
    try reader.append(nil, to: &found)
    #expect(
      found.map(\.cells) == [
        ["skad_transaction_id": "t", "skad_conversion_value": "12", "timestamp": "1795262400"]
      ])
    #expect(found.first?.time?.milliseconds == 1_795_262_400_000)
  }

  @Test func `A partner's export has no columns of other names, and each once`() throws {
    #expect(throws: ImportLayoutDefect.nameUsedTwice("x")) {
      try renamed("skad_version=x,skad_transaction_id=x")
    }
    let unknown = #expect(throws: ImportLayoutDefect.self) { try renamed("skad_transaction=x") }
    #expect(
      unknown?.sentence.contains("did you mean skad_transaction_id?") ?? false,
      "\(String(describing: unknown))")
    var reader = ExportRows(.appsflyer, ArrivalTimes(), try renamed("skad_transaction_id=txid"))
    var found: [ExportRow] = []
    let error = #expect(throws: PartnerFileError.self) {
      try reader.append(Array("id,timestamp\n".utf8), to: &found)
    }
    #expect(error?.message == "line 1: found no column txid" && error?.remedy?.contains("--columns") ?? false)
  }

  @Test(
    arguments: [
      ("1795262400", 1_795_262_400_000), ("1795262400123", 1_795_262_400_123),
      ("2026-11-21 12:00:00", 1_795_262_400_000), ("2026-11-21 12:00:00.250", 1_795_262_400_250),
      ("2026-11-21 12:00:00 UTC", 1_795_262_400_000), ("2026-11-21T12:00:00Z", 1_795_262_400_000),
      ("2026-11-21T13:00:00+01:00", 1_795_262_400_000), ("2026-11-21 13:00:00+0100", 1_795_262_400_000),
      ("2026-11-21 13:00:00.123000+01", 1_795_262_400_123), ("2026-11-21 09:00:00-03", 1_795_262_400_000),
    ] as [(String, Int64)])
  func `A partner's export has moments in the forms that partners write`(text: String, milliseconds: Int64) {
    #expect(PartnerExport.reading(text)?.instant.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "yesterday", "-1", "99999999999999999999", "9999999999999999", "2026-13-01 00:00:00", "12:00",
  ])
  func `A partner's export has no moment in anything else`(text: String) {
    #expect(PartnerExport.reading(text) == nil)
  }
}
