import EstimateReports
package import JSONText
import Markup
import Postbacks
package import Values

extension Digest {
  private var title: Sentence {
    let week = Sentence("skan, week \(weekNumber): \(days), \(code: environment.rawValue)")
    let apps = apps.map { "\($0.number)" }.joined(separator: ", ")
    return apps.isEmpty ? week : .joined([week, Sentence("app \(code: apps)")], by: ", ")
  }

  private var lists: [(title: Sentence, lines: [Line], none: Sentence)] {
    [
      (
        Self.installs(of: judgedDays),
        money.flatMap(\.sentences).map { Line(text: $0, address: moneyAddress) },
        Sentence("No revenue can be estimated.")
      ),
      (Sentence("Surely changed"), changed, Sentence("Nothing.")),
      (
        Sentence("Sure by now"), sure,
        Sentence("No campaign has spend that its installs can be compared with.")
      ),
      (Sentence("Look at"), lookAt, Sentence("Nothing.")),
    ]
  }

  private var rows: [[Sentence]] {
    func number(_ number: String) -> Sentence { Sentence("\(number: number)") }
    func share(_ share: Double?) -> Sentence {
      share.map { number($0 == 0 ? "0 %" : percent($0)) } ?? Sentence("none")
    }
    func money(_ amount: Amount?) -> Sentence {
      amount.map { number(Self.money($0)) } ?? Sentence("none")
    }
    return figures.flatMap { own in
      [
        [
          Sentence("Conversions (\(code: own.currency))"), number(grouped(Int64(nearest: own.conversions))),
          number(grouped(Int64(nearest: own.conversionsBefore))),
        ],
        [
          Sentence("Estimated revenue, \(code: own.currency)"), money(own.revenue), money(own.revenueBefore),
        ],
        [
          Sentence("Withheld values (\(code: own.currency))"), share(own.nullShare),
          share(own.nullShareBefore),
        ],
      ]
    }
  }

  private static func installs(of days: Range<Day>) -> Sentence {
    Sentence("Installs of \(words: days.lowerBound) to \(words: Day(number: days.upperBound.number - 1))")
  }

  private var heads: [Sentence] {
    [Sentence("Figure"), Self.installs(of: changedDays), Sentence("7 days before")]
  }
  private static let ending = Sentence(
    "Revenue is estimated, with withheld values, of installs up to five days before the end of the week, within the time that is "
      + "named. A change is listed where it is more than chance, decided for all causes and currencies together: chance alone "
      + "lists any in at most one week of ten.")

  /// The notes, and what is so of each digest.
  private var closing: [Sentence] { notes.map { Sentence("Note: \($0).") } + [Self.ending] }

  /// The digest as plain text.
  ///
  /// - Parameter base: The address of the pages, without a path.
  package func text(base: String, in wording: Wording = .english) -> String {
    let say = wording.say
    var lines = [say(subject), say(title), ""]
    if !rows.isEmpty {
      let table = ([heads] + rows).map { $0.map(say) }
      let widths = heads.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
      for row in table {
        let cells = row.enumerated().map { column, cell in
          let gap = String(repeating: " ", count: widths[column] - cell.count)
          return column == 0 ? cell + gap : gap + cell
        }
        lines.append(cells.joined(separator: "  "))
      }
      lines.append("")
    }
    for list in lists {
      lines += [say(list.title).uppercased(), ""]
      if list.lines.isEmpty { lines.append(say(list.none)) }
      for line in list.lines { lines += ["* \(say(line.text))", "  \(base)\(line.address)"] }
      lines.append("")
    }
    lines += closing.map(say)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The digest as a page that needs neither style nor pictures, for a mail.
  ///
  /// - Parameter base: The address of the pages, without a path.
  package func html(base: String, in wording: Wording = .english) -> String {
    // Marks that keep the direction of names stay letters, where other text has what cannot be seen written out.
    let say = { (sentence: Sentence) -> HTML in
      wording.isRightToLeft ? .value(wording.say(sentence)) : "\(wording.say(sentence))"
    }
    let table: HTML =
      rows.isEmpty
      ? ""
      : """
      <table><thead><tr>\(heads.map { head -> HTML in "<th scope=\"col\">\(say(head))</th>" }.joined())</tr></thead><tbody>\
      \(rows.map { row -> HTML in
        "<tr><th scope=\"row\" align=\"left\">\(say(row[0]))</th><td align=\"right\">\(say(row[1]))</td><td align=\"right\">\(say(row[2]))</td></tr>"
      }.joined())</tbody></table>

      """
    let parts = lists.map { list -> HTML in
      let items = list.lines.map { line -> HTML in
        "<li><a href=\"\(.value(base + line.address))\">\(say(line.text))</a></li>\n"
      }
      let content: HTML = items.isEmpty ? "<p>\(say(list.none))</p>" : "<ul>\n\(items.joined())</ul>"
      return "<h2>\(say(list.title))</h2>\n\(content)\n"
    }
    let notes = closing.map { note -> HTML in "<p>\(say(note))</p>\n" }
    let direction: HTML = wording.isRightToLeft ? " dir=\"rtl\"" : ""
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="\(wording.language)"\(direction)><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\
      <title>\(say(subject))</title></head><body>
      <h1>\(say(subject))</h1>
      <p>\(say(title))</p>
      \(table)\(parts.joined())\(notes.joined())</body></html>

      """
    return page.text
  }

  /// The digest for programs, with the addresses of the lines as paths.
  package var json: JSONOutput {
    func list(_ lines: [Line]) -> JSONOutput {
      .array(lines.map { ["text": .string($0.text.english), "address": .string($0.address)] })
    }
    func amount(_ amount: Amount) -> JSONOutput {
      JSONNumber(amount.description).map { .number($0) } ?? .null
    }
    return [
      "week": [
        "number": .integer(Int64(weekNumber)), "from": .string("\(monday)"), "through": .string("\(sunday)"),
      ],
      "environment": .string(environment.rawValue),
      "apps": .array(apps.map { .string("\($0.number)") }), "subject": .string(subject.english),
      "figures": .array(
        figures.map { own in
          [
            "currency": .string(own.currency), "horizon": .string(own.horizon.columnText),
            "conversions": .decimal(own.conversions), "previous-conversions": .decimal(own.conversionsBefore),
            "revenue": own.revenue.map(amount) ?? .null,
            "previous-revenue": own.revenueBefore.map(amount) ?? .null,
            "null-share": .decimal(own.nullShare), "previous-null-share": .decimal(own.nullShareBefore),
          ]
        }),
      "money": .array(money.map(\.json)), "changed": list(changed), "sure": list(sure),
      "look-at": list(lookAt),
      "notes": .array(notes.map { .string($0.english) }),
    ]
  }
}
