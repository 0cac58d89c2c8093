import JSONText
import Mappings
import Values

extension DecodedPostback {
  /// What the value means, and by which version of which mapping; `null` where nothing does.
  var decoding: JSONOutput {
    guard let expectation, let worth, !expectation.readings.isEmpty else { return .null }
    return [
      "certainty": .optional(certainty),
      "mappings": .array(
        versions.map {
          [
            "name": .string($0.name), "effective-from": .string("\($0.from)"),
            "probability": decimal($0.probability), "rule": .optional($0.label?.english),
          ]
        }),
      "events": .array(
        worth.events.map {
          [
            "event": .string($0.name), "probability": decimal($0.probability),
            "min": .integer(Int64($0.min)), "max": $0.max.map { .integer(Int64($0)) } ?? .null,
          ]
        }),
      "revenue": .array(
        worth.revenue.map {
          [
            "currency": .string($0.currency.text), "revenue-low": $0.low?.json ?? .null,
            "revenue-mid": $0.representative.json, "revenue-high": $0.high?.json ?? .null,
          ]
        }),
    ]
  }

  private func decimal(_ probability: Double) -> JSONOutput {
    Amount(micros: Int64(nearest: probability * 1_000_000)).json
  }
}
