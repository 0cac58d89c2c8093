import Foundation
import Gzip
import TestSupport
import Testing

private let spend = """
  date,network,campaign,amount,currency
  2026-11-01,example123.skadnetwork,12,100.50,USD
  2026-11-02,example123.skadnetwork,12,90,USD

  """

private func spendRows(_ database: String) throws -> String {
  try Subprocess.run("skan", ["spend", "list", "-d", database, "--format", "csv"]).output
}

struct `The page of data` {
  @Test func `A file of spend counts only after it is confirmed, and then as by the command`() throws {
    let pages = try PagesFixture()
    let preview = try pages.preview("spend", spend)
    #expect(preview.status == 200)
    #expect(preview.text.contains("<bdi>november.csv</bdi>"))
    #expect(try number(pages.database, "SELECT count(*) FROM spend") == 0)
    let done = try pages.importing("spend", spend)
    #expect(done.status == 200)
    #expect(done.text.contains("2 rows of spend stored: 2 new"))
    let folder = try TemporaryFolder()
    let file = try folder.write(spend, to: "november.csv")
    let other = folder.file("other.db")
    _ = try Subprocess.run("skan", ["spend", "import", "-d", other, file])
    #expect(try spendRows(pages.database) == spendRows(other))
    #expect(try spendRows(pages.database).contains("100.5"))
  }

  @Test func `A file of names, rates or totals is imported as by the command`() throws {
    let pages = try PagesFixture()
    let folder = try TemporaryFolder()
    let other = folder.file("other.db")
    for (kind, rows) in [
      ("names", "network,campaign,from,name\nn.skadnetwork,12,2026-11-01,Summer\n"),
      ("rates", "date,currency,quote,rate\n2026-11-01,EUR,USD,1.0837\n"),
      ("totals", "date,network,installs\n2026-11-01,n.skadnetwork,120\n"),
    ] {
      #expect(try pages.importing(kind, rows).text.contains("1 new"), "\(kind)")
      _ = try Subprocess.run(
        "skan", [kind, "import", "-d", other, try folder.write(rows, to: "\(kind).csv")])
      func listed(_ database: String) throws -> String {
        try Subprocess.run("skan", [kind, "list", "-d", database, "--format", "csv"]).output
      }
      #expect(try listed(pages.database) == listed(other), "\(kind)")
      #expect(try listed(other).split(whereSeparator: \.isNewline).count == 2, "\(kind)")
    }
  }

  @Test func `A file with mistakes lists several of them by line and changes nothing`() throws {
    let pages = try PagesFixture()
    _ = try pages.importing("spend", spend)
    let before = try spendRows(pages.database)
    let broken = """
      date,network,campaign,amount,currency
      2026-11-01,example123.skadnetwork,12,7,USD
      2026-13-01,example123.skadnetwork,12,7,USD
      2026-11-02,example123.skadnetwork,12,seven,USD
      2026-11-02,example123.skadnetwork,12,7,XYZ

      """
    let page = try pages.preview("spend", broken).text
    #expect(page.contains("3 rows are wrong"))
    for found in [
      "is not a date such as", "is not one of ISO 4217",
      "2026-13-01,example123.skadnetwork,12,7,USD</textarea>",
    ] {
      #expect(page.contains(found), "\(found)")
    }
    #expect(!page.contains("value=\"import\""))
    let place = try pages.upload("spend", broken, cookie: pages.editor)
    let id = try #require(place.header("location")?.split(separator: "=").last)
    _ = try pages.post(
      "/data/spend",
      [
        ("form-token", try pages.formToken(pages.editor)), ("do", "import"), ("upload", String(id)),
        ("expected", "0,0,0,0"),
      ], cookie: pages.editor)
    #expect(try spendRows(pages.database) == before)
  }

  @Test
  func `A preview shows what would be replaced, and an import that another one overtook changes nothing`()
    throws
  {
    let pages = try PagesFixture()
    _ = try pages.importing("spend", spend)
    let corrected = spend.replacing("100.50", with: "200")
    let preview = try pages.preview("spend", corrected).text
    #expect(preview.contains("Rows that would be replaced") && preview.contains("100.5"))
    let folder = try TemporaryFolder()
    _ = try Subprocess.run(
      "skan", ["spend", "import", "-d", pages.database, try folder.write(corrected, to: "a.csv")])
    let late = try pages.post(
      "/data/spend",
      [
        ("form-token", try pages.formToken(pages.editor)), ("do", "import"),
        ("upload", try pages.value("upload", in: preview)),
        ("expected", try pages.value("expected", in: preview)),
      ], cookie: pages.editor)
    #expect(late.text.contains("have changed meanwhile"))
  }

  @Test func `A file of a spreadsheet is stored after its columns are chosen and its wrong row is corrected`()
    throws
  {
    let pages = try PagesFixture()
    let file = "Tag;Kampagne;Kosten;Whg\n20.11.2026;12;96,20;EUR\n31.11.2026;12;88,00;EUR\n"
    let sent = try pages.upload("spend", file, cookie: pages.editor)
    func revise(_ answer: HTTPAnswer, _ fields: [(String, String)]) throws -> HTTPAnswer {
      let page = try pages.get(try #require(answer.header("location")), pages.editor).text
      let expected =
        page.contains("name=\"expected\"") ? [("expected", try pages.value("expected", in: page))] : []
      return try pages.send(
        "/data/spend", [("upload", try pages.value("upload", in: page))] + expected + fields)
    }
    let chosen = try revise(sent, [("do", "check"), ("fixed-network", "example123.skadnetwork")])
    let corrected = try revise(chosen, [("do", "check"), ("row-3", "30.11.2026;12;88,00;EUR")])
    // What is chosen beside the button that stores is shown before it is stored.
    let other = try revise(corrected, [("do", "import"), ("amounts", "hundredths")])
    #expect(try number(pages.database, "SELECT count(*) FROM spend") == 0)
    let back = try revise(other, [("do", "check"), ("amounts", "units")])
    #expect(try revise(back, [("do", "import")]).text.contains("2 rows of spend stored: 2 new"))
    let folder = try TemporaryFolder()
    let command = folder.file("other.db")
    _ = try Subprocess.run(
      "skan",
      [
        "spend", "import", "-d", command, "--columns",
        "date=Tag,campaign=Kampagne,amount=Kosten,currency=Whg",
        "--set", "network=example123.skadnetwork", "--time-format", "day-first",
        try folder.write(file.replacing("31.11", with: "30.11"), to: "costs.csv"),
      ])
    #expect(try spendRows(pages.database) == spendRows(command))
  }

  @Test func `A reader sees imported rows and can neither import nor remove any`() throws {
    let pages = try PagesFixture()
    _ = try pages.importing("spend", spend)
    let before = try spendRows(pages.database)
    let page = try pages.get("/data/spend", pages.reader)
    #expect(page.status == 200 && page.text.contains("example123.skadnetwork"))
    #expect(!page.text.contains("type=\"file\""))
    #expect(try pages.upload("spend", spend, cookie: pages.reader).status == 403)
    let removal = try pages.post(
      "/data/spend",
      [("form-token", try pages.formToken(pages.reader)), ("do", "remove"), ("expected", "2-0")],
      cookie: pages.reader)
    #expect(removal.status == 403)
    #expect(try spendRows(pages.database) == before)
  }

  @Test func `A form of data with another session's token, or from another site, changes nothing`() throws {
    let pages = try PagesFixture()
    #expect(try pages.upload("spend", spend, cookie: pages.editor, formToken: "0000").status == 403)
    let foreign = try pages.formToken(pages.reader)
    #expect(try pages.upload("spend", spend, cookie: pages.editor, formToken: foreign).status == 403)
    let answer = try pages.post(
      "/data/spend", [("form-token", try pages.formToken(pages.editor)), ("do", "preview"), ("text", spend)],
      cookie: pages.editor, origin: "https://evil.example")
    #expect(answer.status == 403)
  }

  @Test func `An upload of one session is not there for another`() throws {
    let pages = try PagesFixture()
    let sent = try pages.upload("spend", spend, cookie: pages.editor)
    let place = try #require(sent.header("location"))
    #expect(!(try pages.get(place, pages.reader).text.contains("value=\"import\"")))
    let second = try pages.post("/sign-in", [("token", pages.editorToken)], cookie: "none=1")
    let cookie = String(try #require(second.header("set-cookie")).prefix { $0 != ";" })
    #expect(try pages.get(place, cookie).text.contains("This upload is no longer there"))
  }

  @Test func `A packed file counts as the same file unpacked, up to the same size`() throws {
    let pages = try PagesFixture()
    let mark = "b"
    func send(_ file: [UInt8]) throws -> HTTPAnswer {
      var body: [UInt8] = []
      for (name, value) in [("form-token", try pages.formToken(pages.editor)), ("do", "preview")] {
        body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
      }
      let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"november.csv.gz\"\r\n\r\n"
      body += Array(head.utf8) + file + Array("\r\n--b--\r\n".utf8)
      return try pages.post(
        "/data/spend", body, type: "multipart/form-data; boundary=\(mark)", cookie: pages.editor)
    }
    let packed = gzip(Array(spend.utf8))
    let sent = try send(packed)
    let preview = try pages.get(try #require(sent.header("location")), pages.editor).text
    let done = try pages.post(
      "/data/spend",
      [
        ("form-token", try pages.formToken(pages.editor)), ("do", "import"),
        ("upload", try pages.value("upload", in: preview)),
        ("expected", try pages.value("expected", in: preview)),
      ], cookie: pages.editor)
    #expect(done.text.contains("2 rows of spend stored: 2 new"))
    let rows = try spendRows(pages.database)
    // 5 MB of blanks take a few kilobytes.
    let bomb = try send(gzip(Array(spend.utf8) + [UInt8](repeating: 0x20, count: 5 << 20)))
    #expect(bomb.status == 200 && bomb.text.contains("unpacks to more than 4 MB"))
    let cut = try send(Array(packed.dropLast(9)))
    #expect(cut.status == 200 && cut.text.contains("damaged or incomplete"))
    #expect(try spendRows(pages.database) == rows)
  }

  @Test func `Script in the name of a file and in its cells is shown as text`() throws {
    let pages = try PagesFixture()
    let script = "<script>alert(1)</script>"
    let names = "network,campaign,from,name\n\(script),12,2026-11-01,\(script)\n"
    let page = try pages.preview("names", names, named: "\(script).csv").text
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;.csv"))
    #expect(!page.contains("<script>alert"))
    let wrong = try pages.preview("rates", "date,currency,quote,rate\n\(script),EUR,USD,\(script)\n").text
    #expect(wrong.contains("&lt;script&gt;") && !wrong.contains("<script>alert"))
    #expect(!(try pages.importing("names", names).text.contains("<script>alert")))
    #expect(!(try pages.get("/data/names", pages.reader).text.contains("<script>alert")))
  }

  @Test func `Rows are removed as the filter and the confirmation state`() throws {
    let pages = try PagesFixture()
    _ = try pages.importing("spend", spend)
    let address = "/data/spend?from=2026-11-02"
    let question = try pages.get("\(address)&remove=true", pages.editor).text
    let wrong = try pages.post(
      address, [("form-token", try pages.formToken(pages.editor)), ("do", "remove"), ("expected", "1-0")],
      cookie: pages.editor)
    #expect(wrong.text.contains("have changed meanwhile"))
    #expect(try number(pages.database, "SELECT count(*) FROM spend") == 2)
    let done = try pages.post(
      address,
      [
        ("form-token", try pages.formToken(pages.editor)), ("do", "remove"),
        ("expected", try pages.value("expected", in: question)),
      ], cookie: pages.editor)
    #expect(done.text.contains("1 row removed"))
    #expect(try number(pages.database, "SELECT count(*) FROM spend") == 1)
  }

  @Test func `A body that is no whole form with files is rejected`() throws {
    let pages = try PagesFixture()
    for (type, body) in [
      ("multipart/form-data; boundary=a", "--a\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nopen"),
      ("multipart/form-data; boundary=a", "--b--"), ("multipart/form-data", "--a--"),
      ("multipart/form-data; boundary=a", "--a\r\nno head\r\n--a--"),
    ] {
      #expect(
        try pages.post("/data/spend", Array(body.utf8), type: type, cookie: pages.editor).status == 400,
        "\(body)")
    }
  }
}

struct `The page of access` {
  @Test func `An editor creates a token that is shown once and lets its holder in`() throws {
    let pages = try PagesFixture()
    func create(_ fields: [(String, String)]) throws -> HTTPAnswer {
      try pages.post(
        "/access", [("form-token", try pages.formToken(pages.editor)), ("do", "create")] + fields,
        cookie: pages.editor)
    }
    let page = try create([("use", "read"), ("name", "carla"), ("own", pages.editorToken)]).text
    let place = try #require(page.firstRange(of: "id=\"new-token\">"))
    let token = String(page[place.upperBound...].prefix { $0 != "<" })
    #expect(token.count == 64)
    #expect(!(try pages.get("/access", pages.editor).text.contains(token)))
    #expect(
      try number(pages.database, "SELECT count(*) FROM token WHERE name = 'carla' AND use = 'read'") == 1)
    // A limit of separators alone makes no token, which would have no limit.
    for field in ["apps", "networks"] {
      let answer = try create([("use", "read"), ("name", "dora"), ("own", pages.editorToken), (field, " , ")])
      #expect(!answer.text.contains("id=\"new-token\""), "\(field)")
    }
    #expect(try number(pages.database, "SELECT count(*) FROM token WHERE name = 'dora'") == 0)
    Thread.sleep(forTimeInterval: 1.2)
    #expect(try pages.post("/sign-in", [("token", token)], cookie: "none=1").status == 303)
  }

  @Test func `An open browser alone creates no token, because the form asks for the editor's own`() throws {
    let pages = try PagesFixture()
    for own in ["", "0000", pages.readerToken] {
      let answer = try pages.post(
        "/access",
        [
          ("form-token", try pages.formToken(pages.editor)), ("do", "create"), ("use", "edit"),
          ("name", "eve"),
          ("own", own),
        ], cookie: pages.editor)
      #expect(answer.text.contains("No token was created"), "\(own)")
    }
    #expect(try number(pages.database, "SELECT count(*) FROM token") == 2)
  }

  @Test func `A reader creates and revokes no token`() throws {
    let pages = try PagesFixture()
    let form = ("form-token", try pages.formToken(pages.reader))
    let create = [form, ("do", "create"), ("use", "edit"), ("name", "eve"), ("own", pages.readerToken)]
    #expect(try pages.post("/access", create, cookie: pages.reader).status == 403)
    #expect(
      try pages.post("/access", [form, ("do", "revoke"), ("token", "2")], cookie: pages.reader).status == 403)
    #expect(try number(pages.database, "SELECT count(*) FROM token WHERE revoked_at IS NULL") == 2)
  }

  @Test func `The token of the session is revoked only with a word more than another one`() throws {
    let pages = try PagesFixture()
    func revoke(_ id: String, _ more: [(String, String)] = []) throws -> HTTPAnswer {
      try pages.post(
        "/access",
        [("form-token", try pages.formToken(pages.editor)), ("do", "revoke"), ("token", id)] + more,
        cookie: pages.editor)
    }
    #expect(try revoke("2").text.contains("the token of your own session"))
    #expect(try number(pages.database, "SELECT count(*) FROM token WHERE revoked_at IS NOT NULL") == 0)
    #expect(try revoke("1").text.contains("Token 1 is revoked"))
    #expect(try revoke("2", [("sure", "own")]).status == 200)
    Thread.sleep(forTimeInterval: 1.2)
    #expect(try pages.get("/", pages.editor).status == 303)
    #expect(try pages.get("/", pages.reader).status == 303)
  }

  @Test func `The name of a token's holder cannot hold script`() throws {
    let pages = try PagesFixture()
    let answer = try pages.post(
      "/access",
      [
        ("form-token", try pages.formToken(pages.editor)), ("do", "create"), ("use", "read"),
        ("name", "<script>alert(1)</script>"), ("own", pages.editorToken),
      ], cookie: pages.editor)
    #expect(answer.text.contains("The name was not accepted") && !answer.text.contains("<script>alert"))
    #expect(try number(pages.database, "SELECT count(*) FROM token") == 2)
  }
}

struct `The page of health` {
  @Test func `The page of health shows networks with their last hour, and readers see it`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let pages = try PagesFixture { database in
      _ = try Subprocess.run(
        "skan", ["ingest", "-d", database, root.appending(path: "tools/samples/apple-signed.ndjson").path])
    }
    let page = try pages.get("/alerts", pages.reader)
    #expect(page.status == 200)
    #expect(page.text.contains("skadnetwork"))
    #expect(page.text.contains("Last valid postback"))
    #expect(try pages.get("/alerts", pages.editor).text.contains("skan doctor --database"))
  }

  @Test func `The page of health shows the checks of skan doctor, and what they found to editors alone`()
    throws
  {
    let pages = try PagesFixture()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: pages.database)
    let doctor = try Subprocess.run(
      "skan", ["doctor", "-d", pages.database, "--listen", "127.0.0.1:0", "--format", "csv"])
    let modes = try #require(
      doctor.output.split(whereSeparator: \.isNewline).first { $0.hasPrefix("modes,warn,") })
    #expect(modes.contains("chmod 600"))
    let page = try pages.get("/alerts", pages.editor).text
    for check in ["keys", "self-test", "database", "backup", "folder", "log", "clock", "modes"] {
      #expect(page.contains("<b>\(check)</b>"), "\(check)")
    }
    #expect(page.contains("needs attention") && page.contains("chmod 600"))
    let seen = try pages.get("/alerts", pages.reader).text
    #expect(seen.contains("<b>modes</b>") && seen.contains("needs attention"))
    #expect(!seen.contains(pages.database) && !seen.contains("chmod"))
  }
}
