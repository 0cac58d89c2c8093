import Configuration
import Daemon
import Delivery
import Foundation
import JSONText
import Ledger
import OpenSSL
import PostbackFixtures
import Postbacks
import Routing
@testable import Service
import System
import Testing
import TestSupport
import Values

struct `The configuration file` {
  @Test(arguments: [
    (#"{"databse":"x"}"#, #"1:2: $.databse: unknown member; did you mean "database"?"#),
    (
      "{\n  \"networks\": [{\"name\": \"a\", \"tokn\": \"x\"}]}",
      #"2:30: $.networks[0].tokn: unknown member; did you mean "token"?"#
    ),
    (
      #"{"networks":[{"name":"a","token":"123456789012345"}]}"#,
      "1:34: $.networks[0].token is a token of fewer than 16 letters"
    ),
    (#"{"networks":[{"name":"a"}]}"#, #"1:14: $.networks[0] needs either "token" or "token-sha256""#),
    (
      #"{"networks":[{"name":"a/b","token":"1234567890123456"}]}"#,
      "1:22: $.networks[0].name may have only letters"
    ),
    (#"{"read-token-sha256":["abc"]}"#, #"1:23: $["read-token-sha256"][0] must be a SHA-256 digest"#),
    (#"{"listen":"8080"}"#, "1:11: $.listen must be HOST:PORT"),
    (#"{"threads":0}"#, "1:12: $.threads must be a whole number from 1 to 256"),
    (#"{"threads":257}"#, "1:12: $.threads must be a whole number from 1 to 256"),
    (
      #"{"connections-per-address":-1}"#,
      #"1:28: $["connections-per-address"] must be a whole number from 0 to 65535"#
    ),
    (
      #"{"connections-per-address":65536}"#,
      #"1:28: $["connections-per-address"] must be a whole number from 0 to 65535"#
    ),
    (
      #"{"trusted-proxies":["10.0.0.0/8","10.0.0.1/8"]}"#,
      #"1:34: $["trusted-proxies"][1] must be an address or a range such as "10.0.0.0/8""#
    ),
    (#"{"trusted-proxies":"::1"}"#, #"1:20: $["trusted-proxies"] must be an array"#),
    (
      #"{"pages-sign-in":{"header":"Cookie","proxies":["127.0.0.1"],"readers":["*"]}}"#,
      #"$["pages-sign-in"].header must be the name of a header that the proxy sets"#
    ),
    (
      #"{"pages-sign-in":{"header":"X-User","proxies":[],"readers":["*"]}}"#,
      #"$["pages-sign-in"].proxies is empty; name the addresses of the proxy"#
    ),
    (
      #"{"pages-sign-in":{"header":"X-User","proxies":["127.0.0.1"]}}"#,
      #"$["pages-sign-in"] gives no user access; add "editors" or "readers""#
    ),
    (
      #"{"pages-sign-in":{"header":"X-User","proxies":["127.0.0.1"],"editors":["group:"]}}"#,
      #"$["pages-sign-in"].editors[0] must be a person's name, "group:NAME""#
    ),
    (
      #"{"pages-sign-in":{"header":"X-User","proxies":["0.0.0.0/0"],"editors":["*"]}}"#,
      #"$["pages-sign-in"].proxies[0] gives every client the proxy's word"#
    ),
    (
      #"{"pages-sign-in":{"header":"X-User","proxies":["::/0"],"editors":["*"]}}"#,
      #"$["pages-sign-in"].proxies[0] gives every client the proxy's word"#
    ),
    (
      #"{"pages-sign-in":{"header":"User-Agent","proxies":["127.0.0.1"],"editors":["*"]}}"#,
      #"$["pages-sign-in"].header must be the name of a header that the proxy sets"#
    ),
    (#"{"limits":{"brust":1}}"#, #"1:12: $.limits.brust: unknown member; did you mean "burst"?"#),
    (#"{"limits":{"burst":-1}}"#, "1:20: $.limits.burst must be a whole number from 0 to 10000000"),
    (#"{"limits":{"burst":10000001}}"#, "1:20: $.limits.burst must be a whole number from 0 to 10000000"),
    (
      #"{"networks":[{"name":"a","token":"1234567890123456","hmac-secret":"1234567890123456789012345678901"}]}"#,
      #"$.networks[0]["hmac-secret"] is a secret of fewer than 32 letters"#
    ),
    (#"{"database":7}"#, "1:13: $.database must be a string, found an integer"),
    (#"{"database":""}"#, "1:13: $.database is empty"),
    ("[]", "1:1: $ must be an object, found an array"),
    (
      "{\"database\":\n}",
      "2:1: $.database: the file is not JSON: found '}', but the member before it has no value"
    ),
    (#"{"database":"a","database":"b"}"#, "the object that begins at 1:1 has this member twice"),
  ])
  func `The configuration file is rejected with line, column and path`(text: String, expected: String) throws
  {
    let error = #expect(throws: JSONFileError.self) {
      try ConfigurationFile.read(Array(text.utf8), named: "skan.json")
    }
    let mistake = try #require(error)
    #expect(mistake.exitCode == .data)
    #expect(mistake.message.hasPrefix("skan.json:"))
    #expect(mistake.message.contains(expected), "\(mistake.message)")
  }

  @Test(arguments: [0, 65_535])
  func `The configuration file sets the number of connections for each address`(count: Int) throws {
    let text = #"{"connections-per-address":\#(count)}"#
    let configuration = try ConfigurationFile.read(Array(text.utf8), named: "x")
    #expect(configuration.texts == ["connections-per-address": "\(count)"])
  }

  @Test func `The configuration file takes tokens in clear text and as digests`() throws {
    let token = "1234567890123456"
    let digest = SHA256Digest(of: Array(token.utf8))
    let text = #"{"networks":[{"name":"a","token":"\#(token)"}],"read-token-sha256":["\#(digest.hex)"]}"#
    let configuration = try ConfigurationFile.read(Array(text.utf8), named: "x")
    #expect(configuration.networks.map(\.token) == [digest])
    #expect(configuration.readTokens == [digest])
    let twice =
      #"{"networks":[{"name":"a","token":"\#(token)"},{"name":"b","token-sha256":"\#(digest.hex)"}]}"#
    #expect(throws: JSONFileError.self) { try ConfigurationFile.read(Array(twice.utf8), named: "x") }
  }

  @Test(arguments: [
    "https://dash.example", "http://localhost:3000", "https://dash.example:8443", "http://[::1]:8080",
    "http://[::1]", "https://127.0.0.1",
  ])
  func `The configuration file takes origins as browsers write them`(origin: String) throws {
    let configuration = try ConfigurationFile.read(
      Array(#"{"cors-origins":["\#(origin)"]}"#.utf8), named: "x")
    #expect(configuration.corsOrigins == [origin])
  }

  @Test(arguments: [
    "*", "null", "", "https://", "dash.example", "https://Dash.example", "https://dash.example/",
    "https://dash.example:443", "http://dash.example:80", "https://dash.example:", "https://*.example",
    "https://dash.example:99999", "ftp://dash.example", "https://a@dash.example", "https://dash.example?x",
  ])
  func `The configuration file rejects origins that no browser sends`(origin: String) {
    #expect(throws: JSONFileError.self) {
      try ConfigurationFile.read(Array(#"{"cors-origins":["\#(origin)"]}"#.utf8), named: "x")
    }
  }

  @Test func `The configuration file takes proxies, limits and secrets`() throws {
    let secret = String(repeating: "s", count: 32)
    let text = """
      {"trusted-proxies":["127.0.0.1","10.0.0.0/8","::1"],"limits":{"burst":0,"rejected-per-day":5},
       "networks":[{"name":"a","token":"1234567890123456","hmac-secret":"\(secret)"}]}
      """
    let configuration = try ConfigurationFile.read(Array(text.utf8), named: "x")
    #expect(configuration.trustedProxies == ["127.0.0.1", "10.0.0.0/8", "::1"])
    #expect(configuration.limits.burst == 0)
    #expect(configuration.limits.rejectedPerDay == 5)
    #expect(configuration.limits.requestsPerSecond == 200)
    #expect(configuration.networks.first?.secret == Array(secret.utf8))
  }

  @Test func `The configuration file has a schema with the same members`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let bytes = try [UInt8](Data(contentsOf: root.appending(path: "schemas/config.schema.json")))
    let schema = try #require(JSONReader.read(bytes).value.object)
    let properties = try #require(schema["properties"]?.value.object)
    #expect(Set(properties.members.map(\.name)) == Set(ConfigurationFile.members))
    let limits = properties["limits"]?.value.object?["properties"]?.value.object
    #expect(limits?.members.map(\.name) == ConfigurationFile.limitRanges.map(\.name))
    for (name, member, most) in ConfigurationFile.limitRanges {
      let described = limits?[name]?.value.object
      #expect(described?["maximum"]?.value.number?.integer == most)
      #expect(described?["default"]?.value.number?.integer == Int64(RateLimits()[keyPath: member]))
    }
    let network = properties["networks"]?.value.object?["items"]?.value.object?["properties"]?.value.object
    #expect(Set(network?.members.map(\.name) ?? []) == Set(ConfigurationFile.networkForm.names))
    let relay = properties["relays"]?.value.object?["items"]?.value.object?["properties"]?.value.object
    #expect(Set(relay?.members.map(\.name) ?? []) == Set(Relay.form.names))
  }

  @Test func `The configuration file takes relays`() throws {
    let secret = String(repeating: "s", count: 32)
    let text = """
      {"relays":[{"name":"partner","url":"https://partner.example/skan","apps":[5],"networks":["ABC.skadnetwork"],
        "kinds":["network-copy"],"environments":["production","test"],"from":"2026-11-01","token":"t",
        "headers":{"X-Key":"k 1","x-team":"a"},"hmac-secret":"\(secret)","form":"enriched"},
        {"name":"events","url":"http://127.0.0.1:9/","form":"ga4"},
        {"name":"own","url":"http://127.0.0.1:9/","hmac-secret":"short"}]}
      """
    let relays = try ConfigurationFile.read(Array(text.utf8), named: "x").relays
    #expect(relays.map(\.name) == ["partner", "events", "own"])
    #expect(relays[0].selection.apps.map(\.number) == [5])
    #expect(relays[0].selection.networks == ["abc.skadnetwork"])
    #expect(relays[0].selection.kinds == [.networkCopy])
    #expect(relays[0].selection.environments == [.production, .test])
    #expect(relays[0].start == .moment(Instant(seconds: 1_793_491_200)))
    #expect(relays[0].token == "t")
    #expect(relays[0].address.secret == Array(secret.utf8))
    #expect(relays.map(\.form) == [.enriched, .ga4, .postback])
    #expect(relays.map(\.selection.isOncePerConversion) == [false, true, false])
    #expect(relays[0].headers.map { "\($0.name): \($0.value)" } == ["X-Key: k 1", "x-team: a"])
    #expect(relays.map(\.hasShortSecret) == [false, false, true])
    #expect(relays[2].address.secret == Array("short".utf8))
    #expect(relays[2].selection == RelaySelection())
    #expect(relays[2].start == .newest)
  }

  @Test(arguments: [
    (#"{"relays":[{"name":"a"}]}"#, #"$.relays[0] needs a "url""#),
    (#"{"relays":[{"name":"a b","url":"http://x/"}]}"#, "$.relays[0].name may have only letters"),
    (
      #"{"relays":[{"name":"a","url":"file:///x"}]}"#,
      "$.relays[0].url must be an address with http:// or https://"
    ),
    (
      #"{"relays":[{"name":"a","url":"http://x/"},{"name":"a","url":"http://y/"}]}"#,
      "$.relays[1].name is the name of an earlier relay too"
    ),
    (#"{"relays":[{"name":"a","url":"http://x/","apps":[]}]}"#, "$.relays[0].apps is empty"),
    (#"{"relays":[{"name":"a","url":"http://x/","kinds":["copy"]}]}"#, "$.relays[0].kinds[0]"),
    (
      #"{"relays":[{"name":"a","url":"http://x/","from":"soon"}]}"#,
      #"$.relays[0].from must be "newest", "beginning" or a moment"#
    ),
    (#"{"relays":[{"name":"a","url":"http://x/","token":"a b"}]}"#, "$.relays[0].token has a space"),
    (
      #"{"relays":[{"name":"a","url":"http://x/","hmac-secret":""}]}"#,
      #"$.relays[0]["hmac-secret"] is empty"#
    ),
    (
      #"{"relays":[{"name":"a","url":"http://x/","headers":{"Host":"h"}}]}"#,
      "$.relays[0].headers.Host is no header that you can add"
    ),
    (
      #"{"relays":[{"name":"a","url":"http://x/","headers":{"a b":"h"}}]}"#,
      #"$.relays[0].headers["a b"] is no header that you can add"#
    ),
    (
      #"{"relays":[{"name":"a","url":"http://x/","headers":{"Key":"1","key":"2"}}]}"#,
      "$.relays[0].headers.key is the name of an earlier header too"
    ),
    (
      #"{"relays":[{"name":"a","url":"http://x/","token":"t","headers":{"authorization":"2"}}]}"#,
      #"$.relays[0].headers.authorization is what "token" sends"#
    ),
    (
      #"{"relays":[{"name":"a","url":"http://x/","headers":{"Key":"secret\nX: y"}}]}"#,
      "$.relays[0].headers.Key has a value with a letter that no header can carry"
    ),
  ])
  func `The configuration file with wrong relays is rejected`(text: String, expected: String) throws {
    let error = #expect(throws: JSONFileError.self) {
      try ConfigurationFile.read(Array(text.utf8), named: "c")
    }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("secret\nX") == false)
  }

  @Test(arguments: [
    (#"{"alert-webhooks":[{}]}"#, #"needs a "url""#),
    (#"{"alert-webhooks":[{"url":"ftp://x"}]}"#, "must be an address with http:// or https:// and a host"),
    (#"{"alert-webhooks":[{"url":"https://x","hmac-secret":"short"}]}"#, "fewer than 32 letters"),
    (#"{"alert-webhooks":[{"url":"https://x"},{"url":"https://x"}]}"#, "of an earlier webhook too"),
    (#"{"alert-webhooks":[{"url":"https://x","digest":{}}]}"#, #"needs a "pages""#),
    (
      #"{"alert-webhooks":[{"url":"https://x","digest":{"pages":"/"}}]}"#,
      "must be an address with http:// or https:// and a host"
    ),
    (#"{"alerts-interval":0}"#, "must be a whole number from 1 to 86400"),
  ])
  func `The configuration file with wrong webhooks or a wrong interval of alerts is rejected`(
    text: String, expected: String
  ) throws {
    let error = #expect(throws: JSONFileError.self) {
      try ConfigurationFile.read(Array(text.utf8), named: "c")
    }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }
}

struct `The daemon's log` {
  @Test func `The daemon's log has warnings and errors only where --quiet asks for that`() {
    let console = Console.captured().configured(isQuiet: true, forbidsColor: false)
    let log = ServiceLog(console, clock: { noon }, isJSON: false)
    for level in [ServiceLog.Level.info, .warning, .error] { log.write(level, "test") }
    #expect(console.errors.captured == "2026-11-21T12:00:00Z warning test\n2026-11-21T12:00:00Z error test\n")
  }

  @Test func `The daemon's log has one line for each event in both forms`() {
    let outcome = { (isJSON: Bool) in
      let console = Console.captured()
      ServiceLog(console, clock: { noon }, isJSON: isJSON).write(
        .warning, "test", [("figure", .integer(3)), ("note", "two words")])
      return console.errors.captured
    }
    #expect(outcome(false) == "2026-11-21T12:00:00Z warning test figure=3 note=\"two words\"\n")
    #expect(
      outcome(true)
        == #"{"time":"2026-11-21T12:00:00Z","level":"warning","event":"test","figure":3,"note":"two words"}"#
        + "\n")
  }
}
