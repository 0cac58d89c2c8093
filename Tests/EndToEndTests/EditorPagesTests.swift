import Foundation
import JSONText
import TestSupport
import Testing

private let app = 525_463_029

/// A mapping with three ranges of revenue.
private func mapping(
  name: String = "first", from date: String = "2026-01-01", edges: String = "1, 5, 20",
  label: String = "installed"
) -> String {
  func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
  return """
    {
      "name": \(quoted(name)), "app": \(app), "currency": "USD", "effective-from": "\(date)", "protocol": "skan4",
      "fine": [{"value": 0, "label": \(quoted(label))}],
      "grids": [{"first-value": 1, "active-hours": [0, 24], "revenue": [\(edges)]}]
    }

    """
}

/// Editors at the pages, with a mapping in force.
private final class Editors {
  let pages: PagesFixture
  private let folder: TemporaryFolder

  /// Starts a daemon with further options; what they name can be made in the folder first.
  init(_ options: (borrowing TemporaryFolder) throws -> [String] = { _ in [] }) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(mapping(), to: "first.json")
    pages = try PagesFixture(options(folder)) { database in
      let loaded = try Subprocess.run("skan", ["mapping", "load", "-d", database, file])
      #expect(loaded.exitCode == 0, "\(loaded.errors)")
    }
    self.folder = folder
  }

  /// Begins a draft of the first version and returns the address of its editor.
  func draft(_ document: String? = nil) throws -> String {
    let begun = try pages.send("/mappings", [("do", "begin"), ("version", "1")])
    let address = try #require(begun.header("location"))
    if let document { #expect(try save(address, [("document", document)]).status == 303) }
    return address
  }

  /// What a tab of the editor has: the fields that are sent along with what someone fills in.
  func tab(_ address: String, view: String = "json") throws -> [(String, String)] {
    let page = try pages.get("\(address)&view=\(view)", pages.editor).text
    var fields = [("etag", try pages.value("etag", in: page))]
    if view == "form" { fields.append(("document", plain(try pages.value("document", in: page)))) }
    return fields
  }

  /// Saves with the state that there is now.
  func save(_ address: String, _ fields: [(String, String)]) throws -> HTTPAnswer {
    try pages.send(address, [("do", "save")] + tab(address) + fields)
  }

  /// Publishes a draft as its review asks for it.
  func publish(_ address: String, on date: String, _ more: [(String, String)] = []) throws -> HTTPAnswer {
    let review = address.replacing("/mappings/editor", with: "/mappings/publish") + "&from=\(date)"
    let page = try pages.get(review, pages.editor).text
    var fields = [
      ("etag", try pages.value("etag", in: page)), ("reviewed", try pages.value("reviewed", in: page)),
      ("effective-from", date), ("note", "because"),
    ]
    fields += acknowledgements(page)
    return try pages.send(review, fields + more)
  }

  var versions: Int64 { get throws { try number(pages.database, "SELECT count(*) FROM mapping_version") } }
  var drafts: Int64 { get throws { try number(pages.database, "SELECT count(*) FROM mapping_draft") } }

  /// The text of the draft with the highest number.
  var lastDraft: String {
    get throws {
      try text(pages.database, "SELECT CAST(document AS TEXT) FROM mapping_draft ORDER BY id DESC LIMIT 1")
    }
  }
}

/// What a review asks to be acknowledged.
private func acknowledgements(_ page: String) -> [(String, String)] {
  page.split(separator: "name=\"ack\" value=\"").dropFirst().map { ("ack", String($0.prefix { $0 != "\"" })) }
}

/// Text as it was before it became markup.
private func plain(_ markup: String) -> String {
  markup.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
    .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
}

struct `The pages of mappings` {
  @Test
  func `A form that was sent after its session ended comes back with its text, and is saved after a sign-in`()
    throws
  {
    let editors = try Editors()
    let pages = editors.pages
    let address = try editors.draft(mapping(label: "first"))
    let typed = mapping(label: "typed <twice> & more")
    let fields =
      [("do", "save")] + (try editors.tab(address)) + [("document", typed), ("$.name", "Typed name")]
    let old = try pages.formToken(pages.editor)
    let ended = try pages.post(address, [("form-token", old)] + fields, cookie: "none=1")
    #expect(ended.status == 401)
    #expect(plain(ended.text).contains(typed) && ended.text.contains("Typed name"))
    #expect(ended.text.contains("href=\"/sign-in\" target=\"_blank\""))
    // The page cannot have the token of a session that begins later, so what comes without one is asked for again.
    let again = try pages.post(address, [("form-token", "")] + fields, cookie: pages.editor)
    #expect(again.status == 403)
    #expect(plain(again.text).contains(typed))
    let token = try pages.value(
      "form-token",
      in: String(again.text[try #require(again.text.firstRange(of: "What you sent")).upperBound...]))
    #expect(try pages.post(address, [("form-token", token)] + fields, cookie: pages.editor).status == 303)
    #expect(try editors.lastDraft.contains("Typed name"))
    // What another site sends is not shown, and a form with secrets is not either.
    let foreign = try pages.post(address, fields, cookie: pages.editor, origin: "https://evil.example")
    #expect(foreign.status == 403 && !foreign.text.contains("Typed name"))
    let secret = try pages.post("/access", [("own", "read-secret-1")], cookie: "none=1")
    #expect(secret.status == 401 && !secret.text.contains("read-secret-1"))
  }

  @Test func `Script in every field of a mapping is shown as text on every page of mappings`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let address = try editors.draft(mapping(name: script, label: script))
    let tried = try pages.send(
      address, [("do", "try")] + editors.tab(address) + [("document", mapping(name: script, label: script))])
    #expect(tried.status == 200 && tried.header("content-type") == "application/json")
    // The answer to a script has the text as it is, and parts of the page as markup.
    let parts = try #require(JSONReader.read(tried.body).value.object?["parts"]?.value.object)
    #expect(parts.members.count == 6)
    for part in parts.members {
      let markup = try #require(part.value.value.string)
      #expect(!markup.contains("<script>alert") && !markup.contains("\" onfocus="), "\(part.name)")
    }
    #expect(tried.showsForeignScript)
    let review = address.replacing("/mappings/editor", with: "/mappings/publish")
    var addresses = [
      "/mappings", "\(address)&view=form", "\(address)&view=json", review, "/mappings/compare",
    ]
    for address in addresses {
      let page = try pages.get(address, pages.editor)
      #expect(page.status == 200 && !page.hasForeignScript, "\(address)")
    }
    #expect(try pages.get("\(address)&view=form", pages.editor).showsForeignScript)
    let done = try editors.publish(address, on: "2026-06-01", [("note", script)])
    #expect(done.status == 303)
    addresses = [
      "/mappings?published=2", "/mappings?old=1&new=2", "/mappings/compare", "/mappings/handover", "/values",
      "/postbacks",
    ]
    for address in addresses {
      let page = try pages.get(address, pages.reader)
      #expect(page.status == 200 && !page.hasForeignScript, "\(address)")
    }
    #expect(try pages.get("/mappings", pages.reader).showsForeignScript)
    // A file that is no mapping is quoted in the message.
    for format in ["skan", "meta", "tenjin", script] {
      let page = try pages.send(
        "/mappings",
        [("do", "import"), ("format", format), ("app", script), ("currency", script), ("text", script)])
      #expect(page.status == 200 && !page.hasForeignScript, "\(format)")
    }
    let broken = try editors.save(try editors.draft(), [("document", "{\"name\": \"\(script)")])
    #expect(broken.status == 303)
    let broke = try pages.get(try #require(broken.header("location")), pages.editor)
    #expect(!broke.hasForeignScript && broke.showsForeignScript)
  }

  @Test func `Script in an address of mappings is shown as text`() throws {
    let editors = try Editors()
    let address = try editors.draft()
    let letters = try #require(script.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    for address in [
      "/mappings?app=\(letters)", "/mappings?export=\(letters)", "/mappings?\(letters)=1",
      "/mappings/editor?draft=\(letters)", "\(address)&sample=\(letters)", "\(address)&threshold=\(letters)",
      "\(address)&value=\(letters)", "/mappings/publish?draft=\(letters)",
      "/mappings/publish?draft=1&from=\(letters)", "/mappings/publish?draft=1&sample=\(letters)",
      "/mappings/compare?sample=\(letters)", "/mappings/compare?threshold=\(letters)",
    ] {
      let page = try editors.pages.get(address, editors.pages.editor)
      #expect([200, 400].contains(page.status), "\(address): \(page.status)")
      #expect(!page.hasForeignScript, "\(address)")
    }
  }

  @Test func `A reader begins, changes, publishes and rolls back nothing`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let address = try editors.draft(mapping(name: "second", edges: "1, 6, 20"))
    #expect(try editors.publish(address, on: "2026-03-01").status == 303)
    let draft = try editors.draft()
    let before = try editors.lastDraft
    let etag = try editors.tab(draft)
    let page = try pages.get(draft, pages.reader)
    #expect(page.status == 200 && page.text.contains("editing requires an editor token"))
    #expect(!page.text.contains("value=\"save\"") && !page.text.contains("id=\"publish\""))
    let review = draft.replacing("/mappings/editor", with: "/mappings/publish")
    #expect(try pages.get(review, pages.reader).status == 403)
    let attempts: [(String, [(String, String)])] = [
      ("/mappings", [("do", "begin"), ("version", "1")]),
      ("/mappings", [("do", "import"), ("format", "skan"), ("text", mapping())]),
      ("/mappings", [("do", "discard"), ("draft", String(draft.split(separator: "=").last ?? ""))] + etag),
      ("/mappings", [("do", "roll-back"), ("version", "1"), ("date", "2026-05-01")]),
      (draft, [("do", "save"), ("document", "{}")] + etag),
      (draft, [("do", "try"), ("document", mapping(name: "third"))] + etag),
      (draft, [("do", "copy"), ("document", "{}")] + etag), (draft, [("do", "discard")] + etag),
      (review, [("reviewed", "2027-01-01"), ("effective-from", "2027-01-01")] + etag),
    ]
    for (path, fields) in attempts {
      #expect(try pages.send(path, fields, cookie: pages.reader).status == 403, "\(path) \(fields[0])")
    }
    #expect(try editors.versions == 2)
    #expect(try editors.drafts == 1)
    #expect(try editors.lastDraft == before)
  }

  @Test func `A form of mappings with another session's token, or from another site, changes nothing`() throws
  {
    let editors = try Editors()
    let pages = editors.pages
    let draft = try editors.draft()
    let before = try editors.lastDraft
    let etag = try editors.tab(draft)
    let review = draft.replacing("/mappings/editor", with: "/mappings/publish")
    let own = ("form-token", try pages.formToken(pages.editor))
    let attempts: [(String, [(String, String)])] = [
      ("/mappings", [("do", "begin"), ("version", "1")]),
      (draft, [("do", "save"), ("document", "{}")] + etag),
      (draft, [("do", "try"), ("document", mapping(name: "third"))] + etag),
      (draft, [("do", "discard")] + etag),
      (review, [("reviewed", "2027-01-01"), ("effective-from", "2027-01-01")] + etag),
    ]
    let tokens = [nil, "", "0000", try pages.formToken(pages.reader)]
    for (path, fields) in attempts {
      for token in tokens {
        let form = fields + (token.map { [("form-token", $0)] } ?? [])
        #expect(try pages.post(path, form, cookie: pages.editor).status == 403, "\(path) \(fields[0])")
      }
      for origin in ["https://evil.example", "null"] {
        #expect(
          try pages.post(path, fields + [own], cookie: pages.editor, origin: origin).status == 403, "\(path)")
      }
    }
    #expect(try editors.versions == 1)
    #expect(try editors.drafts == 1)
    #expect(try editors.lastDraft == before)
  }

  @Test func `Of two who save one draft the second sees the fields that differ, and nothing is lost`() throws
  {
    let editors = try Editors()
    let pages = editors.pages
    let draft = try editors.draft()
    let (hers, his) = (try editors.tab(draft), try editors.tab(draft))
    let (her, him) = (mapping(name: "hers", edges: "1, 5, 21"), mapping(name: "his"))
    let base = ("base", mapping())
    #expect(try pages.send(draft, [("do", "save"), ("document", her)] + hers).status == 303)
    let both = try pages.send(draft, [("do", "save"), ("document", him), base] + his)
    #expect(both.status == 409)
    #expect(both.text.contains("<bdi>ben</bdi> saved this draft meanwhile"))
    // Both changed the name, so neither side is chosen; one of them changed an edge.
    #expect(both.text.contains("Both of you changed this field"))
    for text in ["<bdi>hers</bdi>", "<bdi>his</bdi>", "<bdi>first</bdi>", "<bdi>21</bdi>", "<bdi>20</bdi>"] {
      #expect(both.text.contains(text), "\(text)")
    }
    #expect(try editors.lastDraft == her)
    // A script learns the same, and then sends the form.
    let tried = try pages.send(draft, [("do", "try"), ("document", him)] + his)
    #expect(try JSONReader.read(tried.body).value.object?["conflict"]?.value.bool == true)
    #expect(try editors.lastDraft == her)
    // Without a choice for each field nothing is saved; with one the fields of both are.
    let newest = [("etag", try pages.value("etag", in: both.text)), ("document", him), base]
    let edge = ("pick:$.grids[0].revenue[2]", "theirs")
    let open = try pages.send(draft, [("do", "merge"), edge] + newest)
    #expect(open.status == 409 && open.text.contains("href=\"#pick:$.name\""))
    #expect(try editors.lastDraft == her)
    #expect(try pages.send(draft, [("do", "merge"), edge, ("pick:$.name", "mine")] + newest).status == 303)
    #expect(try editors.lastDraft == mapping(name: "his", edges: "1, 5, 21"))
    // His text becomes a draft of its own as well.
    let copy = try pages.send(draft, [("do", "copy")] + newest)
    #expect(copy.status == 303 && copy.header("location") != draft)
    #expect(try editors.lastDraft == him)
    #expect(try editors.drafts == 2)
  }

  @Test func `A text that a script sends again, because the answer was lost, is not another editor's work`()
    throws
  {
    let editors = try Editors()
    let pages = editors.pages
    let draft = try editors.draft()
    let form = [("do", "try"), ("document", mapping(name: "sent twice"))] + (try editors.tab(draft))
    func sent() throws -> JSONNode? {
      try JSONReader.read(try pages.send(draft, form).body).value.object?["etag"]
    }
    let first = try #require(try sent())
    #expect(try sent()?.value == first.value)
    #expect(try editors.lastDraft == mapping(name: "sent twice"))
  }

  @Test func `An empty draft becomes a mapping by the buttons of the form, without scripts`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let begun = try pages.send("/mappings", [("do", "begin"), ("version", "")])
    let draft = try #require(begun.header("location"))
    func press(_ word: String, _ fields: [(String, String)] = []) throws {
      let answer = try pages.send(draft, [("do", word)] + editors.tab(draft, view: "form") + fields)
      #expect(answer.status == 303, "\(word): \(answer.status)")
    }
    try press("edit:add $.grids")
    try press("edit:add $.grids[0].events")
    try press("edit:add $.fine", [("$.grids[0].events[0]", "purchase")])
    try press(
      "edit:add $.coarse", [("$.fine[1].events[0]", "trial"), ("$.fine[1].events[0].count.min", "2")])
    try press(
      "edit:insert $.grids[0].revenue", [("at:$.grids[0].revenue", "1"), ("$.coarse[0].lock", "high")])
    try press(
      "save",
      [("$.fine[1].active-hours.from", "0")].map {
        ($0.0.replacing(".active-hours", with: "[\"active-hours\"]"), $0.1)
      })
    try press("save", [("$.fine[1][\"active-hours\"].to", "24"), ("$.fine[0].label", "")])
    let document = try JSONReader.read(Array(editors.lastDraft.utf8)).value.object
    let grid = document?["grids"]?.value.array?.first?.value.object
    #expect(grid?["events"]?.value.array?.first?.value.string == "purchase")
    #expect(grid?["revenue"]?.value.array?.map { $0.value.number?.text } == ["1", "5", "10", "20"])
    let rule = document?["fine"]?.value.array?.last?.value.object
    // One more range moved the value behind.
    #expect(rule?["value"]?.value.number?.text == "4")
    let event = rule?["events"]?.value.array?.first?.value.object
    #expect(event?["name"]?.value.string == "trial")
    #expect(event?["count"]?.value.object?["min"]?.value.number?.text == "2")
    #expect(rule?["active-hours"]?.value.object?.members.count == 2)
    #expect(document?["fine"]?.value.array?.first?.value.object?["label"] == nil)
    let window = document?["coarse"]?.value.array?.first?.value.object
    #expect(window?["high"]?.value.object?["lock"]?.value.bool == true)
    let page = try pages.get(draft, pages.editor).text
    #expect(page.contains("0 errors"))
    // Its values have the letters of their events.
    #expect(
      page.contains("<span class=\"ev e0\">P</span>") && page.contains("<span class=\"ev e1\">T</span>"))
  }

  @Test func `A model begins a draft and replaces one, in the draft's currency`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let begun = try pages.send("/mappings", [("do", "begin"), ("version", "funnel")])
    let draft = try #require(begun.header("location"))
    #expect(try editors.lastDraft.contains("\"checkout\""))
    let form = try editors.tab(draft, view: "form") + [("$.currency", "EUR"), ("model", "retention")]
    #expect(try pages.send(draft, [("do", "model")] + form).status == 303)
    let text = try editors.lastDraft
    #expect(text.contains("\"session_start\"") && text.contains("\"EUR\"") && text.contains("\(app)"))
    let page = try pages.get(draft, pages.editor).text
    #expect(page.contains("0 errors, 0 warnings"))
    // A word that is no model changes nothing.
    let other = try editors.tab(draft, view: "form") + [("model", "perpetuum")]
    #expect(try pages.send(draft, [("do", "model")] + other).status == 303)
    #expect(try editors.lastDraft == text)
  }

  @Test func `Equal warnings are one finding with its values, and one button cures all`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let fine = (1...4).map { "{\"value\": \($0), \"events\": [\"e\($0)\"], \"lock\": true}" }
    let text = mapping().replacing(
      "\"fine\": [", with: "\"fine\": [" + fine.joined(separator: ", ") + ", "
    ).replacing("\"first-value\": 1", with: "\"first-value\": 10")
    let draft = try editors.draft(text)
    let page = try pages.get(draft, pages.editor).text
    #expect(page.contains("4 places") && page.contains("Value <bdi dir=\"ltr\">1–4</bdi>"), "\(page)")
    let button = try #require(page.split(separator: "value=\"repair-all:").dropFirst().first)
    let word = "repair-all:\(button.prefix { $0 != "\"" })"
    #expect(page.contains("Remove the lock: all 4"))
    let cured = try pages.send(draft, [("do", word)] + editors.tab(draft, view: "form"))
    #expect(cured.status == 303)
    #expect(try !editors.lastDraft.contains("lock"))
  }

  @Test func `Users that an editor imports are tried at once, and those of another app are asked about`()
    throws
  {
    let editors = try Editors()
    let pages = editors.pages
    func users(_ address: String, _ file: String) throws -> HTTPAnswer {
      let fields = [("form-token", try pages.formToken(pages.editor)), ("do", "users")]
      var body = fields.map {
        "--b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n"
      }.joined()
      body +=
        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"u.csv\"\r\n\r\n\(file)\r\n--b--\r\n"
      return try pages.post(
        address, Array(body.utf8), type: "multipart/form-data; boundary=b", cookie: pages.editor)
    }
    let draft = try editors.draft()
    let rows = (0..<200).map {
      "u\($0),2026-03-0\($0 % 9 + 1)T00:00:00Z,purchase,2026-03-0\($0 % 9 + 1)T01:00:00Z,\($0 % 20),USD\n"
    }
    let file = "user,installed,event,time,revenue,currency\n" + rows.joined()
    let sent = try users(draft, file)
    #expect(sent.status == 303 && sent.header("location")?.contains("sample=imported-\(app).csv") == true)
    // The app's own users need no choice.
    #expect(try pages.get(draft, pages.editor).text.contains("200</data> users"))
    #expect(try !pages.get("\(draft)&sample=none", pages.editor).text.contains("200</data> users"))
    let begun = try pages.send(
      "/mappings",
      [("do", "import"), ("format", "skan"), ("text", mapping().replacing("\(app)", with: "77"))])
    let other = try #require(begun.header("location"))
    let asked = try pages.get("\(other)&sample=imported-\(app).csv", pages.editor).text
    #expect(asked.contains("are of app <bdi>\(app)</bdi>") && !asked.contains("200</data> users"))
    #expect(
      try pages.get("\(other)&sample=imported-\(app).csv&any-app=true", pages.editor).text.contains(
        "200</data> users"))
    // What cannot be read is not kept.
    #expect(try users(other, "who,when\na,b\n").status == 422)
    #expect(try !pages.get(other, pages.editor).text.contains("imported-77"))
    #expect(try users(draft, "who,when\na,b\n").status == 422)
    #expect(try pages.get(draft, pages.editor).text.contains("200</data> users"))
    #expect(try pages.post(draft, [("do", "users")], cookie: pages.reader).status == 403)
  }

  @Test func `An import that fails keeps the text and shows the line`() throws {
    let editors = try Editors()
    let text = "{\n  \"name\": \"half\",\n  oops <b>\n}"
    let page = try editors.pages.send(
      "/mappings",
      [("do", "import"), ("format", "skan"), ("app", "77"), ("currency", "JPY"), ("text", text)])
    #expect(page.status == 200 && plain(page.text).contains(text))
    #expect(page.text.contains("line 3") && page.text.contains("<mark>  oops &lt;b&gt;</mark>"))
    #expect(page.text.contains("value=\"77\"") && page.text.contains("value=\"JPY\""))
    #expect(try editors.drafts == 0)
  }

  @Test func `The form view sends the text that it was made of, so that two edits never mix`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let draft = try editors.draft()
    let (hers, his) = (try editors.tab(draft, view: "form"), try editors.tab(draft, view: "form"))
    let address = "\(draft)&view=form"
    #expect(try pages.send(address, [("do", "save"), ("$.grids[0].revenue[+]", "3")] + hers).status == 303)
    let her = try editors.lastDraft
    #expect(her != mapping())
    let both = try pages.send(address, [("do", "save"), ("$.grids[0].revenue[1]", "6")] + his)
    #expect(both.status == 409)
    // Lists of different lengths are one field.
    #expect(
      plain(both.text).contains("<bdi>[1,3,5,20]</bdi>") && plain(both.text).contains("<bdi>[1,6,20]</bdi>"))
    #expect(plain(both.text).contains(mapping(edges: "1, 6, 20")))
    #expect(try editors.lastDraft == her)
  }

  @Test func `Edges that are changed, removed and added in one save are all as they were filled in`() throws {
    let editors = try Editors()
    let draft = try editors.draft()
    let edges = [("0", "2"), ("1", ""), ("+", "30")].map { ("$.grids[0].revenue[\($0.0)]", $0.1) }
    let saved = try editors.pages.send(
      "\(draft)&view=form", [("do", "save")] + editors.tab(draft, view: "form") + edges)
    #expect(saved.status == 303)
    let document = try JSONReader.read(Array(editors.lastDraft.utf8)).value.object
    let grid = document?["grids"]?.value.array?.first?.value.object
    #expect(grid?["revenue"]?.value.array?.map { $0.value.number?.text } == ["2", "20", "30"])
  }

  @Test func `A draft is saved with every letter as it was, also those that pages show in another way`()
    throws
  {
    let editors = try Editors()
    let odd = mapping(
      name: "5 % \u{202E}of\u{200D} 'them' & \u{1F469}\u{200D}\u{1F467}", label: "10 %\u{200B}")
    let draft = try editors.draft(odd)
    #expect(try editors.lastDraft == odd)
    let page = try editors.pages.get("\(draft)&view=json", editors.pages.editor).text
    let area = try #require(page.firstRange(of: "<textarea id=\"src\""))
    let text = page[area.upperBound...].drop { $0 != ">" }.dropFirst(2).prefix { $0 != "<" }
    #expect(plain(String(text)) == odd)
    let form = try editors.tab(draft, view: "form")
    let label = try #require(
      try editors.pages.get("\(draft)&view=form", editors.pages.editor).text.split(
        separator: "name=\"$.fine[0].label\" type=\"text\" value=\""
      ).dropFirst().first?.prefix { $0 != "\"" })
    let saved = try editors.pages.send(
      "\(draft)&view=form", [("do", "save"), ("$.fine[0].label", plain(String(label)))] + form)
    #expect(saved.status == 303)
    #expect(try editors.lastDraft == odd)
  }

  @Test func `A draft that another author has saved since is not discarded`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let draft = try editors.draft()
    let old = try editors.tab(draft)
    #expect(try editors.save(draft, [("document", mapping(name: "newer"))]).status == 303)
    let kept = try pages.send(draft, [("do", "discard")] + old)
    #expect(kept.status == 409 && kept.text.contains("saved this draft meanwhile"))
    let number = String(draft.split(separator: "=").last ?? "")
    let listed = try pages.send("/mappings", [("do", "discard"), ("draft", number)] + old)
    #expect(listed.status == 409 && listed.text.contains("saved this draft meanwhile"))
    #expect(try editors.drafts == 1)
    #expect(try pages.send(draft, [("do", "discard")] + editors.tab(draft)).status == 303)
    #expect(try editors.drafts == 0)
  }

  @Test func `Of two who publish at once the second is led to the other version, and publishes after that`()
    throws
  {
    let editors = try Editors()
    let pages = editors.pages
    let (her, him) = (mapping(name: "hers", edges: "1, 7"), mapping(name: "his", edges: "2, 9"))
    let (hers, his) = (try editors.draft(her), try editors.draft(him))
    #expect(try editors.publish(hers, on: "2026-05-01").status == 303)
    let both = try editors.publish(his, on: "2026-05-02")
    #expect(both.status == 409)
    #expect(both.text.contains("Another version was published meanwhile"))
    let differences = try #require(both.text.firstRange(of: "new=2&amp;old=1#h-differences"))
    let boxes = try #require(both.text.firstRange(of: "class=\"stages\""))
    #expect(differences.lowerBound < boxes.lowerBound)
    #expect(try editors.versions == 2)
    #expect(try editors.drafts == 1)
    let seen = try pages.send(
      his,
      [
        ("do", "save"), ("etag", try pages.value("etag", in: both.text)),
        ("state", try pages.value("state", in: both.text)),
        ("next", plain(try pages.value("next", in: both.text))),
      ])
    #expect(seen.status == 303 && seen.header("location")?.hasPrefix("/mappings/publish?") == true)
    #expect(try editors.publish(his, on: "2026-05-02").header("location")?.contains("published=3") == true)
    #expect(try editors.versions == 3)
    #expect(try editors.drafts == 0)
  }

  @Test func `A version is published only as it was reviewed, and never over another`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let draft = try editors.draft(mapping(name: "second", edges: "1, 7"))
    let review = draft.replacing("/mappings/editor", with: "/mappings/publish") + "&from=2026-05-01"
    let page = try pages.get(review, pages.editor).text
    let etag = ("etag", try pages.value("etag", in: page))
    func publish(_ fields: [(String, String)]) throws -> HTTPAnswer {
      try pages.send(review, [etag] + fields)
    }
    let date = ("effective-from", "2026-05-01")
    let acks = acknowledgements(page)
    #expect(acks.contains { $0.1 == "changed" } && acks.contains { $0.1 == "past" })
    let all = acks
    #expect(try publish(all + [date]).text.contains("Read what changes again"))
    #expect(try publish(all + [date, ("reviewed", "2026-05-02")]).text.contains("Read what changes again"))
    let reviewed = [date, ("reviewed", "2026-05-01")]
    for left in all.indices {
      var some = all
      some.remove(at: left)
      #expect(try publish(reviewed + some).text.contains("Check the box of each warning"), "\(all[left])")
    }
    #expect(try editors.versions == 1)
    #expect(try editors.publish(draft, on: "2026-01-01").text.contains("Version 1 begins on"))
    // An author who saves the draft after the review sends the reviewer back to it.
    #expect(try editors.save(draft, [("document", mapping(name: "third", edges: "1, 8"))]).status == 303)
    #expect(try publish(reviewed + all).text.contains("Read what changes again"))
    #expect(try editors.versions == 1)
    #expect(try editors.publish(draft, on: "2026-05-01").status == 303)
    #expect(try editors.versions == 2)
  }

  @Test func `A draft that is too large is rejected in a sentence, and the saved one stays`() throws {
    let editors = try Editors()
    let pages = editors.pages
    let draft = try editors.draft()
    let before = try editors.lastDraft
    let long = mapping(label: String(repeating: "a", count: 600 << 10))
    let page = try editors.save(draft, [("document", long)])
    #expect(page.status == 413 && page.text.contains("the maximum is 524288"))
    let tried = try pages.send(draft, [("do", "try"), ("document", long)] + editors.tab(draft))
    #expect(tried.status == 200 && tried.text.contains("the maximum is 524288"))
    #expect(try pages.send(draft, [("do", "copy"), ("document", long)]).status == 413)
    let imported = try pages.send("/mappings", [("do", "import"), ("format", "skan"), ("text", long)])
    #expect(imported.text.contains("the maximum is 524288"))
    #expect(try editors.drafts == 1)
    #expect(try editors.lastDraft == before)
    let other = try PagesFixture()
    for app in ["", "-1", "99999999999999999999", "x"] {
      let page = try other.send("/mappings", [("do", "begin"), ("app", app)])
      #expect(page.status == 200 && page.text.contains("an app is needed"), "\(app)")
    }
  }

  @Test func `A name of a sample, a format or a next page never leads out of its folder or site`() throws {
    let editors = try Editors { folder in
      let samples = folder.file("samples")
      try FileManager.default.createDirectory(atPath: samples, withIntermediateDirectories: true)
      let row = "user,installed,event,time\nsecret-user,2026-01-01T00:00:00Z,open,2026-01-01T00:00:00Z\n"
      _ = try folder.write(row, to: "outside.csv")
      try FileManager.default.createSymbolicLink(
        atPath: "\(samples)/folder.csv", withDestinationPath: "/etc")
      return ["--samples", samples]
    }
    let pages = editors.pages
    let draft = try editors.draft()
    for name in ["../outside.csv", "..%2Foutside.csv", "/etc/passwd", ".", "%2e%2e", "folder.csv%00", "%00"] {
      for address in ["\(draft)&sample=\(name)", "/mappings/compare?sample=\(name)"] {
        let page = try pages.get(address, pages.editor)
        #expect([200, 400].contains(page.status), "\(address): \(page.status)")
        #expect(!page.text.contains("id=\"verdict\"") && !page.text.contains("root:"), "\(address)")
      }
    }
    for format in ["../skan", "skan%00", "/etc/passwd"] {
      let page = try pages.get("/mappings?export=\(format)&version=1", pages.editor)
      #expect(page.status == 200 && page.header("content-disposition") == nil, "\(format)")
    }
    for next in ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"] {
      let saved = try editors.save(draft, [("document", mapping()), ("next", next)])
      #expect(saved.status == 303)
      #expect(saved.header("location")?.hasPrefix("/mappings/editor?draft=") == true, "\(next)")
    }
  }

  @Test func `An events file that cannot be read is named on the page, with its line and the cure`() throws {
    let editors = try Editors { folder in
      let samples = folder.file("samples")
      try FileManager.default.createDirectory(atPath: samples, withIntermediateDirectories: true)
      for (name, text) in [("columns.csv", "who,when\na,b\n"), ("half.csv.gz", "\u{1f}\u{8b}\u{8}no gzip")] {
        try Data(text.utf8).write(to: URL(filePath: "\(samples)/\(name)"))
      }
      return ["--samples", samples]
    }
    let pages = editors.pages
    let draft = try editors.draft()
    for (name, reason) in [("columns.csv", "columns.csv:1: "), ("half.csv.gz", "half.csv.gz")] {
      for address in ["\(draft)&sample=\(name)", "/mappings/compare?sample=\(name)"] {
        let page = try pages.get(address, pages.editor)
        #expect(page.status == 422, "\(address): \(page.status)")
        #expect(page.text.contains(reason) && page.text.contains("A file cannot be used"), "\(address)")
      }
    }
  }

  @Test func `A published version is a new file in the folder of mappings, whatever its name is`() throws {
    var mappings = ""
    let editors = try Editors { folder in
      mappings = folder.file("mappings")
      try FileManager.default.createDirectory(atPath: mappings, withIntermediateDirectories: true)
      try Data(mapping().utf8).write(to: URL(filePath: "\(mappings)/first.json"))
      return ["--mappings", mappings]
    }
    let draft = try editors.draft(mapping(name: "../../../etc/cron.d/evil", edges: "1, 7"))
    #expect(try editors.publish(draft, on: "2026-05-01").status == 303)
    let files = try FileManager.default.contentsOfDirectory(atPath: mappings).sorted()
    #expect(files == ["\(app)-2026-05-01.json", "first.json"])
    #expect(
      try String(contentsOfFile: "\(mappings)/first.json", encoding: .utf8) == mapping())
  }

  @Test func `An import shows what was lost or assumed, and leads to its draft`() throws {
    let pages = try PagesFixture()
    let table = """
      cv,custom_event_name,min_range,max_range,currency
      1,sign_up,,,
      2,purchase,0.01,5.00,USD
      3,purchase,5.00,20.00,USD

      """
    let page = try pages.send(
      "/mappings",
      [
        ("do", "import"), ("format", "tenjin"), ("app", "\(app)"), ("currency", "USD"),
        ("date", "2026-12-01"),
        ("text", table),
      ])
    #expect(page.status == 200 && page.text.contains("Import finished"))
    #expect(page.text.contains("href=\"/mappings/editor?draft=1\""))
    let draft = try pages.get("/mappings/editor?draft=1", pages.editor)
    #expect(draft.text.contains("Imported mapping"))
  }
}
