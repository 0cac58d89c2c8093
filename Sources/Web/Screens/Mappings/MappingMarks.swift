import MappingLibrary
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// Pieces that several screens of mappings share.
enum MappingMarks {
  static func field(
    _ id: String, _ name: String, _ label: HTML, _ value: String, type: String = "text", more: HTML = ""
  ) -> HTML {
    """
    <div class="field"><label for="\(id)">\(label)</label>\
    <input id="\(id)" name="\(name)" type="\(type)" value="\(.value(value))"\(more)></div>
    """
  }

  static func choice(
    _ id: String, _ name: String, _ label: HTML, _ value: String, _ options: [(value: String, word: HTML)]
  ) -> HTML {
    let list = options.map { option -> HTML in
      let selected: HTML = option.value == value ? " selected" : ""
      return "<option value=\"\(.value(option.value))\"\(selected)>\(option.word)</option>"
    }
    return """
      <div class="field"><label for="\(id)">\(label)</label><select id="\(id)" name="\(name)">\(list.joined())</select></div>
      """
  }

  /// A text that cannot be changed, such as one of two that collide.
  static func readOnlyText(_ id: String, _ label: HTML, _ text: [UInt8]) -> HTML {
    """
    <div class="field"><label for="\(id)">\(label)</label>\
    <textarea id="\(id)" rows="16" readonly spellcheck="false">\n\(.value(String(decoding: text, as: UTF8.self)))</textarea></div>
    """
  }

  /// A message at the top of the page; an error of the last action is announced at once.
  static func banner(_ message: HTML, isError: Bool = true) -> HTML {
    isError
      ? "<div class=\"banner bad\" role=\"alert\"><div><p>\(message)</p></div></div>"
      : "<div class=\"banner\" role=\"status\"><div><p>\(message)</p></div></div>"
  }

  /// A table of rows whose first cell names them.
  static func table(_ caption: HTML, heads: [(HTML, Bool)], _ rows: [[HTML]]) -> HTML {
    let head = heads.map { title, isNumber -> HTML in
      isNumber ? "<th scope=\"col\" class=\"n\">\(title)</th>" : "<th scope=\"col\">\(title)</th>"
    }
    let body = rows.map { cells -> HTML in
      let cells = zip(cells, heads).enumerated().map { index, pair -> HTML in
        let style: HTML = pair.1.1 ? " class=\"n\"" : ""
        return index == 0 ? "<th scope=\"row\"\(style)>\(pair.0)</th>" : "<td\(style)>\(pair.0)</td>"
      }
      return "<tr>\(cells.joined())</tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="\(caption)"><table><caption class="sr">\(caption)</caption>\
      <thead><tr>\(head.joined())</tr></thead><tbody>\(body.joined())</tbody></table></div>
      """
  }

  /// The mixed zones of a change of versions.
  static func mixedZones(
    _ rows: [(name: HTML, zone: PublicationReview.MixedZone)], _ texts: Texts
  ) -> HTML {
    table(
      texts.mappingsMixed,
      heads: [
        (texts.mappingsChange, false), (texts.mappingsWindow, true), (texts.mappingsFrom, false),
        (texts.mappingsUntil, false),
      ],
      rows.map { row in
        [
          row.name, "\(row.zone.window.rawValue + 1)", Marks.day(row.zone.from.day, hasYear: true),
          Marks.day(row.zone.to.day, hasYear: true),
        ]
      })
  }

  /// What a value means, or that it means nothing.
  static func meaning(_ meaning: Meaning, _ texts: Texts) -> HTML {
    meaning == .unmapped
      ? "<span class=\"soft\">\(texts.mappingsNoMeaning)</span>" : "<bdi>\(meaning.line)</bdi>"
  }

  /// The badge for what becomes of a value.
  static func badge(_ kind: MeaningChange.Kind) -> HTML {
    let style =
      switch kind {
      case .kept: ""
      case .changed: " warn"
      case .gained: " good"
      case .lost: " bad"
      }
    return "<span class=\"badge\(style)\">\(kind.rawValue)</span>"
  }

  /// Differences of two mappings, a row for each value.
  static func changes(_ changes: [MeaningChange], _ texts: Texts) -> HTML {
    table(
      texts.mappingsCompareVersions,
      heads: [
        (texts.mappingsValue, false), (texts.mappingsKind, false), (texts.mappingsOldMeaning, false),
        (texts.mappingsNewMeaning, false),
      ],
      changes.map { change in
        [
          "\(change.slot.key)", badge(change.kind), meaning(change.old, texts), meaning(change.new, texts),
        ]
      })
  }
}

extension Texts {
  func version(_ number: Int) -> HTML { mappingsVersionNumber(number: "\(number)") }
}
