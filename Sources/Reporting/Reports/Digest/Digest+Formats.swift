package import JSONText
import Markup
import Postbacks
import Values

extension Digest {
  private var title: String { "skan, week \(weekNumber): \(days), \(environment.rawValue)\(appNames)" }

  private var appNames: String {
    apps.isEmpty ? "" : ", app \(apps.map { "\($0.number)" }.joined(separator: ", "))"
  }

  private var lists: [(title: String, lines: [Line], none: String)] {
    [
      ("Surely changed", changed, "Nothing."),
      ("Sure by now", sure, "No campaign has spend that its installs can be compared with."),
      ("Look at", lookAt, "Nothing."),
    ]
  }

  private var rows: [[String]] {
    figures.flatMap { own -> [[String]] in
      func share(_ share: Double?) -> String { share.map { $0 == 0 ? "0 %" : percent($0) } ?? "none" }
      return [
        ["Conversions (\(own.currency))", grouped(own.conversions), grouped(own.conversionsBefore)],
        ["Decoded revenue, \(own.currency)", Self.money(own.revenue), Self.money(own.revenueBefore)],
        ["Without a mapped value (\(own.currency))", share(own.notShown), share(own.notShownBefore)],
      ]
    }
  }

  private static let heads = ["Figure", "This week", "Week before"]
  private static let ending =
    "Revenue is decoded, by day of arrival. A change is listed where it is more than chance, decided for all causes and "
    + "currencies together: chance alone lists any in at most one week of ten. Returns are estimates of installs up to five days before the end of the "
    + "week, of the revenue that came within the time that is named."

  /// The digest as plain text.
  ///
  /// - Parameters:
  ///   - base: The address of the pages, without a path.
  ///   - words: Makes a sentence or phrase of an English one.
  package func text(base: String, words: (String) -> String = { $0 }) -> String {
    var lines = [words(subject), words(title), ""]
    if !rows.isEmpty {
      let table = ([Self.heads] + rows).map { $0.map(words) }
      let widths = Self.heads.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
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
      lines += [words(list.title).uppercased(), ""]
      if list.lines.isEmpty { lines.append(words(list.none)) }
      for line in list.lines { lines += ["* \(words(line.text))", "  \(base)\(line.address)"] }
      lines.append("")
    }
    lines += notes.map { words("Note: \($0).") } + [words(Self.ending)]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The digest as a page that needs neither style nor pictures, for a mail.
  ///
  /// - Parameter base: The address of the pages, without a path.
  package func html(base: String) -> String {
    let table: HTML =
      rows.isEmpty
      ? ""
      : """
      <table><thead><tr>\(Self.heads.map { head -> HTML in "<th scope=\"col\">\(head)</th>" }.joined())</tr></thead><tbody>\
      \(rows.map { row -> HTML in
        "<tr><th scope=\"row\" align=\"left\">\(row[0])</th><td align=\"right\">\(row[1])</td><td align=\"right\">\(row[2])</td></tr>"
      }.joined())</tbody></table>

      """
    let parts = lists.map { list -> HTML in
      let items = list.lines.map { line -> HTML in
        "<li><a href=\"\(.value(base + line.address))\">\(line.text)</a></li>\n"
      }
      let content: HTML = items.isEmpty ? "<p>\(list.none)</p>" : "<ul>\n\(items.joined())</ul>"
      return "<h2>\(list.title)</h2>\n\(content)\n"
    }
    let notes = (self.notes.map { "Note: \($0)." } + [Self.ending]).map { note -> HTML in "<p>\(note)</p>\n" }
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\
      <title>\(subject)</title></head><body>
      <h1>\(subject)</h1>
      <p>\(title)</p>
      \(table)\(parts.joined())\(notes.joined())</body></html>

      """
    return page.text
  }

  /// The digest for programs, with the addresses of the lines as paths.
  package var json: JSONOutput {
    func list(_ lines: [Line]) -> JSONOutput {
      .array(lines.map { ["text": .string($0.text), "address": .string($0.address)] })
    }
    func amount(_ amount: Amount) -> JSONOutput {
      JSONNumber(amount.description).map { .number($0) } ?? .null
    }
    return [
      "week": [
        "number": .integer(Int64(weekNumber)), "from": .string("\(monday)"), "through": .string("\(sunday)"),
      ],
      "environment": .string(environment.rawValue),
      "apps": .array(apps.map { .string("\($0.number)") }), "subject": .string(subject),
      "figures": .array(
        figures.map { own in
          [
            "currency": .string(own.currency), "conversions": .integer(own.conversions),
            "previous-conversions": .integer(own.conversionsBefore), "revenue": amount(own.revenue),
            "previous-revenue": amount(own.revenueBefore), "not-shown": .decimal(own.notShown),
            "previous-not-shown": .decimal(own.notShownBefore),
          ]
        }),
      "changed": list(changed), "sure": list(sure), "look-at": list(lookAt),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}
