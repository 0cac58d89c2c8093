import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// What the conversions of each window show, as a bar with words.
struct WindowBars {
  /// A report by window.
  let rows: [CampaignTable.Line]
  let texts: Texts
  /// What a window is called.
  let name: (ConversionWindow) -> HTML
  /// The postbacks of a value and window, from 1; `nil` where they may not be seen.
  let link: (_ value: String, _ window: Int) -> PageAddress?

  var markup: HTML { "<div class=\"coarse\">\(ConversionWindow.allCases.map(bar).joined())</div>" }

  private func bar(_ window: ConversionWindow) -> HTML {
    let counts = rows.first { $0.found(\.window) == window }?.counts ?? .zero
    let zero = counts.fine[0]
    let parts: [(word: HTML, style: String, count: Int64, value: String?)] = [
      (texts.valuesZero, "h1", zero, "0"), (texts.campaignFine, "h5", counts.fine.total - zero, nil),
      (texts.valuesLow, "h2", counts.coarse(.low), "low"),
      (texts.valuesMedium, "h4", counts.coarse(.medium), "medium"),
      (texts.valuesHigh, "h6", counts.coarse(.high), "high"),
      (texts.columnWithheld, "hf", counts.valueNull, "none"),
    ]
    let all = parts.reduce(0) { $0 + $1.count }
    guard all > 0 else {
      return
        "<div class=\"crow\"><b>\(name(window))</b><p class=\"soft\">\(texts.valuesNoneInWindow)</p></div>"
    }
    var bars: HTML = ""
    var words: [HTML] = []
    var at = 0.0
    for part in parts where part.count > 0 {
      let share = Double(part.count) / Double(all)
      bars += """
        <rect class="\(part.style)" x="\(trimmed(at * 100, 2))" width="\(trimmed(share * 100, 2))" height="12"/>
        """
      at += share
      let figure: HTML = "\(Marks.count(part.count)) (\(Marks.shareText(share)))"
      let link: HTML =
        part.value.flatMap { self.link($0, window.rawValue + 1) }
        .map { "<a href=\"\($0.text)\">\(part.word)</a>" } ?? part.word
      words.append("<span class=\"nw\">\(link) \(figure)</span>")
    }
    return """
      <div class="crow"><b>\(name(window))</b><div>\
      <svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">\(bars)</svg>\
      <p class="xs soft">\(words.joined(separator: " · "))</p></div></div>
      """
  }
}
