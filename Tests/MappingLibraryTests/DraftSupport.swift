import Ledger
import Postbacks
import Values

/// The text of a mapping.
func mapping(from: String = "2026-11-01", app: Int = 7, name: String = "m", edges: String = "0, 20, null")
  -> [UInt8]
{
  Array(
    """
    {
      "name": "\(name)", "app": \(app), "currency": "USD",
      "effective-from": "\(from)", "protocol": "skan4",
      "grids": [{"first-value": 1, "revenue": [\(edges)], "worth": "low"}]
    }
    """.utf8)
}

func app(_ number: Int64) -> AppID {
  guard let app = AppID(number) else { preconditionFailure("\(number) is an app.") }
  return app
}

func time(_ text: String) -> Instant {
  guard let instant = Instant(text) else { preconditionFailure("\(text) is a time.") }
  return instant
}

extension StoredMapping {
  /// What a load decides: all but the name and the moment.
  var essence: [String] {
    ["\(app.number)", "\(effectiveFrom)", digest, String(decoding: document, as: UTF8.self)]
  }
}
