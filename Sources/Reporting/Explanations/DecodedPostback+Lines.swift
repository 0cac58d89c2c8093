import Mappings
import Values

extension DecodedPostback {
  var lines: [ExplainedBody.Line] {
    var lines = [ExplainedBody.Line(.value, sentence)]
    for version in versions {
      var parts = [Sentence("\(name: version.name), from \(version.from)")]
      if versions.count > 1 || certainty == "mixed" {
        parts.append(Sentence("\(number: percent(version.probability))"))
      }
      let rule = version.label ?? Sentence("no rule")
      lines.append(.init(.mapping, .joined([.joined(parts, by: ", "), rule], by: ": ")))
    }
    for event in worth?.events ?? [] { lines.append(.init(.event, event.text)) }
    for money in worth?.revenue ?? [] { lines.append(.init(.revenue, money.text)) }
    return lines
  }

  private var sentence: Sentence {
    switch status {
    case .noneExpected: Meaning.noneExpected.line
    case .null: Meaning.null.line
    case .impossible: Sentence("impossible by Apple's rules")
    case .zero: Meaning.zero.line
    case .unmapped: Meaning.unmapped.line
    case .noMapping: Sentence("no mapping was in force for this app")
    case .decoded:
      switch certainty {
      case "mixed": Sentence("decoded; each of these versions may have set it")
      case "newest":
        Sentence(
          "decoded by the newest mapping that this test device can have followed; an earlier one is possible too"
        )
      default: Sentence("decoded")
      }
    }
  }

  private func percent(_ probability: Double) -> String {
    "\(Int(nearest: probability * 100)) %"
  }
}
