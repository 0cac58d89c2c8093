import JSONText
import Values

/// The sorts of object in a mapping file; the raw value is the name of the definition in the JSON Schema.
enum ObjectSort: String, CaseIterable {
  case mapping
  case declaredEvent = "declared-event"
  case rule
  case event
  case count
  case revenue
  case activeHours = "active-hours"
  case grid
  case coarseWindow = "coarse-window"
  case coarseRule = "coarse-rule"

  var required: [String] {
    switch self {
    case .mapping: ["name", "app", "currency", "effective-from", "protocol"]
    case .declaredEvent, .event: ["name"]
    case .rule: ["value"]
    case .count, .revenue, .coarseRule: []
    case .activeHours: ["from", "to"]
    case .grid: ["first-value"]
    case .coarseWindow: ["window"]
    }
  }

  /// The members that an object of this sort may have, besides ``required`` and `comment`.
  var optional: [String] {
    switch self {
    case .mapping:
      [
        "$schema", "raise-only", "measurement-window-hours", "precedence", "partners", "declared-events",
        "fine",
        "grids", "coarse",
      ]
    case .declaredEvent: ["earliest-hours"]
    case .rule:
      ["label", "conversion-types", "events", "revenue", "active-hours", "coarse", "lock", "priority"]
    case .event: ["count", "revenue"]
    case .count: ["min", "max"]
    case .revenue:
      ["from", "to", "includes-from", "includes-to", "currency", "low", "representative", "high"]
    case .activeHours: []
    case .grid:
      [
        "events", "active-hours", "revenue", "closed", "revenue-of", "worth", "order", "currency", "label",
        "lock", "priority", "conversion-types",
      ]
    case .coarseWindow: ["totals", "low", "medium", "high"]
    case .coarseRule: ["label", "conversion-types", "events", "revenue", "active-hours", "lock"]
    }
  }

  var members: [String] { form.names }

  var form: JSONForm {
    JSONForm(
      words.english, required: required, optional: optional + ["comment"], synonyms: MappingWords.synonyms)
  }

  var words: Sentence {
    switch self {
    case .mapping: Sentence("a mapping")
    case .declaredEvent: Sentence("a declared event")
    case .rule: Sentence("a rule")
    case .event: Sentence("an event")
    case .count: Sentence("a count")
    case .revenue: Sentence("a revenue range")
    case .activeHours: Sentence("a range of active hours")
    case .grid: Sentence("a grid")
    case .coarseWindow: Sentence("a window of coarse rules")
    case .coarseRule: Sentence("a coarse rule")
    }
  }
}

/// Words that people write for those of a mapping file.
public enum MappingWords {
  /// What may be meant by a word in lower case and without separators, the most likely first.
  public static let synonyms: [String: [String]] = [
    "mid": ["medium", "middle", "representative"], "med": ["medium", "middle"], "middle": ["medium"],
    "medium": ["middle"],
    "average": ["middle", "representative"], "mean": ["middle", "representative"],
    // The ends of a range, before words for what is counted of users in it.
    "min": ["from", "low", "lower"], "max": ["to", "high", "upper"],
    "minimum": ["from", "min", "low", "lower"], "maximum": ["to", "max", "high", "upper"],
    "lower": ["from", "low"], "upper": ["to", "high"], "least": ["from", "min"], "most": ["to", "max"],
    "start": ["from"], "end": ["to"], "begin": ["from"], "until": ["to"], "above": ["from"], "below": ["to"],
    "over": ["from"], "under": ["to"], "includesmin": ["includes-from"], "includesmax": ["includes-to"],
    "includeslower": ["includes-from"], "includesupper": ["includes-to"],
    "skan": ["skan4"], "skadnetwork": ["skan4"], "skadnetwork3": ["skan3"], "skadnetwork4": ["skan4"],
    "3": ["skan3"], "3.0": ["skan3"], "4": ["skan4"], "4.0": ["skan4"], "adattributionkit": ["aak"],
    "from": ["lower", "min"], "to": ["upper", "max"], "facebook": ["meta"],
    "reengagement": ["re-engagement"], "download": ["install"], "redownload": ["install"],
  ]
}
