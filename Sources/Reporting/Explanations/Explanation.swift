package import JSONText
package import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values
package import Verification

/// Everything known of the postbacks with one identifier.
package struct Explanation: Sendable {
  package let identifier: String
  /// Its conversions: more than one where windows, networks or frameworks share it.
  package let conversions: [StoredConversion]
  /// The first bodies that claim it and are rejected.
  package let rejections: [StoredRejection]
  /// How many more there are: any sender can send bodies that claim an identifier.
  package let rejectionsLeftOut: Int
  let keyring: Keyring
  let catalog: MappingCatalog

  package static let summary = "Explain one postback: verdict, copies, meaning and counts."
  package static let discussion = [
    "The identifier is a transaction-id (SKAdNetwork) or a postback-identifier (AdAttributionKit). "
      + "The explanation contains the verdict, the signed text, the arrival and route of each copy, "
      + "conflicts between copies, the range of install times that Apple's timers allow, and the figures "
      + "that count the postback."
  ]

  /// Bytes of rejected bodies that are shown at most, beside the last of them.
  private static let mostBytes = 1 << 20

  package init(of identifier: String, from reader: LedgerReader, keyring: Keyring) throws(LedgerError) {
    self.identifier = identifier
    self.keyring = keyring
    conversions = try reader.conversions(identifier: identifier)
    rejections = try reader.rejectedBodies(identifier: identifier, atMostBytes: Self.mostBytes)
    rejectionsLeftOut = try reader.rejectedBodyCount(identifier: identifier) - rejections.count
    catalog = try MappingCatalog(from: reader)
  }

  private var meaning: ConversionMeaning { ConversionMeaning(by: catalog) }

  /// Whether the ledger knows nothing of it.
  package var isEmpty: Bool { conversions.isEmpty && rejections.isEmpty }

  package var json: JSONOutput {
    .object([
      .init("id", .string(identifier)),
      .init("conversions", .array(conversions.map(json))),
      .init(
        "rejected",
        .array(
          rejections.map { rejection in
            .object([
              .init("received-at", .string("\(rejection.receivedAt)")),
              .init("route", route(rejection.origin)),
              .init("state", .string(rejection.state.rawValue)),
              .init("reason-code", .string(rejection.reason)),
              .init("reason", .optional(keyring.judge(rejection.body).reason?.english)),
              .init("body", text(rejection.body)),
            ])
          })),
      .init("rejected-left-out", .integer(Int64(rejectionsLeftOut))),
    ])
  }

  /// The same as text, for people to read.
  package var jsonText: String { json.text(pretty: true) + "\n" }

  private func json(_ conversion: StoredConversion) -> JSONOutput {
    let judgement = keyring.judge(conversion.body)
    let reading = PostbackReading(conversion.body)
    var members: [JSONOutput.Member] = [
      .init("environment", .string(conversion.environment.rawValue)),
      .init("received-at", .string("\(conversion.receivedAt)")),
      .init("route", route(conversion.origin)),
      .init("verdict-now", .object(judgement.members)),
    ]
    if let postback = reading.postback {
      let message = postback.signedMessage
      members += [
        .init("facts", meaning.facts(postback)),
        .init("signed-string", .string(readable(message))),
        .init("signed-string-hex", .string(hexText(message))),
        .init("first-launch", interval(postback, conversion)),
        .init("meaning", .string(decoded(postback, conversion).status.rawValue)),
        .init("decoding", decoded(postback, conversion).decoding),
        .init("counts-in", countsIn(postback, conversion)),
      ]
    }
    members += [
      .init("body", text(conversion.body)),
      .init("copies", .array(conversion.copies.map(json))),
    ]
    return .object(members)
  }

  private func json(_ copy: StoredCopy) -> JSONOutput {
    .object([
      .init("received-at", .string("\(copy.receivedAt)")),
      .init("last-received-at", .string("\(copy.lastReceivedAt)")),
      .init("times", .integer(copy.times)), .init("route", route(copy.origin)),
      .init("conflict", copy.conflict.map { .array($0.map { .string($0) }) } ?? .null),
      .init("counted-only", .bool(copy.isCountedOnly)), .init("body", copy.body.map(text) ?? .null),
    ])
  }

  func decoded(_ postback: Postback, _ conversion: StoredConversion) -> DecodedPostback {
    meaning.decoded(postback, ArrivedBody(conversion))
  }

  func interval(_ postback: Postback, _ conversion: StoredConversion) -> JSONOutput {
    meaning.interval(postback, ArrivedBody(conversion))
  }

  /// The row of the campaign report that it is in, and the counts there.
  private func countsIn(_ postback: Postback, _ conversion: StoredConversion) -> JSONOutput {
    let facts = postback.attested
    return .object([
      .init("environment", .string(conversion.environment.rawValue)),
      .init("day", .string("\(conversion.receivedAt.day)")),
      .init("app", .integer(facts.advertisedApp.number)),
      .init("network", .string(facts.network.canonical)), .init("campaign", .string(facts.campaign.text)),
      .init("counts", .array(CountNames.names(countedFor: facts, postback.claimed).map { .string($0) })),
    ])
  }

  func route(_ origin: Origin) -> JSONOutput { .string(origin.text) }

  private func text(_ body: [UInt8]) -> JSONOutput { .string(String(decoding: body, as: UTF8.self)) }

  /// The signed string with its invisible separators made visible.
  func readable(_ message: [UInt8]) -> String {
    String(decoding: message, as: UTF8.self).unicodeScalars
      .map { $0 == "\u{2063}" ? " | " : String($0) }.joined()
  }
}
