import Foundation
import JSONText
import Mappings
import Postbacks
import SkanMapping
import Testing
import Values

@Suite struct `The document for apps` {
  private static let digest = String(repeating: "0123456789abcdef", count: 4)
  private static let plain = """
    {"format": 1, "app": 525463029, "name": "n", "digest": "\(digest)",
     "effective-from": "2026-11-21T00:00:00Z", "protocol": "skan4", "currency": "EUR",
     "precedence": "highest-value", "fine": [{"value": 1, "events": [{"name": "buy"}]}]}
    """

  @Test func `The document for apps has its members read`() throws {
    let text = Self.plain.replacing(
      "\"protocol\"",
      with:
        "\"next\": {\"effective-from\": \"2026-12-01T00:00:00.250Z\", \"digest\": \"\(Self.digest)\"}, \"protocol\""
    )
    let mapping = try AppMapping(document: Array(text.utf8))
    #expect(mapping.app == 525_463_029 && mapping.name == "n" && mapping.digest == Self.digest)
    #expect(mapping.device == .skan4)
    #expect(mapping.effectiveFrom == 1_795_219_200_000)
    #expect(mapping.next?.effectiveFrom == 1_796_083_200_250 && mapping.next?.digest == Self.digest)
  }

  @Test func `The document for apps dates a version as the server does`() throws {
    var random = SplitMix64(seed: 8)
    for _ in 0..<2_000 {
      let moment = Instant(milliseconds: Int64(random.number(below: 253_402_300_800_000)))
      let text = Self.plain.replacing("2026-11-21T00:00:00Z", with: "\(moment)")
      #expect(try AppMapping(document: Array(text.utf8)).effectiveFrom == moment.milliseconds)
    }
  }

  @Test(arguments: [
    ("\"format\": 1", "\"format\": 2", "format: found the number 2; allowed is a whole number from 1 to 1."),
    (
      "\"app\": 525463029, ", "",
      "document: found no member \"app\"; allowed is an object with the member \"app\"."
    ),
    (
      "\"value\": 1", "\"value\": 64",
      "fine[0].value: found the number 64; allowed is a whole number from 0 to 63."
    ),
    (
      "\"value\": 1", "\"value\": 1.5",
      "line 3, column 52: found \"1\"; allowed is a whole number of at most 64 bits."
    ),
    (
      "\"name\": \"buy\"", "\"name\": \"buy\", \"label\": \"b\"",
      "fine[0].events[0]: found the member \"label\"; allowed is name, count, revenue."
    ),
    (
      "\"name\": \"buy\"", "\"name\": \"buy\", \"count\": {\"min\": 2, \"max\": 1}",
      "fine[0].events[0].count.max: found the number 1; allowed is a whole number from 2 to 1000000000."
    ),
    (
      "\"name\": \"buy\"", "\"name\": \"buy\", \"revenue\": {\"from-micros\": 2, \"to-micros\": 1}",
      "fine[0].events[0].revenue.to-micros: found the number 1; allowed is a whole number from 2 to "
        + "9223372036854775807."
    ),
    (
      "\"skan4\"", "\"skan5\"",
      "protocol: found the text \"skan5\"; allowed is \"skan3\", \"skan4\", \"aak\"."
    ),
    (
      "\"EUR\"", "\"eur\"",
      "currency: found the text \"eur\"; allowed is a currency code of three capital letters."
    ),
    (
      "2026-11-21T", "2026-02-29T",
      "effective-from: found the text \"2026-02-29T00:00:00Z\"; allowed is a moment in UTC such as "
        + "\"2026-11-21T12:00:00Z\"."
    ),
    (
      "\"fine\"", "\"currency\": \"EUR\", \"fine\"",
      "line 3, column 33: found a second member \"currency\"; allowed is each name once."
    ),
    ("[{\"value\"", "[[{\"value\"", "line 3, column 85: found \"}\"; allowed is a comma or ]."),
    (
      "\"precedence\"", "\"coarse\": [{\"window\": 4, \"rules\": []}], \"precedence\"",
      "coarse[0].window: found the number 4; allowed is a whole number from 1 to 3."
    ),
  ])
  func `The document for apps names the place of what is wrong, what is there and what may be`(
    part: String, changed: String, message: String
  ) {
    #expect(Self.plain.contains(part))
    let text = Self.plain.replacing(part, with: changed, maxReplacements: 1)
    let error = #expect(throws: AppDocumentError.self) { try AppMapping(document: Array(text.utf8)) }
    #expect(error?.description == message)
  }

  @Test func `The document for apps survives any change of its bytes`() throws {
    var random = SplitMix64(seed: 7)
    var read = 0
    for _ in 0..<2_000 {
      var bytes = Array(Self.plain.utf8)
      for _ in 0..<1 + random.number(below: 3) {
        let place = random.number(below: bytes.count)
        switch random.number(below: 3) {
        case 0: bytes[place] = UInt8(random.number(below: 256))
        case 1: bytes.remove(at: place)
        default: bytes.insert(Array("{}[]\",:\\u0-9etfn".utf8)[random.number(below: 16)], at: place)
        }
      }
      if (try? AppMapping(document: bytes)) != nil {
        read += 1
        // The server's strict reader takes it for JSON too.
        #expect(throws: Never.self) { try JSONReader.read(bytes) }
      }
    }
    #expect(read > 20)
  }

  @Test func `The document for apps contains no labels and worths`() throws {
    let condition = RevenueCondition(
      try #require(AmountRange(lower: .closed(.zero), upper: .open(Amount(micros: 7_000_000)))), usd,
      representative: Amount(micros: 3_141_592))
    let rule = FineRule(
      value: try #require(FineValue(3)), conditions: Conditions(revenue: condition),
      label: "secret label")
    let mapping = Mapping(
      name: "n", app: try #require(AppID(1)), currency: usd, effectiveFrom: Instant(seconds: 0),
      device: .skan4, partners: [.meta], declaredEvents: [DeclaredEvent(name: "secret event")], fine: [rule],
      coarse: [.third: CoarseRules(rules: [CoarseRule(value: .low, label: "secret too")])])
    let text = String(decoding: mapping.appDocument(), as: UTF8.self)
    for word in ["secret", "3141592", "3.14", "label", "low\":", "representative", "meta"] {
      #expect(!text.contains(word))
    }
    #expect(text.contains("\"revenue\":{\"from-micros\":0,\"to-micros\":6999999}"))
  }
}
