import JSONText
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Values

extension EditorParts {
  /// Findings of one kind, which are one line of the list.
  private struct FindingGroup {
    /// The place of the first in the list of all, and the findings.
    let first: Int
    var all: [DraftFinding]

    /// The values that they are about.
    var values: HTML { MappingMarks.values(all.compactMap(\.slot)) }
  }

  /// Equal findings together, in the order of the first of each.
  private var groups: [FindingGroup] {
    var groups: [FindingGroup] = []
    struct Kind: Hashable {
      let code: MappingFinding.Code
      let repair: Sentence?
    }
    var places: [Kind: Int] = [:]
    for (index, found) in answer.findings.enumerated() {
      let kind = Kind(code: found.finding.code, repair: found.repair?.title)
      // Errors are corrected one by one, each where it is.
      if found.finding.severity == .warning, let place = places[kind] {
        groups[place].all.append(found)
      } else {
        places[kind] = groups.count
        groups.append(FindingGroup(first: index, all: [found]))
      }
    }
    return groups
  }

  var findings: HTML {
    let groups = groups
    let items = groups.map { item($0) }
    let list: HTML = items.isEmpty ? "<li>\(texts.editorNoFindings)</li>" : items.joined()
    let count =
      answer.errors > 0
      ? texts.editorCountErrors(errors: answer.errors)
      : texts.editorCount(errors: answer.errors, warnings: groups.count)
    return "<p class=\"in s\" id=\"count\">\(count)</p><ul class=\"list\">\(list)</ul>"
  }

  private func item(_ group: FindingGroup) -> HTML {
    let found = group.all[0]
    let finding = found.finding
    let count: HTML = group.all.count > 1 ? " · \(texts.editorPlaces(count: group.all.count))" : ""
    let badge: HTML =
      finding.severity == .error
      ? "<span class=\"badge bad\">✕ \(texts.editorError)</span>"
      : "<span class=\"badge warn\">! \(texts.editorWarning)\(count)</span>"
    let value: HTML =
      found.slot.map { slot -> HTML in
        """
        <a href="#draftmap" data-goto="\(slot.key)" data-path="\(finding.path.description)">\(texts.mappingsValue) \(group.values)</a>
        """
      } ?? ""
    let cure: HTML = finding.hint.map { "<p class=\"cure\">\(texts.say($0))</p>" } ?? ""
    let rest = group.all.map { each -> HTML in
      "<li><p class=\"s\">\(texts.say(each.finding.sentence))</p></li>"
    }
    let each: HTML =
      rest.count > 1
      ? "<details class=\"more\"><summary>\(texts.editorEach)</summary><ul>\(rest.joined())</ul></details>"
      : ""
    return """
      <li><div class="row between"><span class="row">\(badge)\(value)\
      <span class="s soft">\(texts.editorLine(line: "\(finding.position.line)")), <bdi>\(finding.path.description)</bdi></span>\
      </span>\(button(group))</div><p>\(texts.say(finding.sentence))</p>\(cure)\(each)</li>
      """
  }

  /// One cure for all, which is one step.
  private func button(_ group: FindingGroup) -> HTML {
    guard let repair = group.all[0].repair, context.mayEdit else { return "" }
    let word = group.all.count > 1 ? "repair-all" : "repair"
    let title: HTML =
      group.all.count > 1
      ? texts.editorRepairAll(cure: texts.say(phrase: repair.title), count: "\(group.all.count)")
      : texts.say(phrase: repair.title)
    return """
      <button class="btn small" form="draft" \(EditorStep.attributes("\(word):\(group.first)"))>\(title)</button>
      """
  }
}
