import Mappings
import System
import Testing
import Values

/// Noon of 2026-11-21, UTC.
private let now = Instant(seconds: 1_795_262_400)

@Suite struct `The coverage check` {
  private func findings(_ text: String) -> [String] {
    MappingDocument.check(Array(text.utf8), at: now).findings.map {
      "\($0.position.line) \($0.code.text) \($0.severity.rawValue)"
    }
  }

  private func sentences(_ text: String) -> [String] {
    MappingDocument.check(Array(text.utf8), at: now).findings.map(\.sentence.english)
  }

  /// A mapping that misses no user, and more rules; the last line is the fourth.
  private func text(
    _ rest: String, head: String = #""app":1,"currency":"USD","effective-from":"2026-11-01""#,
    device: String = "skan4"
  ) -> String {
    """
    {"name":"t",\(head),"protocol":"\(device)",
    "coarse":[{"window":1,"low":{}}],
    "fine":[{"value":0,"label":"installed"}\(rest.isEmpty ? "" : ",")
    \(rest)
    }
    """
  }

  @Test func `The coverage check finds nothing in a mapping that misses no user`() {
    #expect(findings(text("]").replacing(",\n]", with: "\n]")).isEmpty)
    #expect(findings(text(#"{"value":1,"events":["buy"]}]"#)).isEmpty)
    #expect(
      findings(
        text(
          #"{"value":1,"revenue":{"from":1,"to":20}},{"value":2,"revenue":{"from":20,"representative":30}}]"#)
      ).isEmpty)
  }

  @Test func `The coverage check finds that README's first mapping misses three kinds of users`() {
    #expect(
      findings(subscriptions) == [
        "7 no-coarse-value-for-small-campaigns warning", "7 no-value-for-plain-installs warning",
        "8 no-value-above-the-last-range warning",
      ])
    #expect(
      sentences(subscriptions).contains(
        #"no value is for users with revenue from 80 USD up of "subs_success"; they keep a lower value or get none"#
      ))
    // SKAdNetwork 3 has no coarse values, and registers value 0 at the first launch.
    #expect(
      findings(subscriptions.replacing("skan4", with: "skan3")) == ["8 no-value-above-the-last-range warning"]
    )
    #expect(
      findings(subscriptions.replacing("skan4", with: "aak")).count == 3)
  }

  @Test(
    arguments: [
      // Both ends of a range state whether their amount belongs to it.
      (
        #"{"value":1,"revenue":{"from":1,"to":20,"includes-to":true}}]"#, "no-value-above-the-last-range",
        false
      ),
      (#"{"value":1,"events":["a"]},{"value":1,"events":["b"]}]"#, "value-with-several-meanings", true),
      (#"{"value":1,"events":["a"]},{"value":1,"events":["a"]}]"#, "repeated-rule", true),
      (#"{"value":1,"revenue":{"from":-5}}]"#, "negative-edge", true),
      (#"{"value":1,"revenue":{"from":0.005,"representative":6}}]"#, "edge-cannot-be-paid", false),
      (
        #"{"value":1,"revenue":{"from":160.5,"representative":200,"currency":"JPY"}}]"#,
        "edge-cannot-be-paid", true
      ),
      (
        #"{"value":1,"revenue":{"from":160,"representative":200,"currency":"JPY"}}]"#, "edge-cannot-be-paid",
        false
      ),
      (#"],"grids":[{"first-value":1,"revenue":[1, 4,99, 150, null],"worth":"low"}]"#, "decimal-comma", true),
      (#"],"grids":[{"first-value":1,"revenue":[1,4,99,150,null],"worth":"low"}]"#, "decimal-comma", false),
      (
        #"],"grids":[{"first-value":1,"revenue":[1, 4, 99, 150, null],"worth":"low"}]"#, "decimal-comma",
        false
      ),
    ])
  func `The coverage check warns of one rule and not of its neighbour`(
    rest: String, code: String, isThere: Bool
  ) {
    // The first rule has no comma behind it where the list ends there.
    let text = text(rest).replacing(",\n]", with: "\n]")
    #expect(findings(text).contains { $0.hasPrefix("4 \(code) ") } == isThere, "\(findings(text))")
  }

  @Test func `The coverage check gives the same label to equal meanings`() {
    #expect(
      findings(text(#"{"value":1,"label":"x","events":["a"]},{"value":1,"label":"x","events":["b"]}]"#))
        .isEmpty)
  }

  @Test func `The coverage check reports from which amount on users get no value`() {
    let open = sentences(text(#"{"value":1,"events":["b"],"revenue":{"from":1,"to":20}}]"#))
    // Value 0 is for all users, so that each has a value.
    #expect(open.isEmpty)
    let plain =
      #"{"name":"t","app":1,"currency":"EUR","effective-from":"2026-11-01","protocol":"skan3","fine":["#
    #expect(
      sentences(plain + #"{"value":1,"revenue":{"from":1,"to":20,"includes-to":true}}]}"#) == [
        "no value is for users with revenue above 20 EUR; they keep a lower value or get none"
      ])
    #expect(
      sentences(plain + #"{"value":1,"revenue":{"from":1,"to":20}}],"partners":["appsflyer"]}"#).isEmpty)
  }

  @Test(
    arguments: [
      (#""app":0,"currency":"USD","effective-from":"2026-11-01""#, ["1 placeholder-app warning"]),
      (#""app":1,"currency":"USD","effective-from":"2062-11-01""#, ["1 effective-date-far-away warning"]),
      (#""app":1,"currency":"USD","effective-from":"2016-11-01""#, ["1 effective-date-far-away warning"]),
      (#""app":1,"currency":"USD","effective-from":"2028-11-01""#, []),
      (#""app":1,"currency":"USD","effective-from":"2025-01-01""#, []),
    ])
  func `The coverage check uses the app and the date`(head: String, expected: [String]) {
    #expect(findings(text(#"{"value":1,"events":["a"]}]"#, head: head)) == expected)
    // Without a clock there is no finding on the date.
    let silent = MappingDocument.check(Array(text(#"{"value":1,"events":["a"]}]"#, head: head).utf8))
    #expect(silent.findings.allSatisfy { $0.code != .rule(.farDate) })
  }

  @Test(arguments: ["skan3", "skan4", "aak"]) func `The coverage check has one finding for no rules at all`(
    device: String
  ) {
    let head = #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"\#(device)""#
    #expect(findings(head + "}") == ["1 no-rules warning"])
    #expect(findings(head + #","fine":[],"grids":[]}"#) == ["1 no-rules warning"])
  }

  @Test func `The coverage check treats a rule on the install event as one on plain installs`() {
    let head = #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4","#
    #expect(findings(head + #""fine":[{"value":0,"events":["MOBILE_APP_INSTALL"],"coarse":"low"}]}"#).isEmpty)
    #expect(
      findings(head + #""fine":[{"value":1,"events":["buy"],"coarse":"low"}]}"#) == [
        "1 no-value-for-plain-installs warning"
      ])
  }

  @Test func `The coverage check finds values without a coarse one`() {
    let head = #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"aak","#
    #expect(
      sentences(
        head + #""fine":[{"value":0,"coarse":"low"},{"value":3,"events":["a"]},{"value":5,"events":["b"]}]}"#)
        == [
          "the rules of 3, 5 have no coarse value, so Apple withholds everything below the privacy threshold"
        ])
  }

  @Test func `The coverage check finds the same coarse rule twice`() {
    let rest = #"{"value":1,"events":["a"]}]"#
    let text = text(rest).replacing(
      #""low":{}}"#,
      with: #""low":{}},{"window":2,"low":{"events":["a"]},"high":[{"events":["a"]},{"events":["a"]}]}"#)
    #expect(findings(text) == ["2 repeated-rule warning", "2 repeated-rule warning"])
  }

  @Test(
    arguments: [
      (#""fine":[{"value":0},{"value":1,"active-hours":{"from":48,"to":72}}]"#, "coarse values of window 2"),
      (#""coarse":[{"window":2,"low":{"active-hours":{"from":200,"to":300}}}]"#, "coarse values of window 3"),
      (#""coarse":[{"window":3,"low":{"active-hours":{"from":840,"to":900}}}]"#, "Window 3 is the last"),
      (#""coarse":[{"window":3,"low":{"active-hours":{"from":10,"to":20}}}]"#, "coarse values of window 1"),
      (
        #""measurement-window-hours":24,"fine":[{"value":0},{"value":1,"active-hours":{"from":30,"to":40}}]"#,
        "raise \"measurement-window-hours\", at most to 48"
      ),
    ])
  func `The coverage check names a window that is given for hours outside of one`(rest: String, hint: String)
    throws
  {
    let text =
      #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4",\#(rest)}"#
    let found = MappingDocument.check(Array(text.utf8)).findings.filter {
      $0.code == .rule(.impossibleInWindow)
    }
    #expect(found.count == 1)
    #expect(found.first?.hint?.english.contains(hint) ?? false, "\(found)")
  }
}
