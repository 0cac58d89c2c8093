import Arguments
import JSONText
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// The page for developers as parts: editors see them beside the link, and others behind it.
struct HandoverView {
  /// What can be saved of it.
  enum File: String, CaseIterable, ParameterValue { case json, markdown, tests }

  /// Rows of the table that are shown without a click.
  private static let shownCases = 12

  let version: AppMappings.Version
  let handover: MappingHandover
  let texts: Texts
  private let called: Called

  init(_ version: AppMappings.Version, _ context: ScreenContext) {
    self.version = version
    (texts, called) = (context.texts, context.called)
    handover = MappingHandover(version.mapping)
  }

  var title: HTML { texts.handoverHeading(name: "<bdi>\(version.mapping.name)</bdi>") }

  var scope: HTML {
    texts.handoverScope(
      app: called.app(version.mapping.app.number), number: "\(version.number)",
      date: Marks.day(version.effectiveFrom.day, hasYear: true), currency: "\(version.mapping.currency.text)")
  }

  /// Links to the files, at an address of this page.
  func links(_ address: PageAddress) -> HTML {
    func link(_ file: File, _ word: HTML) -> HTML {
      "<a class=\"btn\" href=\"\(address.with("save", file.rawValue).text)\">\(word)</a>"
    }
    return
      "\(link(.markdown, texts.handoverMarkdown))\(link(.json, texts.handoverJson))\(link(.tests, texts.handoverTestsJson))"
  }

  func file(_ file: File) -> PageAnswer {
    let name = "mapping-\(version.mapping.app.number)-\(version.number)"
    return switch file {
    case .json:
      .file(
        name: "\(name).json", contentType: "application/json", text: handover.json.text(pretty: true) + "\n")
    case .tests:
      .file(
        name: "\(name)-tests.json", contentType: "application/json",
        text: handover.testsJSON.text(pretty: true) + "\n")
    case .markdown:
      .file(name: "\(name).md", contentType: "text/markdown; charset=utf-8", text: handover.markdown)
    }
  }

  var body: HTML { "\(rules)\(calls)\(cases)" }

  private var rules: HTML {
    let items = handover.rules.map { rule -> HTML in "<li>\(texts.say(rule))</li>" }
    return Panel.section("rules", texts.handoverRules, "<ol class=\"rules\">\(items.joined())</ol>")
  }

  private var calls: HTML {
    let parts = handover.calls.map { call -> HTML in
      "<h3>\(texts.say(phrase: call.title))</h3><pre class=\"codebox\" tabindex=\"0\"><code>\(call.code)</code></pre>"
    }
    return Panel.section(
      "calls", texts.handoverCalls,
      note: version.mapping.isRaiseOnly ? texts.handoverCallsRising : texts.handoverCallsNote,
      "<div class=\"stack\">\(parts.joined())</div>")
  }

  private var cases: HTML {
    let all = handover.cases
    let rest: HTML =
      all.count > Self.shownCases
      ? """
      <details class="more in"><summary>\(texts.handoverMore(count: all.count - Self.shownCases))</summary>\
      \(table(Array(all.dropFirst(Self.shownCases))))</details>
      """ : ""
    return Panel.section(
      "tests", texts.handoverTests, note: texts.handoverTestsNote, flush: true,
      "\(table(Array(all.prefix(Self.shownCases))))\(rest)")
  }

  private func table(_ cases: [HandoverCase]) -> HTML {
    func column(_ title: HTML, _ cell: (ValueUpdate) -> HTML?) -> DataTable.Column {
      .init(title, isNumber: false, cases.map { $0.lastUpdate.flatMap(cell) ?? Marks.none(texts) })
    }
    return Panel.table(
      texts.handoverTests,
      [
        .init(texts.handoverUser, isNumber: false, cases.map { texts.say(phrase: $0.text) }),
        .init(texts.handoverHours, cases.map { "\(MappingHandover.hours($0))" }),
        .init(
          texts.mappingsWindow, isNumber: false,
          cases.map { $0.lastUpdate.map { "\($0.window.rawValue + 1)" } ?? texts.handoverNoCall }),
        column(texts.handoverFine) { $0.fine.map { "\(Int($0.number))" } },
        column(texts.handoverCoarse) { $0.coarse.map { "\($0.rawValue)" as HTML } },
        column(texts.handoverLock) { $0.lock ? texts.handoverYes : texts.handoverNo },
      ], texts)
  }
}
