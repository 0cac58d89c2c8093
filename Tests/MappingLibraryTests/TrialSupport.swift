import EventFiles
import Mappings
import Postbacks
import Simulation
import Values

/// The text of a mapping with a ladder of revenue.
func mapping(edges: String = "0, 0.5, 2, 10, null", name: String = "m", more: String = "") -> String {
  """
  {
    "name": "\(name)", "app": 7, "currency": "USD", "effective-from": "2026-11-01", "protocol": "skan4",
    "fine": [{"value": 0, "label": "installed"}],
    "grids": [{"first-value": 1, "revenue": [\(edges)], "worth": "low"}],
    "coarse": [
      {"window": 1, "low": {}, "high": {"revenue": {"from": 2, "representative": 4}}},
      {"window": 2, "totals": "window", "low": {}, "high": {"revenue": {"from": 2, "representative": 4}}}]\(more)
  }
  """
}

/// Users of six campaigns of different sizes, as rows of an events file.
func events(users: Int = 1200, seed: UInt64 = 1) -> String {
  var random = SplitMix64(seed: seed)
  var rows = ["user,time,event,revenue,currency,campaign,installed"]
  for user in 0..<users {
    let campaign = min(random.number(below: 6), random.number(below: 6))
    let start = 1_790_000_000 + random.number(below: 10 * 86_400)
    rows.append("u\(user),\(start),open,,,c\(campaign),\(start)")
    for _ in 0..<random.number(below: 4) {
      let cents = random.number(below: 1 + random.number(below: 2000))
      rows.append(
        "u\(user),\(start + random.number(below: 9 * 86_400)),buy,\(cents / 100).\(cents % 100 / 10)\(cents % 10),USD,c\(campaign),\(start)"
      )
    }
  }
  return rows.joined(separator: "\n") + "\n"
}

func read(_ text: String) throws -> Mapping {
  guard let mapping = MappingDocument.read(Array(text.utf8)).document?.mapping else {
    throw TestFailure("the sample is no mapping")
  }
  return mapping
}
