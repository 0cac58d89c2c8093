import Foundation
import TestSupport
import Testing

/// A daemon with pages, and signed-in viewers of both roles.
final class PagesFixture {
  let folder: TemporaryFolder
  let daemon: Daemon
  let readerToken: String
  let editorToken: String
  private(set) var reader = ""
  private(set) var editor = ""
  var database: String { folder.file("skan.db") }

  /// Starts one whose database was prepared, with further options of `skan serve`.
  init(_ options: [String] = [], prepared: (String) throws -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    func token(_ kind: String, _ name: String) throws -> String {
      try Subprocess.run("skan", ["token", "create", "-d", database, kind, name]).output
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    readerToken = try token("--reader", "anna")
    editorToken = try token("--editor", "ben")
    try prepared(database)
    daemon = try Daemon(database, ["--pages", "127.0.0.1:0"] + options)
    reader = try signIn(readerToken)
    editor = try signIn(editorToken)
  }

  private var host: (String, String) { ("Host", "127.0.0.1:\(daemon.pagesPort)") }

  func get(_ path: String, _ cookie: String, _ headers: [(String, String)] = []) throws -> HTTPAnswer {
    try HTTPClient(port: daemon.pagesPort).request(
      "GET", path, headers: [host, ("Cookie", cookie)] + headers, body: [])
  }

  func post(
    _ path: String, _ body: [UInt8], type: String, cookie: String, origin: String? = nil
  ) throws -> HTTPAnswer {
    try HTTPClient(port: daemon.pagesPort).request(
      "POST", path,
      headers: [
        host, ("Cookie", cookie), ("Origin", origin ?? "http://127.0.0.1:\(daemon.pagesPort)"),
        ("Content-Type", type),
      ], body: body)
  }

  func post(
    _ path: String, _ fields: [(String, String)], cookie: String, origin: String? = nil
  ) throws -> HTTPAnswer {
    let letters = CharacterSet.alphanumerics
    let form = try fields.map { name, value in
      try [name, value].map { try #require($0.addingPercentEncoding(withAllowedCharacters: letters)) }
        .joined(separator: "=")
    }
    return try post(
      path, Array(form.joined(separator: "&").utf8), type: "application/x-www-form-urlencoded",
      cookie: cookie,
      origin: origin)
  }

  /// Sends a file as a browser does.
  func upload(
    _ kind: String, _ file: String, named name: String = "november.csv", fields: [(String, String)] = [],
    cookie: String, formToken: String? = nil
  ) throws -> HTTPAnswer {
    let mark = "----skanBoundary7MA4YWxk"
    var body = ""
    for (field, value) in [("form-token", try formToken ?? self.formToken(cookie)), ("do", "preview")]
      + fields
    {
      body += "--\(mark)\r\nContent-Disposition: form-data; name=\"\(field)\"\r\n\r\n\(value)\r\n"
    }
    body += "--\(mark)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
    body += "Content-Type: text/csv\r\n\r\n\(file)\r\n--\(mark)--\r\n"
    return try post(
      "/data/\(kind)", Array(body.utf8), type: "multipart/form-data; boundary=\(mark)", cookie: cookie)
  }

  /// Sends a file, and confirms it with the content of the preview.
  func importing(_ kind: String, _ file: String, fields: [(String, String)] = []) throws -> HTTPAnswer {
    let preview = try preview(kind, file, fields: fields)
    return try post(
      "/data/\(kind)",
      [
        ("form-token", try formToken(editor)), ("do", "import"),
        ("upload", try value("upload", in: preview.text)),
        ("expected", try value("expected", in: preview.text)),
      ], cookie: editor)
  }

  func preview(
    _ kind: String, _ file: String, named name: String = "november.csv", fields: [(String, String)] = []
  ) throws -> HTTPAnswer {
    let sent = try upload(kind, file, named: name, fields: fields, cookie: editor)
    #expect(sent.status == 303)
    return try get(try #require(sent.header("location")), editor)
  }

  /// Sends a form of a page, with the token of the session.
  func send(_ path: String, _ fields: [(String, String)], cookie: String? = nil) throws -> HTTPAnswer {
    let cookie = cookie ?? editor
    return try post(path, [("form-token", try formToken(cookie))] + fields, cookie: cookie)
  }

  /// The addresses of all screens of the navigation.
  func screens(_ cookie: String) throws -> [String] {
    let page = try get("/", cookie).text
    let start = try #require(page.firstRange(of: "<nav class=\"nav\""))
    let rest = page[start.upperBound...]
    let end = try #require(rest.firstRange(of: "</nav>"))
    return rest[..<end.lowerBound].split(separator: "href=\"").dropFirst().map {
      String($0.prefix { $0 != "\"" && $0 != "?" })
    }
  }

  /// What the form of a page has in a hidden field.
  func value(_ field: String, in page: String) throws -> String {
    let place = try #require(page.firstRange(of: "name=\"\(field)\" value=\""), "\(field)")
    return String(page[place.upperBound...].prefix { $0 != "\"" })
  }

  func formToken(_ cookie: String) throws -> String { try value("form-token", in: get("/", cookie).text) }

  func signIn(_ token: String) throws -> String {
    let answer = try post("/sign-in", [("token", token)], cookie: "none=1")
    return String(try #require(answer.header("set-cookie")).prefix { $0 != ";" })
  }
}

/// What an attacker writes into a name, a label, a body or an address to run script in the browser of others.
let script = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'\" onfocus=\"alert(1)"

extension HTTPAnswer {
  /// Whether a page has ``script`` as markup rather than as text.
  var hasForeignScript: Bool {
    ["<script>alert", "<img src=x", "\" onfocus="].contains { text.contains($0) }
  }

  /// Whether a page shows ``script`` as text.
  var showsForeignScript: Bool { text.contains("&lt;script&gt;alert(1)") }
}
