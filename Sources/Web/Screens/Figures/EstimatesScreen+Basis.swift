import EstimateReports
import Markup
import Pages
import Tables
import Values

extension EstimatesScreen {
  /// What the estimates of an answer rest on.
  func basis(_ answer: ReportAnswer<EstimateReport>, _ texts: Texts) -> HTML {
    guard let table = answer.detail("basis"), let row = table.rows.first else { return "" }
    let entries = zip(table.headers, row).map { header, cell -> (HTML, HTML) in
      let value: HTML =
        switch (header.name, cell) {
        case ("horizons", .words(let keys)): texts.list(keys.map { Self.words(ofHorizon: $0, texts) })
        case ("estimator", .text(let name)): "<code>\(name)</code>"
        default: Marks.cell(cell, header.kind, texts)
        }
      return (texts.say(phrase: header.title), value)
    }
    return Panel.section("basis", texts.estimatesBasis, Panel.list(entries))
  }

  /// A horizon such as `48h`, `7d` or `window-1` in words.
  private static func words(ofHorizon key: String, _ texts: Texts) -> HTML {
    switch (Int(key.dropLast()), key.last) {
    case (let hours?, "h"): texts.say(phrase: Sentence("\(hours, "hour")"))
    case (let days?, "d"): texts.say(phrase: Sentence("\(days, "day")"))
    default: texts.valuesWindow(number: "1")
    }
  }
}
