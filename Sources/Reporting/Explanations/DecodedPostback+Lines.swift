import Mappings
import Values

extension DecodedPostback {
  var lines: [(name: String, text: String)] {
    var lines = [("value", sentence)]
    for version in versions {
      let share = versions.count > 1 || certainty == "mixed" ? ", \(percent(version.probability))" : ""
      let rule = version.label.map { ": \(printable($0))" } ?? ": no rule"
      lines.append(("mapping", "\(printable(version.name)), from \(version.from)\(share)\(rule)"))
    }
    for event in worth?.events ?? [] { lines.append(("event", event.text)) }
    for money in worth?.revenue ?? [] { lines.append(("revenue", money.text)) }
    return lines
  }

  private var sentence: String {
    switch status {
    case .noneExpected: Meaning.noneExpected.line
    case .null: Meaning.null.line
    case .impossible: "impossible by Apple's rules"
    case .zero: Meaning.zero.line
    case .unmapped: Meaning.unmapped.line
    case .noMapping: "no mapping was in force for this app"
    case .decoded:
      switch certainty {
      case "mixed": "decoded; each of these versions may have set it"
      case "newest":
        "decoded by the newest mapping that this test device can have followed; an earlier one is possible too"
      default: "decoded"
      }
    }
  }

  private func percent(_ probability: Double) -> String {
    "\(Int(nearest: probability * 100)) %"
  }
}
