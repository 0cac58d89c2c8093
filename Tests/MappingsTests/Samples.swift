import JSONText
import Mappings
import Testing
import Values

/// The practitioner's mapping: four revenue ranges worth their middle, one event, activity in steps of 12 hours.
let subscriptions = #"""
  {
    "name": "Subscriptions",
    "app": 1000000001,
    "currency": "USD",
    "effective-from": "2026-11-01",
    "protocol": "skan4",
    "grids": [
      {
        "first-value": 6,
        "events": ["subs_success"],
        "active-hours": [0, 12, 24, 36, 48],
        "revenue": [0, 20, 40, 60, 80]
      }
    ]
  }
  """#

/// Reads a mapping that has to be right.
func mapping(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Mapping {
  let reading = MappingDocument.read(Array(text.utf8))
  #expect(reading.findings.isEmpty, "\(reading.findings)", sourceLocation: sourceLocation)
  return try #require(reading.document, sourceLocation: sourceLocation).mapping
}

/// A mapping of the usual head and the given rest.
func mapping(
  skan device: String, _ rest: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Mapping {
  try mapping(
    #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"\#(device)",\#(rest)}"#,
    sourceLocation: sourceLocation)
}

/// US dollars from a decimal number.
func usd(_ text: String) throws -> Money {
  Money(try Amount(decimal: text), try #require(CurrencyCode("USD")))
}

/// An event at an hour after install.
func event(_ name: String, hour: Double, _ revenue: Money? = nil) -> UserEvent {
  UserEvent(secondsSinceInstall: Int64(hour * 3600), name: name, revenue: revenue)
}
