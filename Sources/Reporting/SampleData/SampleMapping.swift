package import Postbacks
package import Values

/// The mapping files of the sample apps.
package enum SampleMapping {
  /// A file's text.
  ///
  /// - Parameters:
  ///   - version: The number of the version, from 1.
  ///   - day: The first day on which it is in force.
  package static func text(
    of app: AppID, _ kind: SampleUser.Kind, in currency: CurrencyCode, version: Int, from day: Day
  ) -> String {
    let head = """
      "app": \(app.number), "currency": "\(currency.text)", "effective-from": "\(day)",
      """
    let zero =
      #"{ "value": 0, "label": "installed", "revenue": { "from": "0", "to": "0.01", "representative": "0" } }"#
    switch kind {
    case .game:
      let grid =
        version == 1
        ? #""active-hours": [0, 24, 48], "revenue": ["0.01", "0.20", "1", "3", "7", "15", "30", "60", "150"]"#
        : #"""
        "active-hours": [0, 12, 24, 36, 48],
            "revenue": ["0.01", "0.10", "0.30", "0.60", "1", "1.50", "3", "5", "7", "10", "15", "20", "30", "60", "90", "150"]
        """#
      return """
        {
          "name": "Dragon Merge \(version)", \(head) "protocol": "skan4",
          "fine": [\(zero)],
          "grids": [{ "first-value": 1, \(grid) }],
          "coarse": [\(coarse(window: 1, "0", "1", "10")), \(coarse(window: 2, "0", "1", "10")), \(coarse(window: 3, "0", "1", "10"))]
        }

        """
    case .subscription:
      return """
        {
          "name": "FitCoach", \(head) "protocol": "aak",
          "fine": [
            \(zero),
            { "value": 10, "label": "trial", "events": ["trial_start"], "revenue": { "from": "0", "to": "0.01", "low": "0", "representative": "4", "high": "10" } },
            { "value": 30, "label": "monthly", "events": ["subscribe"], "revenue": { "from": "5", "to": "20" } },
            { "value": 50, "label": "yearly", "events": ["subscribe"], "revenue": { "from": "20", "to": "100" } }
          ],
          "coarse": [\(coarse(window: 1, "0", "5", "20")), \(coarse(window: 2, "0", "5", "20")), \(coarse(window: 3, "0", "5", "20"))]
        }

        """
    case .ads:
      return """
        {
          "name": "Radio Nova", \(head) "protocol": "skan3",
          "fine": [\(zero)],
          "grids": [{
            "first-value": 1,
            "revenue": ["0.01", "0.10", "0.20", "0.30", "0.40", "0.50", "0.65", "0.80", "1", "1.25", "1.50", "2", "3"]
          }]
        }

        """
    }
  }

  private static func coarse(window: Int, _ low: String, _ medium: String, _ high: String) -> String {
    let totals = window == 1 ? "" : #" "totals": "window","#
    return """
      {
          "window": \(window),\(totals)
          "low": { "revenue": { "from": "\(low)", "to": "\(medium)" } },
          "medium": { "revenue": { "from": "\(medium)", "to": "\(high)" } },
          "high": { "revenue": { "from": "\(high)", "to": "150" } }
        }
      """
  }
}
