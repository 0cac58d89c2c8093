import Foundation
import JSONText
import Pulls
import Testing
import Values

struct `A pull document` {
  private static let base = "https://ads.example"

  private func mistake(_ text: String) -> String? {
    do throws(JSONFileError) {
      _ = try Pull(Array(text.utf8), named: "p.json")
      return nil
    } catch {
      return "\(error) \(error.remedy ?? "")"
    }
  }

  private func rest(_ members: String) -> String {
    #"{"pull":"p","request":{"url":"https://a.example/"},"postbacks":{"export":"adjust-raw"}\#(members)}"#
  }

  private func request(_ members: String, _ others: String = "") -> String {
    #"{"pull":"p","request":{\#(members)},"postbacks":{"export":"adjust-raw"}\#(others)}"#
  }

  @Test(arguments: [
    (#"{"request":{"url":"https://a.example/"},"postbacks":{"export":"adjust-raw"}}"#, #"needs a "pull""#),
    (
      #"{"pull":"a b","request":{"url":"https://a.example/"},"postbacks":{"export":"adjust-raw"}}"#,
      "$.pull may have only letters"
    ),
    (#"{"pull":"p","request":{"url":"https://a.example/"}}"#, #"needs a "profile""#),
    (
      #"{"pull":"p","request":{"url":"https://a.example/"},"postbacks":{}}"#, #"needs a "received-at-member""#
    ),
    (
      #"{"pull":"p","request":{"url":"https://a.example/"},"postbacks":{"export":"adjust-raw"},"profil":"x"}"#,
      #"did you mean "profile"?"#
    ),
    (
      #"{"pull":"p","request":{"url":"https://a.example/"},"postbacks":{"export":"adjust-raw"},"profile":"file:unity"}"#,
      #"$.profile is of rows; the document has "postbacks""#
    ),
    (
      #"{"pull":"p","request":{"url":"https://a.example/"},"profile":"singer:facebook"}"#,
      "$.profile is a profile of a stream"
    ),
    (
      #"{"pull":"p","request":{"url":"https://a.example/"},"profile":"file:unty"}"#,
      #"Did you mean "file:unity"?"#
    ),
    (
      #"{"pull":"p","request":{"url":"https://a.example/"},"profile":"file:unity","set":{"curency":"USD"}}"#,
      "$.set cannot be used: there is no column 'curency'"
    ),
  ])
  func `A pull document without a name or a content that can be used is rejected at its place`(
    text: String, words: String
  ) throws {
    let found = try #require(mistake(text))
    #expect(found.hasPrefix("p.json:1:") && found.contains(words), "\(found)")
  }

  @Test(arguments: [
    (#""pages":{"next":"a"}"#, #"needs a "rows""#), (#""pages":{}"#, "$.pages needs one of"),
    (#""pages":{"number-from":1}"#, "has no {page}"),
    (#""pages":{"cursor":"c"},"rows":"r""#, "has no {cursor}"),
    (#""pages":{"number-from":-1}"#, #"$.pages["number-from"] must be a whole number from 0"#),
    (#""days":{"format":"%Q"}"#, "$.days.format may have %Y"),
    (#""days":{"format":"today"}"#, "$.days.format may have %Y"),
    (#""days":{"earliest":"1.11.2026"}"#, "$.days.earliest is no day"),
    (#""days":{"again":0}"#, "$.days.again must be a whole number from 1 to 366"),
    (#""days":{"to":"end"}"#, "must be one of last-day, day-after"),
    (#""limits":{"pages":0}"#, "$.limits.pages must be a whole number"),
    (#""oauth":{"url":"https://a.example/t"}"#, #"needs a "client-id""#),
    (
      #""oauth":{"url":"https://a.example/t","client-id":"c","client-secret":"geheim","refresh-token":"${env:R}"}"#,
      #"$.oauth["client-secret"] is a secret in the document"#
    ),
    (#""sign-in":{"request":{"url":"https://a.example/t"}}"#, "never uses the token"),
    (#""report":{"order":{"url":"https://a.example/"}}"#, #"needs an "id""#),
    (
      #""report":{"order":{"url":"https://a.example/"},"id":"i","state":"s","done":["d"],"status":{"url":"https://a.example/"}}"#,
      "$.report.status has no {id}"
    ),
  ])
  func `A pull document whose parts do not fit together is rejected at its place`(
    members: String, words: String
  ) throws {
    let found = try #require(mistake(rest("," + members)))
    #expect(found.hasPrefix("p.json:1:") && found.contains(words), "\(found)")
  }

  @Test(arguments: [
    (#""url":"http://a.example/""#, "is an address without TLS"),
    (#""url":"ftp://a.example/""#, "must be an address with https://"),
    (#""url":"${env:URL}""#, "must be an address with https://"),
    (#""url":"https://a.example{from}""#, "has a place within its host"),
    (#""url":"https://${env:HOST}/""#, "must be an address with https://"),
    (#""url":"https://user:word@a.example/""#, "must be an address with https://"),
    (#""url":"https://a.example/{form}""#, "has the unknown {form}"),
    (#""url":"https://a.example/${SECRET}""#, "that begins no secret"),
    (#""url":"https://a.example/{page}""#, "has {page}, which has no value here"),
    (#""url":"https://a.example/{token}""#, "has {token}, which has no value here"),
    (#""url":"https://a.example/","headers":{"Authorization":"Bearer abc"}"#, "is a secret in the document"),
    (#""url":"https://a.example/","headers":{"A:b":"c"}"#, "has a name that is none of a header"),
    (#""url":"https://a.example/","headers":{"A":"c","a":"d"}"#, "is the name of an earlier header too"),
    (#""url":"https://a.example/","basic":{"user":"u","password":"abc"}"#, "is a secret in the document"),
    (#""url":"https://a.example/","json":{},"form":{}"#, "is a second body"),
    (#""url":"https://a.example/","method":"GET""#, "unknown member"),
  ])
  func `A pull document whose request could lose a secret or means nothing is rejected at its place`(
    members: String, words: String
  ) throws {
    let found = try #require(mistake(request(members)))
    #expect(found.hasPrefix("p.json:1:") && found.contains(words), "\(found)")
  }

  @Test func `A pull document has the members of its schema`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let bytes = try [UInt8](Data(contentsOf: root.appending(path: "schemas/pull.schema.json")))
    let schema = try #require(JSONReader.read(bytes).value.object)
    let properties = try #require(schema["properties"]?.value.object)
    #expect(Set(properties.members.map(\.name)) == Set(Pull.form.names))
  }

  @Test func `A pull document may use plain HTTP to this machine alone`() {
    #expect(mistake(request(#""url":"http://127.0.0.1:8080/""#)) == nil)
    #expect(mistake(request(#""url":"http://localhost/""#)) == nil)
    #expect(mistake(request(#""url":"http://[::1]:80/""#)) == nil)
    #expect(mistake(request(#""url":"http://127.0.0.1.example/""#)) != nil)
  }

  @Test func `A pull document has usual days that leave no gap and end before today`() throws {
    let pull = try pull(document("https://a.example", #","days":{"earliest":"2026-10-01","again":3}"#))
    let now = Instant(milliseconds: day("2026-11-20").start.milliseconds + 3_600_000)
    #expect(pull.days.usual(at: now, pulledUpTo: nil) == day("2026-10-01")..<day("2026-11-20"))
    #expect(pull.days.usual(at: now, pulledUpTo: day("2026-11-19")) == day("2026-11-17")..<day("2026-11-20"))
    #expect(pull.days.usual(at: now, pulledUpTo: day("2026-11-10")) == day("2026-11-10")..<day("2026-11-20"))
    let first = Instant(milliseconds: day("2026-10-01").start.milliseconds)
    #expect(pull.days.usual(at: first, pulledUpTo: nil) == nil)
  }

  @Test func `A pull that is scheduled is due once a day or after hours and an hour after a failure`() throws
  {
    func state(_ success: String?, _ failure: String? = nil) -> PullState {
      PullState(
        lastSuccess: success.flatMap { Instant($0) }, lastFailure: failure.flatMap { Instant($0) }, upTo: nil)
    }
    let daily = ScheduledPull(file: "p.json", times: .daily(minute: 210))
    let now = try #require(Instant("2026-11-20T03:31:00Z"))
    #expect(daily.isDue(at: now, after: state(nil)))
    #expect(daily.isDue(at: now, after: state("2026-11-20T03:29:00Z")))
    #expect(!daily.isDue(at: now, after: state("2026-11-20T03:30:00Z")))
    #expect(!daily.isDue(at: now + -120_000, after: state("2026-11-19T03:30:00Z")))
    #expect(!daily.isDue(at: now, after: state("2026-11-19T03:30:00Z", "2026-11-20T03:30:10Z")))
    #expect(daily.isDue(at: now + 3_600_000, after: state("2026-11-19T03:30:00Z", "2026-11-20T03:30:10Z")))
    // A clock that was ahead wrote these.
    #expect(daily.isDue(at: now, after: state("2027-01-01T00:00:00Z")))
    #expect(daily.isDue(at: now, after: state(nil, "2027-01-01T00:00:00Z")))
    #expect(!daily.isDue(at: now, after: state("2026-11-20T03:30:00Z", "2027-01-01T00:00:00Z")))
    let hourly = ScheduledPull(file: "p.json", times: .hourly(6))
    #expect(!hourly.isDue(at: now, after: state("2026-11-19T22:00:00Z")))
    #expect(hourly.isDue(at: now, after: state("2026-11-19T21:31:00Z")))
  }
}
