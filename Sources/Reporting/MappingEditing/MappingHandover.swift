package import JSONText
package import Mappings
import Postbacks
package import Values

/// What the developers of an app need of a mapping version: its rules in words, the calls to make, and test cases.
///
/// It has neither labels nor worths: developers learn which values to send, and not what they are worth.
package struct MappingHandover: Sendable {
  /// A way to make the calls.
  package struct Call: Equatable, Sendable {
    package let title: Sentence
    package let code: String
  }

  package let mapping: Mapping
  package let rules: [Sentence]
  package let calls: [Call]
  package let cases: [HandoverCase]

  package init(_ mapping: Mapping) {
    self.mapping = mapping
    rules = mapping.rulesInWords
    cases = mapping.handoverCases
    calls = Self.calls(mapping, cases)
  }

  /// The moment of the last thing that a user does in a test case, in hours after the start.
  package static func hours(_ test: HandoverCase) -> String {
    trimmed(Double(test.events.last?.secondsSinceInstall ?? 0) / Double(Hour.seconds), 2)
  }

  // MARK: Calls

  private static func calls(_ mapping: Mapping, _ cases: [HandoverCase]) -> [Call] {
    let updates = cases.flatMap(\.updates)
    let example =
      updates.first { $0.fine.map { $0.number > 0 } ?? false && $0.coarse != nil } ?? updates.first {
        $0.fine.map { $0.number > 0 } ?? false
      } ?? updates.first
    let fine = example?.fine.map { Int($0.number) } ?? 0
    let coarse = example?.coarse?.rawValue
    let lock = example?.lock ?? false
    return [library(mapping), apple(mapping, fine: fine, coarse: coarse, lock: lock)]
  }

  private static func library(_ mapping: Mapping) -> Call {
    let currency = mapping.revenueCurrencies.map(\.text).min() ?? mapping.currency.text
    let event = mapping.eventNames.min() ?? "purchase"
    return Call(
      title: Sentence("With the library SkanMapping, which reads the mapping from skan"),
      code: """
        // bytes: the newest answer of GET /v1/apps/\(mapping.app.number)/mapping, else the one that the app was built with.
        var conversions = try AppConversions(mapping: AppMapping(document: bytes), store: store)
        var updates = try conversions.launch(at: now)
        updates += try conversions.record(
          AppEvent(name: \(literal(event)), time: now, micros: 4_990_000, currency: "\(currency)"))
        for update in updates {
          try await AppleCalls.make(update)
          try conversions.confirm(update)
        }
        """)
  }

  private static func apple(_ mapping: Mapping, fine: Int, coarse: String?, lock: Bool) -> Call {
    switch mapping.device {
    case .skan3:
      return Call(
        title: Sentence("SKAdNetwork, iOS 15.4 and later"),
        code: "try await SKAdNetwork.updatePostbackConversionValue(\(fine))")
    case .skan4:
      let call =
        coarse.map {
          "try await SKAdNetwork.updatePostbackConversionValue(\n  \(fine), coarseValue: .\($0), lockWindow: \(lock))"
        } ?? "try await SKAdNetwork.updatePostbackConversionValue(\(fine))"
      return Call(
        title: Sentence("SKAdNetwork, iOS 16.1 and later"),
        code: "// In windows 2 and 3 the fine value has no effect; send 0.\n\(call)")
    case .aak:
      let value = coarse.map { ", coarseConversionValue: .\($0)" } ?? ""
      return Call(
        title: Sentence("AdAttributionKit, iOS 18 and later"),
        code: """
          // In windows 2 and 3 the fine value has no effect; send 0.
          try await Postback.updateConversionValue(
            PostbackUpdate(
              fineConversionValue: \(fine), lockPostback: \(lock)\(value),
              conversionTypes: [.install]))
          """)
    }
  }

  /// A text as Swift writes it.
  private static func literal(_ text: String) -> String { JSONOutput.string(text).text() }

  // MARK: Formats

  /// The test cases as a program reads them.
  package var testsJSON: JSONOutput { .array(cases.map(Self.json)) }

  package var json: JSONOutput {
    [
      "name": .string(mapping.name), "app": .integer(mapping.app.number),
      "effective-from": .string("\(mapping.effectiveFrom)"), "protocol": .string(mapping.device.rawValue),
      "currency": .string(mapping.currency.text), "rules": .array(rules.map { .string($0.english) }),
      "calls": .array(calls.map { ["title": .string($0.title.english), "code": .string($0.code)] }),
      "tests": testsJSON,
    ]
  }

  private static func json(_ test: HandoverCase) -> JSONOutput {
    [
      "user": .string(test.text.english), "conversion-type": .string(test.type.rawValue),
      "events": .array(
        test.events.map { event in
          [
            "seconds": .integer(event.secondsSinceInstall), "event": .string(event.name),
            "revenue": event.revenue.map { $0.amount.json } ?? .null,
            "currency": .optional(event.revenue?.currency.text),
          ]
        }),
      "updates": .array(
        test.updates.map { update in
          [
            "seconds": .integer(update.time), "window": .integer(Int64(update.window.rawValue) + 1),
            "fine": update.fine.map { .integer(Int64($0.number)) } ?? .null,
            "coarse": .optional(update.coarse?.rawValue), "lock": .bool(update.lock),
          ]
        }),
    ]
  }

  /// The text as Markdown, for a ticket or a repository.
  package var markdown: String {
    var lines: [String] = [
      "# \(Self.plain(mapping.name)): send these values", "",
      """
      App \(mapping.app.number), for users whose first launch is at or after \(mapping.effectiveFrom). \
      Amounts are in \(mapping.currency.text).
      """,
      "", "## Rules", "",
    ]
    for (index, rule) in rules.enumerated() { lines.append("\(index + 1). \(Self.plain(rule.english))") }
    lines.append(contentsOf: ["", "## Calls", ""])
    for call in calls {
      lines.append(contentsOf: ["\(call.title.english):", "", "```swift", call.code, "```", ""])
    }
    lines.append(contentsOf: [
      "## Test cases", "",
      "The calls after the last event of each user. Hours count from the first launch.", "",
      "| user | hours | window | fine | coarse | lock |", "|---|---|---|---|---|---|",
    ])
    for test in cases {
      let cells = [Self.plain(test.text.english), Self.hours(test)] + Self.cells(test.lastUpdate)
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The window, fine value, coarse value and lock of a call.
  private static func cells(_ update: ValueUpdate?) -> [String] {
    guard let update else { return ["no call", "none", "none", ""] }
    let fine: String? = update.fine.map { "\($0.number)" }
    return [
      "\(update.window.rawValue + 1)", fine ?? "none", update.coarse?.rawValue ?? "none",
      update.lock ? "yes" : "no",
    ]
  }

  /// A text without what Markdown would read as markup.
  private static func plain(_ text: String) -> String {
    var plain = ""
    for letter in printable(text) {
      if "\\`*_[]<>|#".contains(letter) { plain.append("\\") }
      plain.append(letter)
    }
    return plain
  }
}

extension HandoverCase {
  /// The call that is due after the last event; `nil` where the values of an earlier one are still right.
  package var lastUpdate: ValueUpdate? {
    updates.last { $0.time == events.last?.secondsSinceInstall ?? 0 }
  }
}
