import Foundation
import HTTPServer
import Ledger
import PostbackFixtures
@testable import Pulls
import System
import TestSupport
import Testing
import Values

struct `A pull that asks its source` {
  private static let row = #"{"day":"2026-11-01","name":"5239","cost":1}"#

  @Test func `A pull that asks its source follows the addresses of next pages`() throws {
    let base = Guarded("")
    let source = try TestSource { asked, number in
      let next = number < 3 ? #","paging":{"next":"\#(base.withLock { $0 })/rows?page=\#(number + 1)"}"# : ""
      return json(#"{"data":[{"day":"2026-11-0\#(number)","name":"5239","cost":1}]\#(next)}"#)
    }
    base.withLock { $0 = source.base }
    let found = try pull(document(source.base, #","rows":"data","pages":{"next":"paging.next"}"#)).rows()
    #expect(found.rows.count == 3 && found.requests == 3)
    #expect(
      source.asked.map(\.query) == [["a": "2026-11-01", "b": "2026-11-03"], ["page": "2"], ["page": "3"]])
  }

  @Test func `A pull that asks its source hands cursors on until there is none`() throws {
    let source = try TestSource { asked, number in
      json(#"{"r":{"rows":[\#(Self.row)]},"after":\#(number < 3 ? #""c/\#(number)""# : "null")}"#)
    }
    let text = document(
      source.base, path: "/rows?after={cursor}", #","rows":"r.rows","pages":{"cursor":"after"}"#)
    #expect(try pull(text).rows().rows.count == 3)
    #expect(source.asked.map { $0.query["after"] } == ["", "c/1", "c/2"])
  }

  @Test func `A pull that asks its source counts pages until one is empty or the last`() throws {
    let source = try TestSource { asked, number in
      json(number < 3 ? #"[\#(Self.row),{"day":"2026-11-02","name":"\#(number)","cost":1}]"# : "[]")
    }
    let pages = #","pages":{"number-from":0,"step":2}"#
    #expect(try pull(document(source.base, path: "/rows?offset={page}", pages)).rows().rows.count == 4)
    #expect(source.asked.map { $0.query["offset"] } == ["0", "2", "4"])
    let counted = try TestSource { _, number in json(#"{"rows":[\#(Self.row)],"page":\#(number),"pages":2}"#)
    }
    let text = document(
      counted.base, path: "/rows?page={page}",
      #","rows":"rows","pages":{"number-from":1,"count":"pages"}"#)
    #expect(try pull(text).rows().rows.count == 2)
    #expect(counted.asked.map { $0.query["page"] } == ["1", "2"])
  }

  @Test func `A pull that asks its source joins tables with one header and rejects another`() throws {
    let source = try TestSource { asked, number in
      switch asked.query["a"] {
      case "2026-11-01": json("day,name,cost\r\n2026-11-01,5239,1\r\n")
      case "2026-11-02": json("day,name,cost\n2026-11-02,5239,2")
      default: json("day,cost,name\n2026-11-03,3,5239\n")
      }
    }
    let text = document(source.base, #","days":{"at-once":1}"#)
    let found = try pull(text).rows(day("2026-11-01")..<day("2026-11-03"))
    #expect(found.rows.count == 2)
    #expect(
      try found.rows.text()
        == "day,name,cost\n2026-11-01,5239,1\r\n2026-11-02,5239,2\n")
    let failed = try #require(try pull(text).failure())
    #expect(failed.code == .unexpected && failed.message.contains("has another header"))
  }

  @Test func `A pull that asks its source waits as long as it is asked to and longer after each failure`()
    throws
  {
    let source = try TestSource { asked, number in
      switch number {
      case 1: json("slow down", status: 429, headers: [.init("Retry-After", "17")])
      case 2: json("busy", status: 503)
      case 3: json("broken", status: 500)
      default: json("[\(Self.row)]")
      }
    }
    let wait = TestWait()
    #expect(try pull(document(source.base)).rows(novemberDays, wait).rows.count == 1)
    #expect(wait.seconds == [17, 4, 8])
    #expect(wait.noted.count == 3 && wait.noted[0].contains("the source answered 429; trying again in 17 s"))
  }

  @Test func `A pull that asks its source gives up in the end and where it is to wait too long`() throws {
    let source = try TestSource { asked, _ in json("busy", status: 503) }
    let wait = TestWait()
    let failed = try #require(try pull(document(source.base)).failure(novemberDays, wait))
    #expect(failed.code == .unavailable && failed.exitCode == .unavailable)
    #expect(failed.message.contains("the pull 'test', page 1, \(source.base)/rows: the source answered 503"))
    #expect(wait.seconds == [2, 4, 8, 16, 32])
    let patient = try TestSource { asked, _ in
      json("", status: 429, headers: [.init("Retry-After", "5000")])
    }
    let limited = try #require(try pull(document(patient.base)).failure())
    #expect(limited.code == .limited && limited.message.contains("wait 5000 s; the pull waits 600 s at most"))
    #expect(patient.asked.count == 1)
    let nobody = try #require(try pull(document("http://127.0.0.1:1")).failure(novemberDays, wait))
    #expect(nobody.code == .unavailable && nobody.message.contains("not-connected"))
  }

  @Test func `A pull that asks its source pauses between requests, and ends where the program does`() throws {
    let source = try TestSource { asked, _ in
      let page = Int(asked.query["c"] ?? "") ?? 1
      let next = page < 3 ? #""\#(page + 1)""# : "null"
      return json(#"{"data":[{"day":"2026-11-01","name":"\#(page)","cost":1}],"next":\#(next)}"#)
    }
    let text = document(
      source.base, path: "/rows?c={cursor}",
      #","rows":"data","pages":{"cursor":"next"},"limits":{"pause-milliseconds":250}"#)
    let wait = TestWait()
    #expect(try pull(text).rows(novemberDays, wait).rows.count == 3)
    #expect(wait.seconds == [0.25, 0.25])
    let stopped = try #require(try pull(text).failure(novemberDays, TestWait(stoppedAfter: 0)))
    #expect(stopped.code == .stopped && stopped.exitCode == .interrupted)
    #expect(source.asked.count == 4)
  }

  @Test func `A pull that asks its source waits for an ordered report no longer than its document states`()
    throws
  {
    let source = try TestSource { asked, _ in
      json(asked.path == "/order" ? #"{"id":"7"}"# : #"{"state":"queued"}"#)
    }
    let report =
      #","report":{"order":{"url":"\#(source.base)/order","json":{"a":"{from}","b":"{to}"}},"id":"id","#
      + #""status":{"url":"\#(source.base)/{id}"},"state":"state","done":["completed"],"failed":["failed"]},"#
      + #""limits":{"report-seconds":5}"#
    let wait = TestWait()
    let late = try #require(
      try pull(document(source.base, path: "/data/{id}", report)).failure(novemberDays, wait))
    #expect(late.code == .unavailable && late.message.contains("for its report, which is 'queued'"))
    #expect(wait.seconds.reduce(0, +) >= 5 && source.asked.allSatisfy { !$0.path.hasPrefix("/data") })
  }

  @Test func `A pull that asks its source takes no longer than its document states`() throws {
    let source = try TestSource { _, _ in json("", status: 429, headers: [.init("Retry-After", "3")]) }
    let wait = TestWait()
    let late = try #require(
      try pull(document(source.base, #","limits":{"run-seconds":5}"#)).failure(novemberDays, wait))
    #expect(late.code == .limited && late.message.contains("takes more than 5 s"), "\(late.message)")
    #expect(wait.seconds == [3] && late.remedy?.contains("run-seconds") == true)
  }

  @Test(arguments: [
    (#"{"a":{"rows":[{"day":"2026-11-01","name":"x","cost":1}]},"rows":{"n":1}}"#, "'rows' that is no array"),
    (#"{"data":[]}"#, "has no 'rows'"), (#"{"rows":[{"day":1},]}"#, "row 2 is missing beside a comma"),
    (#"{"rows":[{"day":1}"#, "is not JSON"),
    (#"{"rows":[{"day":1}, 7]}"#, "a row that is no object, the number 2"),
    (#"{"rows":[{"day":1},{"day":}]}"#, "is not JSON in row 2"), ("<html>", "is not JSON"),
  ])
  func `A pull that asks its source names what is wrong with an answer`(text: String, words: String) throws {
    let source = try TestSource { _, _ in json(text) }
    let failed = try #require(try pull(document(source.base, #","rows":"rows""#)).failure())
    #expect(failed.code == .unexpected && failed.message.contains(words), "\(failed.message)")
  }

  @Test func `A pull that asks its source finds rows behind anything, and reads on behind them`() throws {
    let long = String(repeating: "x", count: 200_000)
    let source = try TestSource { asked, number in
      let next = number < 3 ? "\"c\(number)\"" : "null"
      let row = "{\"day\":\"2026-11-01\",\"name\":\"\(number)\",\n\"cost\":1}"
      return json(#"{"about":{"rows":[1,2],"text":"\#(long)"},"r":{"rows":[\#(row)]},"next":\#(next)}"#)
    }
    let text = document(
      source.base, path: "/rows?after={cursor}", #","rows":"r.rows","pages":{"cursor":"next"}"#)
    let found = try pull(text).rows()
    #expect(found.rows.count == 3 && source.asked.map { $0.query["after"] } == ["", "c1", "c2"])
    #expect(
      try found.rows.text().split(separator: "\n").first
        == #"{"day":"2026-11-01","name":"1", "cost":1}"#)
  }

  @Test(arguments: [(400, PullError.Code.rejected), (403, .denied), (401, .denied), (404, .rejected)])
  func `A pull that asks its source does not repeat a request that the source rejects`(
    status: Int, code: PullError.Code
  ) throws {
    let source = try TestSource { _, _ in json(#"{"error":"no such column"}"#, status: status) }
    let failed = try #require(try pull(document(source.base)).failure())
    #expect(failed.code == code && source.asked.count == 1)
  }

  @Test func `A pull that asks its source follows no redirect and no page to another host`() throws {
    let other = try TestSource { _, _ in json("[\(Self.row)]") }
    let source = try TestSource { [base = other.base] asked, _ in
      asked.path == "/moved"
        ? json("", status: 302, headers: [.init("Location", "\(base)/rows?secret=1")])
        : json(#"{"data":[\#(Self.row)],"next":"\#(base)/rows"}"#)
    }
    let environment = ["KEY": "geheim-123"]
    func text(_ path: String, _ others: String) -> String {
      document(source.base, path: path, others).replacing(
        #""},"profile""#, with: #"","headers":{"Authorization":"Bearer ${env:KEY}"}},"profile""#)
    }
    let moved = try #require(try pull(text("/moved", "")).failure(environment: environment))
    #expect(
      moved.code == .redirected && moved.message.contains(other.base) && !moved.message.contains("secret"))
    let turned = try #require(
      try pull(text("/rows", #","rows":"data","pages":{"next":"next"}"#)).failure(environment: environment))
    #expect(turned.code == .unexpected && turned.message.contains("next page at another host"))
    #expect(other.asked.isEmpty)
    #expect(source.asked.allSatisfy { $0.authorization == "Bearer geheim-123" })
  }

  @Test func `A pull that asks its source ends at its limits of pages and bytes, and where pages go round`()
    throws
  {
    let source = try TestSource { _, number in json(#"{"data":[\#(Self.row)],"cursor":"\#(number)"}"#) }
    func text(_ limits: String) -> String {
      document(
        source.base, path: "/rows?c={cursor}",
        #","rows":"data","pages":{"cursor":"cursor"},"limits":{\#(limits)}"#)
    }
    let pages = try #require(try pull(text(#""pages":3"#)).failure())
    #expect(pages.code == .tooMuch && pages.message.contains("more than 3 pages"))
    let round = try TestSource { _, _ in json(#"{"data":[\#(Self.row)],"cursor":"same"}"#) }
    let again = try #require(
      try pull(
        document(round.base, path: "/rows?c={cursor}", #","rows":"data","pages":{"cursor":"cursor"}"#)
      ).failure())
    #expect(again.code == .unexpected && again.message.contains("names a page that was read before"))
    let deaf = try TestSource { _, _ in json("[\(Self.row)]") }
    let same = try #require(
      try pull(document(deaf.base, path: "/rows?p={page}", #","pages":{"number-from":1}"#)).failure())
    #expect(same.code == .unexpected && same.message.contains("page 2"))
    #expect(same.message.contains("is that of a page before"))
    let long = try TestSource { _, _ in
      Response(status: 200, body: [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20))
    }
    let bytes = try #require(
      try pull(document(long.base, #","limits":{"megabytes":1}"#)).failure())
    #expect(bytes.code == .tooMuch && bytes.message.contains("longer than 1048576 bytes"))
  }

  @Test func `A pull that asks its source gets tokens by OAuth and a new one when the first is over`() throws
  {
    let source = try TestSource { asked, number in
      if asked.path == "/token" { return json(#"{"access_token":"token-\#(number)","expires_in":3600}"#) }
      return asked.authorization == "Bearer token-3" ? json("[\(Self.row)]") : json("", status: 401)
    }
    let oauth =
      #","oauth":{"url":"\#(source.base)/token","client-id":"me","client-secret":"${env:SECRET}","refresh-token":"${env:REFRESH}"}"#
    let found = try pull(document(source.base, oauth)).rows(
      environment: ["SECRET": "a&b", "REFRESH": "r/1"])
    #expect(found.rows.count == 1)
    #expect(source.asked.map(\.path) == ["/token", "/rows", "/token", "/rows"])
    #expect(
      source.asked.first?.body
        == "grant_type=refresh_token&client_id=me&client_secret=a%26b&refresh_token=r%2F1")
  }

  @Test func `A pull that asks its source never shows a secret, whatever the source answers`() throws {
    let secret = "Zk9/+ geheim\"ü"
    let shown = PullShown()
    // A source that repeats everything that it gets, in its answers and addresses.
    let source = try TestSource { asked, number in
      let all =
        "\(asked.authorization ?? "") \(asked.query) \(asked.body) \(secret) "
        + (secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
      if asked.path == "/token" { return json(#"{"access_token":"token-secret"}"#) }
      switch asked.query["kind"] {
      case "400": return json(all, status: 400)
      case "403": return json(all, status: 403)
      case "503": return json(all, status: 503)
      case "404": return json(#"{"key":"Zk9\/+ geheim"}"#, status: 404)
      case "302":
        return json(
          "", status: 302,
          headers: [.init("Location", "https://else.example/?\(asked.body.count)&s=token-secret")])
      case "rows": return json(#"{"dat":"token-secret"}"#)
      default: return json(all)
      }
    }
    for kind in ["400", "403", "404", "503", "302", "rows", "text"] {
      let text =
        #"{"pull":"test","oauth":{"url":"\#(source.base)/token","client-id":"me","client-secret":"${env:SECRET}","refresh-token":"${env:SECRET}"},"#
        + #""request":{"url":"\#(source.base)/rows?kind=\#(kind)&key=${env:SECRET}","headers":{"Authorization":"Bearer {token}"},"json":{"key":"${env:SECRET}"}},"#
        + #""rows":"data","profile":"file:unity","set":{"currency":"USD"}}"#
      let wait = TestWait()
      let failed = try #require(try pull(text).failure(novemberDays, wait, environment: ["SECRET": secret]))
      shown.add([failed.message, failed.remedy ?? ""] + wait.noted)
    }
    #expect(source.asked.contains { $0.query["key"] == secret && $0.body.contains("geheim") })
    #expect(!shown.text.isEmpty)
    for part in ["geheim", "Zk9", "token-secret"] {
      #expect(!shown.text.contains(part), "\(shown.text)")
    }
  }

  /// The forms in which a source can repeat `Zk9&geheim"7`.
  @Test(arguments: [
    "Zk9%26geheim%227", "%5Ak9%26%67eheim%227", "%255Ak9%2526%2567eheim%25227", "Wms5JmdlaGVpbSI3",
    "bWU6Wms5JmdlaGVpbSI3", "eFprOSZnZWhlaW0iNw", "5a6b392667656865696d2237",
    #"\u005Ak9\u0026\u0067eheim\u00227"#, "Zk9&amp;geheim&quot;7",
    "&#90;&#107;&#57;&#38;&#103;&#101;&#104;&#101;&#105;&#109;&#34;&#55;",
    "&#x5A;&#x6b;9&#x26;&#x67;eheim&#x22;7",
  ])
  func `A pull that asks its source shows no secret in any form that the source answers it in`(form: String)
    throws
  {
    let shown = PullShown()
    let source = try TestSource { asked, _ in
      let text = "said \(form) again"
      if asked.path == "/token" { return json(#"{"access_token":"token-from-source"}"#) }
      switch asked.query["kind"] {
      case "status": return json(text, status: 400)
      case "value":
        let cell = form.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return json(#"[{"day":"\#(cell)","name":"a","cost":1}]"#)
      case "token": return json(#"[{"day":"token-from-source","name":"a","cost":1}]"#)
      default: return json(text)
      }
    }
    for kind in ["status", "value", "token", "text"] {
      let text = document(
        source.base, path: "/rows?kind=\(kind)&key=${env:SECRET}",
        #","oauth":{"url":"\#(source.base)/token","client-id":"me","client-secret":"${env:SECRET}","refresh-token":"${env:SECRET}"}"#
      )
      let wait = TestWait()
      let folder = try TemporaryFolder()
      do {
        let rows = try pull(text).rows(novemberDays, wait, environment: ["SECRET": "Zk9&geheim\"7"])
        _ = try rows.store(in: LedgerFile(path: folder.file("skan.db")), now: noon)
      } catch let error as PullError {
        shown.add([error.message, error.remedy ?? ""] + wait.noted)
      }
    }
    #expect(shown.text.split(separator: "\n").count >= 4, "\(shown.text)")
    for part in [form, "token-from-source"] { #expect(!shown.text.contains(part), "\(shown.text)") }
  }

  @Test func `A pull that asks its source shows what is wrong with a request, without the secret in it`()
    throws
  {
    let source = try TestSource { _, _ in json("the key a1-b2 is  old\n", status: 400) }
    let failed = try #require(
      try pull(document(source.base, path: "/rows?key=${env:KEY}")).failure(environment: ["KEY": "a1-b2"]))
    #expect(
      failed.message.hasSuffix("/rows: the source answered 400: the key *** is old"), "\(failed.message)")
  }

  @Test func `A pull that asks its source names a secret that is not there, by its name alone`() throws {
    let text = document("https://a.example", path: "/${env:MISSING}")
    #expect {
      _ = try pull(text).rows()
    } throws: { error in
      let error = error as? CommandError
      return error?.exitCode == .usage
        && error?.message.contains("the environment variable MISSING is not set") == true
    }
    let folder = try TemporaryFolder()
    try folder.write("word\nsecond line\n", to: "key")
    let read = try pull(document("https://a.example", path: "/${file:key}"))
    let secrets = try PullSecrets(of: read, beside: folder.file("p.json"), environment: [:])
    #expect(secrets.value(of: .file("key")) == "word")
  }
}

/// What people would see.
final class PullShown {
  private(set) var text = ""

  func add(_ lines: [String]) { text += lines.joined(separator: "\n") + "\n" }
}
