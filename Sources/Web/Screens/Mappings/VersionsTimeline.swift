import MappingEditing
import Markup
import Pages
import Values

/// The versions of a mapping in time, as a drawing: which is in force, and when values of two arrive mixed.
struct VersionsTimeline {
  let mappings: AppMappings
  let now: Instant
  let texts: Texts

  /// The days before today that are drawn at most.
  private static let past: Int32 = 180
  private static let future: Int32 = 14
  /// A part of the drawing that is too narrow for a date, in per cent.
  private static let narrow = 15.0

  var markup: HTML {
    guard let first = mappings.versions.first, let last = mappings.versions.last, mappings.versions.count > 1
    else { return "" }
    let today = now.day.number
    let from = max(first.effectiveFrom.day.number, today - Self.past)
    let to = max(today, last.effectiveFrom.day.number) + Self.future
    guard from < to else { return "" }
    func place(_ moment: Instant) -> Double {
      let day = Double(moment.milliseconds) / Double(Day.seconds * 1000)
      return min(100, max(0, (day - Double(from)) / Double(to - from) * 100))
    }
    func share(_ number: Double) -> String { trimmed(number, 2) + "%" }
    let current = mappings.inForce(at: now)?.number
    let starts = mappings.versions.map { place($0.effectiveFrom) }
    let bars = mappings.versions.enumerated().map { index, version -> HTML in
      let (start, end) = (starts[index], index + 1 < starts.count ? starts[index + 1] : 100)
      guard end > start else { return "" }
      let style = version.effectiveFrom > now ? "h0" : version.number == current ? "h4" : "h2"
      let date: HTML =
        end - start < Self.narrow || version.effectiveFrom.day.number < from
        ? ""
        : "<text class=\"ax\" x=\"\(share(start))\" y=\"60\">\(Marks.shortDay(version.effectiveFrom.day))</text>"
      return """
        <rect class="\(style)" x="\(share(start))" y="20" width="\(share(end - start))" height="24"/>\
        <line class="k2" x1="\(share(start))" x2="\(share(start))" y1="20" y2="44"/>\
        <text class="b hi" x="\(share((start + end) / 2))" y="36" text-anchor="middle">\(version.number)</text>\(date)
        """
    }
    let mixed = zip(mappings.versions, mappings.versions.dropFirst()).map { old, new -> HTML in
      guard
        let zone = PublicationReview.mixedZones(old.mapping, new.mapping).first(where: {
          $0.isInOld && $0.isInNew
        })
      else { return "" }
      let (start, end) = (place(zone.from), place(zone.to))
      return
        "<rect class=\"hf\" x=\"\(share(start))\" y=\"46\" width=\"\(share(max(0, end - start)))\" height=\"5\"/>"
    }
    let line = place(now)
    let anchor = line < 10 ? "start" : line > 90 ? "end" : "middle"
    let words = mappings.versions.map { version -> HTML in
      texts.mappingsFromDay(
        number: "\(version.number)", date: "\(Marks.shortDay(version.effectiveFrom.day, hasYear: true))")
    }
    return """
      <div class="plot"><svg class="canvas" height="66" role="img" aria-label="\(words.joined(separator: ", "))">\
      \(bars.joined())\(mixed.joined())<line class="k1" x1="\(share(line))" x2="\(share(line))" y1="14" y2="44"/>\
      <text class="b" x="\(share(line))" y="10" text-anchor="\(anchor)">\(texts.mappingsToday)</text></svg></div>\
      \(Panel.legend([(.bar("h4"), texts.mappingsInForce), (.bar("hf"), texts.mappingsMixed)]))
      """
  }
}
