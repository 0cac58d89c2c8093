import Gzip
import JSONText
import System
import TestSupport
import Testing
import Values

/// The practitioner's mapping: four revenue ranges worth their middle, one event, activity in steps of 12 hours.
private let subscriptions = #"""
  {
    "name": "Subscriptions",
    "app": 1000000001,
    "currency": "USD",
    "effective-from": "2026-11-01",
    "protocol": "skan4",
    "grids": [
      {
        "first-value": 6,
        "events": ["subs_success"],
        "active-hours": [0, 12, 24, 36, 48],
        "revenue": [0, 20, 40, 60, 80]
      }
    ]
  }
  """#

/// The same mapping for the users that it misses: payers of 80 USD and more, plain installs, and small groups.
private let complete = #"""
  {
    "name": "Subscriptions",
    "app": 1000000001,
    "currency": "USD",
    "effective-from": "2026-11-01",
    "protocol": "skan4",
    "fine": [{ "value": 0, "label": "installed" }],
    "grids": [
      {
        "first-value": 6,
        "events": ["subs_success"],
        "active-hours": [0, 12, 24, 36, 48],
        "revenue": [0, 20, 40, 60, 80, null],
        "worth": [10, 30, 50, 70, 100]
      }
    ],
    "coarse": [
      {
        "window": 1,
        "low": { "label": "installed" },
        "medium": { "events": ["subs_success"] },
        "high": { "events": [{ "name": "subs_success", "revenue": { "from": 40, "representative": 60 } }] }
      }
    ]
  }
  """#

/// A mapping with labels, counts, an open top, a lock and coarse values; it has warnings on purpose.
private let shop = #"""
  {
    "name": "Shop", "app": 2, "currency": "EUR", "effective-from": "2026-12-01T00:00:00Z", "protocol": "skan4",
    "measurement-window-hours": 24,
    "fine": [
      { "value": 1, "label": "opened", "coarse": "low" },
      { "value": 6, "label": "a very long label for this", "events": [{ "name": "buy", "count": { "min": 1, "max": 2 } }],
        "revenue": { "from": 0, "to": 10.5 } },
      { "value": 63, "events": [{ "name": "buy", "count": { "min": 3 } }],
        "revenue": { "from": 10.5, "representative": 20 }, "lock": true }
    ],
    "coarse": [
      { "window": 2, "low": { "events": ["open"] },
        "high": [{ "label": "paid", "revenue": { "from": 1 } }, { "events": ["subscribe"], "lock": true }] }
    ]
  }
  """#

private let events = """
  user,time,event,revenue,installed
  u1,2026-11-02T01:00:00Z,subs_success,12.50,2026-11-02T00:00:00Z
  "u,2",1000,install,,
  "u,2",50000,subs_success,19.99,
  "u,2",51000,subs_success,0.01,
  u3,0,install,,

  """

struct `skan mapping check` {
  @Test func `skan mapping check prints nothing about a correct file`() throws {
    let folder = try TemporaryFolder()
    let outcome = skan("mapping", "check", try folder.write(complete, to: "m.json"))
    #expect(outcome.code == .done)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "0 errors, 0 warnings\n")
  }

  @Test func `skan mapping check warns of users that a mapping misses, and of a date years away`() throws {
    let folder = try TemporaryFolder()
    let outcome = skan("mapping", "check", try folder.write(subscriptions, to: "m.json"))
    #expect(outcome.code == .done)
    #expect(outcome.errors == "0 errors, 3 warnings\n")
    try expectGolden(
      outcome.output.split(separator: folder.path + "/", omittingEmptySubsequences: false).joined(),
      "mapping-check-forgetful.table")
    let late = skan("mapping", "check", folder.file("m.json"), at: Instant(seconds: 2_000_000_000))
    #expect(late.output.contains("2026-11-01, 6 years ago [effective-date-far-away]"))
  }

  @Test func `skan mapping check prints errors and warnings in each format`() throws {
    let folder = try TemporaryFolder()
    let broken = try folder.write("{\n  \"name\": \"x\",\n  \"colour\": 1\n}\n", to: "broken.json")
    let warned = try folder.write(shop, to: "shop.json")
    for format in ["table", "json", "ndjson", "csv"] {
      let outcome = skan("mapping", "check", "--format", format, broken, warned)
      #expect(outcome.code == .failedCheck)
      #expect(outcome.errors.contains(" errors, "))
      let text = outcome.output.split(separator: folder.path + "/", omittingEmptySubsequences: false).joined()
      try expectGolden(text, "mapping-check.\(format)")
    }
    #expect(skan("mapping", "check", broken, isTerminal: true).output.contains("\u{1b}[31merror"))
  }

  @Test func `skan mapping check counts warnings as errors on request`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(shop, to: "shop.json")
    #expect(skan("mapping", "check", file).code == .done)
    #expect(skan("mapping", "check", "--strict", file).code == .failedCheck)
    #expect(skan("mapping", "check", "--strict", try folder.write(complete, to: "m.json")).code == .done)
  }

  @Test(
    arguments: [
      ("", "unexpected-end"), ("{", "unexpected-end"), ("hello", "unexpected-character"),
      (String(subscriptions.prefix(200)), "unexpected-end"),
      (#"{"name":"a","name":"b"}"#, "duplicate-member"), (String(repeating: "[", count: 100_000), "too-deep"),
      (String(repeating: " ", count: (4 << 20) + 1), "file-too-large"), ("[]", "wrong-type"),
    ])
  func `skan mapping check finds what is wrong with a hostile file`(text: String, code: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "m.json")
    let outcome = skan("mapping", "check", "--format", "ndjson", file)
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.contains("\"code\":\"\(code)\""), "\(outcome.output.prefix(300))")
    #expect(outcome.output.utf8.count < 2000)
    // Every command that needs a mapping prints the same, on standard error.
    for words in [["decode", file, "1"], ["diff", file, file], ["try", file, "--events", file]] {
      let other =
        words.count == 4
        ? skan("mapping", words[0], words[1], words[2], words[3])
        : skan("mapping", words[0], words[1], words[2])
      #expect(other.code == .failedCheck)
      #expect(other.output.isEmpty)
      #expect(other.errors.contains("[\(code)]"))
    }
    #expect(skan("mapping", "show", file).errors.contains("[\(code)]"))
    #expect(skan("mapping", "show", file).code == .failedCheck)
  }

  @Test func `skan mapping check reads the largest allowed file, and no larger one`() throws {
    let folder = try TemporaryFolder()
    let whole = subscriptions + String(repeating: " ", count: (4 << 20) - subscriptions.utf8.count)
    #expect(skan("mapping", "check", try folder.write(whole, to: "whole.json")).code == .done)
    let outcome = skan("mapping", "check", try folder.write(whole + " ", to: "larger.json"))
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.contains("the file is larger than 4194304 bytes [file-too-large]"))
  }

  @Test func `skan mapping check continues after a file that cannot be read`() throws {
    let folder = try TemporaryFolder()
    let broken = try folder.write("{}", to: "broken.json")
    let outcome = skan("mapping", "check", folder.file("none.json"), broken)
    #expect(outcome.code == .inputOutput)
    #expect(outcome.output.contains("[missing-member]"))
    #expect(outcome.errors.contains("cannot read"))
    #expect(skan("mapping", "check").code == .usage)
    #expect(skan("mapping", "check", "-", "-").code == .usage)
    #expect(skan("mapping", "show", folder.file("none.json")).code == .inputOutput)
  }
}

struct `skan mapping show` {
  @Test func `skan mapping show prints a grid and lists, and its JSON passes the check`() throws {
    let folder = try TemporaryFolder()
    for (name, text) in [("subscriptions", subscriptions), ("shop", shop)] {
      let file = try folder.write(text, to: "\(name).json")
      let table = skan("mapping", "show", file)
      #expect(table.code == .done)
      try expectGolden(table.output, "mapping-show-\(name).table")
      let json = skan("mapping", "show", "--format", "json", file)
      try expectGolden(json.output, "mapping-show-\(name).json")
      let expanded = try folder.write(json.output, to: "expanded.json")
      #expect(skan("mapping", "check", expanded).code == .done)
      #expect(skan("mapping", "show", "--format", "json", expanded).output == json.output)
      #expect(skan("mapping", "diff", file, expanded).errors.contains(" 0 changed, 0 gained, 0 lost"))
    }
  }
}

struct `skan mapping show of rules on total revenue` {
  private static let totals = #"""
    {"name":"Totals","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4","fine":[
    {"value":0,"label":"installed"},
    {"value":1,"revenue":{"from":1,"to":20,"low":1,"representative":9,"high":45}},
    {"value":2,"events":["a_purchase_with_quite_a_long_name"],"revenue":{"from":20,"low":20,"representative":31}}]}
    """#

  @Test
  func `skan mapping show prints what rules on total revenue require beside what their users are worth`()
    throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.totals, to: "m.json")
    try expectGolden(skan("mapping", "show", file).output, "mapping-show-totals.table")
    try expectGolden(skan("mapping", "decode", file, "0", "1", "2").output, "mapping-decode-totals.table")
    #expect(
      skan("mapping", "decode", "--format", "json", file, "1").output.contains(
        #""total-revenue":{"from":1,"to":20,"includes-from":true,"includes-to":false,"currency":"USD"}"#))
  }

  @Test(arguments: [60, 100, 120, 200])
  func `skan mapping show uses the width of a terminal, and cuts nothing elsewhere`(
    width: Int
  ) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.totals, to: "m.json")
    let wide = skan("mapping", "show", file).output
    #expect(!wide.contains("…") && wide.contains("a_purchase_with_quite_a_long_name, total [20, ∞) USD"))
    for words in [["mapping", "show", file], ["mapping", "decode", file, "0", "1", "2"]] {
      let console = Console.captured(columns: width, isTerminal: true)
      #expect(skan(words, console: console) == .done)
      let lines = console.output.captured.split(separator: "\n")
      // Numbers and titles are never cut, so that a narrow terminal wraps the list all the same.
      if width >= 100 { #expect(lines.allSatisfy { $0.count <= width }, "\(console.output.captured)") }
      if words[1] == "show" { #expect(console.output.captured.contains("…") == (width < 200)) }
    }
  }
}

struct `skan mapping show of an odd mapping` {
  private static func shown(_ rest: String) throws -> String {
    let folder = try TemporaryFolder()
    let head =
      #"{"name":"\u001b[31mred","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan3","#
    let outcome = skan("mapping", "show", try folder.write(head + rest + "}", to: "m.json"))
    #expect(outcome.code == .done, "\(outcome.output)")
    return outcome.output
  }

  @Test
  func `skan mapping show prints no coarse values for a protocol without them, and no control characters`()
    throws
  {
    let text = try Self.shown(#""fine":[{"value":0},{"value":1,"events":["a"]},{"value":1,"events":["b"]}]"#)
    #expect(!text.contains("window"))
    #expect(!text.contains("\u{1b}"))
    #expect(text.contains("protocol        skan3, values only rise\n"))
    // Two rules of one value.
    #expect(text.contains("a+"))
  }
}

struct `skan mapping try` {
  @Test func `skan mapping try replays users in each format`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(subscriptions, to: "m.json")
    let plain = try folder.write(events, to: "events.csv")
    for format in ["table", "json", "ndjson"] {
      let outcome = skan("mapping", "try", file, "--events", plain, "--format", format)
      #expect(outcome.code == .done)
      #expect(
        outcome.errors == "events without a rule: install (2 rows)\n3 users, 3 updates, 2 postbacks\n")
      try expectGolden(outcome.output, "mapping-try.\(format)")
      let packed = try folder.write(gzip(Array(events.utf8)), to: "events.csv.gz")
      #expect(skan("mapping", "try", file, "--events", packed, "--format", format).output == outcome.output)
    }
  }

  @Test func `skan mapping try prints the reviewed text`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(subscriptions, to: "m.json")
    let line = try folder.write(
      #"{"user":"u1","time":3600,"event":"subs_success","revenue":5,"installed":0}"#, to: "e.ndjson")
    #expect(
      skan("mapping", "try", file, "--events", line, "--format", "ndjson").output
        == #"{"user":"u1","updates":[{"time":3600,"value":6,"coarse":null,"lock":false,"rule":"value 6"}],"#
        + #""postbacks":[{"window":1,"fine":6,"coarse":null,"send-earliest":259200,"send-latest":345600}]}"#
        + "\n")
  }

  @Test func `skan mapping try finds columns under other names, and reports which are not read`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(subscriptions, to: "m.json")
    let same = try folder.write(events, to: "events.csv")
    let other = try folder.write(
      events.split(separator: "user,time,event,revenue,installed", omittingEmptySubsequences: false).joined(
        separator: "install_id,ts,name,usd,installed"), to: "other.csv")
    let names = "user=install_id,time=ts,event=name,revenue=usd"
    for format in ["table", "json", "ndjson"] {
      let outcome = skan("mapping", "try", file, "--events", other, "--columns", names, "--format", format)
      #expect(outcome.code == .done, "\(outcome.errors)")
      #expect(outcome.output == skan("mapping", "try", file, "--events", same, "--format", format).output)
    }
    #expect(
      skan("mapping", "try", file, "--events", other).errors.contains(
        "Try: --columns user=install_id,time=ts,event=name\n"))
    #expect(skan("mapping", "try", file, "--events", other, "--columns", "nonsense").code == .usage)
    let more = try folder.write("user,time,event,colour\nu,1,subs_success,red\n", to: "more.csv")
    #expect(skan("mapping", "try", file, "--events", more).errors.contains("ignored columns: colour\n"))
  }

  @Test func `skan mapping try reports which events and currencies no rule has`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(subscriptions, to: "m.json")
    let rows = try folder.write(
      "user,time,event,revenue,currency\nu,1,subs_sucess,5,EUR\nu,2,subs_success,5,EUR\nu,3,open,,\nu,4,open,,\n",
      to: "e.csv")
    let outcome = skan("mapping", "try", file, "--events", rows)
    #expect(
      outcome.errors.hasPrefix(
        """
        events without a rule: open (2 rows), subs_sucess (1 row, did you mean subs_success?)
        currencies without a rule: EUR (2 amounts); rules are in USD, and amounts are not converted

        """), "\(outcome.errors)")
    #expect(!skan("--quiet", "mapping", "try", file, "--events", rows).errors.contains("without a rule"))
    let known = try folder.write("user,time,event,revenue\nu,1,subs_success,5\n", to: "known.csv")
    #expect(skan("mapping", "try", file, "--events", known).errors == "1 user, 1 update, 1 postback\n")
    let none = try folder.write(
      subscriptions.split(separator: #""revenue": [0, 20, 40, 60, 80]"#, omittingEmptySubsequences: false)
        .joined(
          separator: #""comment": """#), to: "none.json")
    #expect(
      skan("mapping", "try", none, "--events", known).errors.contains(
        "currencies without a rule: USD (1 amount); no rule has a revenue condition\n"))
  }

  @Test func `skan mapping try names the line of a wrong row`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(subscriptions, to: "m.json")
    let bad = try folder.write(events + "u4,never,install,,\n", to: "bad.csv")
    let outcome = skan("mapping", "try", file, "--events", bad)
    #expect(outcome.code == .data)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("bad.csv:7: the time \"never\" is neither"))
    #expect(skan("mapping", "try", file, "--events", try folder.write("", to: "empty")).code == .data)
    let cut = try folder.write(Array(gzip(Array(events.utf8)).dropLast(5)), to: "cut.gz")
    #expect(skan("mapping", "try", file, "--events", cut).code == .data)
    #expect(skan("mapping", "try", file, "--events", folder.file("none")).code == .inputOutput)
    #expect(skan("mapping", "try", file).code == .usage)
    #expect(skan("mapping", "try", "-", "--events", "-").code == .usage)
  }
}

struct `skan mapping decode` {
  @Test func `skan mapping decode reports the meaning of values in each format`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(subscriptions, to: "m.json")
    for format in ["table", "json"] {
      let outcome = skan("mapping", "decode", "--format", format, file, "6", "7", "0", "63", "null", "low")
      #expect(outcome.code == .done)
      try expectGolden(outcome.output, "mapping-decode.\(format)")
    }
    let coarse = skan(
      "mapping", "decode", "--window", "2", try folder.write(shop, to: "shop.json"), "low", "medium", "high")
    #expect(coarse.code == .done)
    try expectGolden(coarse.output, "mapping-decode-coarse.table")
  }

  @Test(arguments: ["64", "06", "6.0", "High", "6 ", "nil", "９", "99999999999999999999"])
  func `skan mapping decode rejects what is no value`(word: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(subscriptions, to: "m.json")
    #expect(skan("mapping", "decode", file, word).code == .usage)
  }

  @Test func `skan mapping decode rejects a fine value of a later window`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(subscriptions, to: "m.json")
    #expect(skan("mapping", "decode", file, "6", "--window", "1").code == .done)
    #expect(skan("mapping", "decode", file, "6", "--window", "2").code == .usage)
    #expect(skan("mapping", "decode", file, "low", "--window", "4").code == .usage)
    #expect(skan("mapping", "decode", file).code == .usage)
  }
}

struct `skan mapping diff` {
  @Test func `skan mapping diff reports what becomes of values in each format`() throws {
    let folder = try TemporaryFolder()
    let old = try folder.write(subscriptions, to: "old.json")
    let new = try folder.write(shop, to: "new.json")
    for format in ["table", "json"] {
      let outcome = skan("mapping", "diff", "--format", format, old, new)
      #expect(outcome.code == .done)
      #expect(outcome.errors == "the mappings are for different apps\n0 kept, 1 changed, 5 gained, 15 lost\n")
      try expectGolden(outcome.output, "mapping-diff.\(format)")
    }
  }

  @Test func `skan mapping diff uses the old mapping's timers for its last postbacks`() throws {
    let folder = try TemporaryFolder()
    let new = try folder.write(subscriptions, to: "new.json")
    let older = subscriptions.split(separator: "skan4", omittingEmptySubsequences: false).joined(
      separator: "skan3")
    let outcome = skan("mapping", "diff", try folder.write(older, to: "old.json"), new)
    #expect(outcome.output.contains("     1  2026-11-04T00:00:00Z  2026-11-05T00:00:00Z\n"))
    #expect(outcome.errors.contains("does not start after"))
    #expect(skan("mapping", "diff", new).code == .usage)
    #expect(skan("mapping", "diff", "-", "-").code == .usage)
  }
}
