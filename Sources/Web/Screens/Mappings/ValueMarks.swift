import MappingEditing
import Mappings
import Markup
import Pages

/// The letters and days that values are marked with on a map, and what they stand for.
struct ValueMarks {
  private let letters: EventLetters
  /// The hours that the values of each event are for, in their order.
  private let hours: [String: [HourRange]]

  init(_ kinds: [ValuePurpose?], _ letters: EventLetters? = nil) {
    self.letters = letters ?? EventLetters(kinds)
    var hours: [String: Set<HourRange>] = [:]
    for case let kind? in kinds { if let own = kind.hours { hours[kind.event, default: []].insert(own) } }
    self.hours = hours.mapValues { $0.sorted { ($0.from, $0.to) < ($1.from, $1.to) } }
  }

  /// The letter of an event, with a number where the event has values for several times.
  func word(_ kind: ValuePurpose?) -> String? {
    guard let kind, let letter = letters[kind.event]?.letter else { return nil }
    let all = hours[kind.event] ?? []
    guard all.count > 1, let own = kind.hours, let place = all.firstIndex(of: own) else { return letter }
    return "\(letter)\(place + 1)"
  }

  func markup(_ kind: ValuePurpose?) -> HTML {
    guard let kind, let word = word(kind) else { return "" }
    return mark(word, letters[kind.event]?.style ?? 0)
  }

  private func mark(_ word: String, _ style: Int) -> HTML { "<span class=\"ev e\(style)\">\(word)</span>" }

  func legend(_ texts: Texts) -> HTML {
    let items = letters.names.flatMap { name -> [HTML] in
      let mark = letters[name]
      let word: HTML = name.isEmpty ? texts.editorAllRevenue : "<bdi>\(name)</bdi>"
      let all = hours[name] ?? []
      guard all.count > 1 else {
        return ["<li>\(self.mark(mark?.letter ?? "", mark?.style ?? 0))\(word)</li>"]
      }
      return all.enumerated().map { place, hours in
        """
        <li>\(self.mark("\(mark?.letter ?? "")\(place + 1)", mark?.style ?? 0))\(word), \(Self.time(hours, texts))</li>
        """
      }
    }
    return "<ul class=\"legend\">\(items.joined())</ul>"
  }

  /// Hours since install in words, as days where they are whole ones.
  private static func time(_ hours: HourRange, _ texts: Texts) -> HTML {
    let day = 24
    guard hours.from % day == 0, hours.to % day == 0 else {
      return texts.markHours(from: "\(hours.from)", to: "\(hours.to)")
    }
    let (first, last) = (hours.from / day + 1, hours.to / day)
    return first == last
      ? texts.markOnDay(day: "\(first)") : texts.markOnDays(from: "\(first)", to: "\(last)")
  }
}
