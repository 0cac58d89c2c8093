import SkanMapping

/// When users install, in milliseconds since 1970: 2026-11-21T00:00:00Z.
let epoch: Int64 = 1_795_219_200_000

/// A document in which the number of purchases is the fine value, up to 9.
func countingMapping(protocol device: String = "skan4") throws -> AppMapping {
  try AppMapping(document: countingDocument(of: "buy", protocol: device))
}

/// The bytes of a document in which the number of an event is the fine value, up to 9.
func countingDocument(of event: String, protocol device: String = "skan4") -> [UInt8] {
  let rules = (1...9).map {
    #"{"value": \#($0), "events": [{"name": "\#(event)", "count": {"min": \#($0)}}]}"#
  }
  let document = """
    {"format": 1, "app": 1, "name": "counting", "digest": "\(String(repeating: "0123456789abcdef", count: 4))",
     "effective-from": "2026-01-01T00:00:00Z", "protocol": "\(device)", "currency": "EUR", "raise-only": false,
     "precedence": "highest-value", "fine": [\(rules.joined(separator: ", "))], "coarse": []}
    """
  return Array(document.utf8)
}
