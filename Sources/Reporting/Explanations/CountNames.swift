import Postbacks

/// Names the counts of the campaign report that one postback adds to.
enum CountNames {
  static func names(countedFor facts: AttestedFacts, _ claimed: ClaimedFacts) -> [String] {
    var names = ["postbacks"]
    if facts.window == .first { names.append(name(of: facts.outcome)) }
    switch facts.interaction ?? claimed.interaction {
    case .view: names.append("views")
    case .click: names.append("clicks")
    case nil: break
    }
    guard facts.outcome != .assist else { return names }
    names.append(name(of: claimed.value))
    if case .absent = claimed.value, facts.version.hasWindows { names.append("coarse-null") }
    return names
  }

  private static func name(of outcome: Outcome) -> String {
    switch outcome {
    case .install: "installs"
    case .redownload: "redownloads"
    case .reengagement: "re-engagements"
    case .assist: "assists"
    case .other: "other-conversions"
    }
  }

  private static func name(of value: ConversionValue) -> String {
    switch value {
    case .fine(let value): value.number == 0 ? "values-zero" : "values-positive"
    case .coarse(let value): "coarse-\(value.rawValue)"
    case .absent: "values-null"
    case .rejected: "values-rejected"
    }
  }
}
