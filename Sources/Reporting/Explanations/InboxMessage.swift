package import JSONText
package import Ledger
package import MappingLibrary
import Mappings
import Postbacks
package import Values
import Verification

/// An arrival at a test inbox with its verdict, its meaning, and what a developer may miss in it.
package struct InboxMessage: Sendable {
  package let arrival: StoredInboxArrival
  /// What the body claims and what its signature covers; empty where it is no postback.
  package let facts: [(name: String, text: String)]
  /// What the value means, as lines of `skan explain`.
  package let meaning: [ExplainedBody.Line]
  /// Oddities that change nothing of the verdict.
  package let warnings: [String]
  /// What is not there, and why that can be; or what to do about a rejected body.
  package let missing: [String]

  /// Explains an arrival.
  ///
  /// - Parameters:
  ///   - arrival: What came; its verdict is the one of its arrival, whatever keys are trusted now.
  ///   - windows: The windows of the same conversion that are stored.
  package init(_ arrival: StoredInboxArrival, catalog: MappingCatalog, windows: Set<Int>) {
    self.arrival = arrival
    let reading = PostbackReading(arrival.body)
    warnings = reading.warnings.map(\.description)
    guard let postback = reading.postback else {
      (facts, meaning) = ([], [])
      missing = Self.cures(arrival, postback: nil)
      return
    }
    let attested = postback.attested
    facts = Self.facts(of: postback)
    var decoder = PostbackDecoder(catalog)
    let decoded = decoder.decode(
      PostbackRow(
        row: 0, receivedAt: arrival.receivedAt, origin: Origin(.advertiserCopy),
        environment: arrival.environment ?? .development, version: attested.version,
        network: attested.network.canonical, app: attested.advertisedApp, campaign: attested.campaign.text,
        window: attested.window, outcome: attested.outcome,
        interaction: attested.interaction ?? postback.claimed.interaction, value: postback.claimed.value,
        country: postback.claimed.country.map(Country.word), publisher: attested.publisher.text,
        marketplace: attested.marketplace, identifier: attested.id))
    meaning = arrival.state == .valid ? decoded.lines : []
    missing =
      arrival.state == .valid && arrival.environment != .production
      ? Self.gaps(in: postback, decoded, windows) : Self.cures(arrival, postback: postback)
  }

  private static func facts(of postback: Postback) -> [(name: String, text: String)] {
    let attested = postback.attested
    let value =
      switch postback.claimed.value {
      case .fine(let value): "\(value.number) (fine)"
      case .coarse(let value): "\(value.rawValue) (coarse)"
      case .absent: "none"
      case .rejected: "impossible by Apple's rules"
      }
    let app = attested.advertisedApp.number
    var lines: [(name: String, text: String)] = [
      ("identifier", attested.id),
      (
        "version",
        attested.version == .adAttributionKit
          ? "AdAttributionKit" : "SKAdNetwork \(attested.version.rawValue)"
      ), ("network", attested.network.text), ("app", app == 0 ? "0 (built by Xcode)" : "\(app)"),
      ("campaign", attested.campaign.text), ("outcome", attested.outcome.rawValue), ("value", value),
    ]
    if attested.version.hasWindows { lines.append(("window", "\(attested.window.rawValue + 1) of 3")) }
    if let country = postback.claimed.country { lines.append(("country", country)) }
    if let publisher = attested.publisher.text { lines.append(("publisher", publisher)) }
    return lines
  }

  /// What a valid postback does not have, and why that can be.
  private static func gaps(
    in postback: Postback, _ decoded: DecodedPostback, _ windows: Set<Int>
  ) -> [String] {
    let attested = postback.attested
    var gaps: [String] = []
    switch decoded.status {
    case .null:
      gaps.append(
        "no value: the app made no update in this window, or the tier that Developer Settings simulate withholds it"
      )
    case .noMapping:
      gaps.append(
        "no mapping of app \(attested.advertisedApp.number) was in force: load one with `skan mapping load`"
          + (attested.advertisedApp.number == 0
            ? "; the app is built by Xcode, so the mapping needs \"app\": 0" : ""))
    case .unmapped: gaps.append("the mapping has no rule for this value: compare it with the app's calls")
    case .impossible: gaps.append("the value is none of Apple's: check what changed the body on its way")
    case .decoded, .zero, .noneExpected: break
    }
    if attested.version.hasWindows, attested.outcome != .assist {
      let open = (1...3).filter { !windows.contains($0) && $0 != attested.window.rawValue + 1 }
      if !open.isEmpty {
        gaps.append(
          "\(open.count == 1 ? "window \(open[0]) has" : "windows \(open.map(String.init).joined(separator: " and ")) have") not arrived: a window's postback needs an "
            + "update in that window; in Developer Mode each lasts 3 minutes and the postback leaves 5 to 10 minutes later"
        )
      }
    }
    if attested.version == .adAttributionKit, postback.claimed.country == nil {
      gaps.append("no country: it comes with the first postback in tier 3 only (iOS 18.4)")
    }
    return gaps
  }

  private static func cures(_ arrival: StoredInboxArrival, postback: Postback?) -> [String] {
    switch (arrival.state, arrival.environment) {
    case (.valid, .production):
      [
        "this is a production postback, which a test inbox does not store: point its sender to Apple's path below "
          + "/.well-known/"
      ]
    case (.malformed, _): ["the body is no postback: send what the device sends, byte for byte"]
    case (.unverifiable, _):
      ["no trusted key is known for it: trust the key of a test with `skan serve --trust-test-keys`"]
    case (.invalid, _):
      [
        postback?.attested.publisher.text == nil
          ? "the signature does not hold: something changed the body, or another key signed it"
          : "the signature does not hold, also with Apple's development keys: something changed the body, or another "
            + "key signed it"
      ]
    case (.valid, _): []
    }
  }

  package var json: JSONOutput {
    func object(_ name: String, _ text: String) -> JSONOutput {
      .object([.init("name", .string(name)), .init("text", .string(text))])
    }
    return .object([
      .init("inbox", .integer(arrival.inbox)), .init("received-at", .string("\(arrival.receivedAt)")),
      .init("state", .string(arrival.state.rawValue)),
      .init("environment", .optional(arrival.environment?.rawValue)),
      .init("reason", .optional(arrival.reason)), .init("stored", .optional(arrival.stored)),
      .init("facts", .array(facts.map { object($0.name, $0.text) })),
      .init("meaning", .array(meaning.map { object($0.fact.rawValue, $0.text.english) })),
      .init("warnings", .array(warnings.map { .string($0) })),
      .init("missing", .array(missing.map { .string($0) })),
      .init("body", .string(String(decoding: arrival.body, as: UTF8.self))),
    ])
  }
}

extension LedgerReader {
  /// Arrivals at test inboxes after a number, explained.
  package func inboxMessages(
    of inbox: Int64?, after row: Int64, since moment: Instant?
  ) throws(LedgerError) -> [InboxMessage] {
    try consistently { () throws(LedgerError) in
      let arrivals = try inboxArrivals(of: inbox, after: row, since: moment)
      guard !arrivals.isEmpty else { return [] }
      let catalog = try MappingCatalog(from: self)
      var messages: [InboxMessage] = []
      for arrival in arrivals {
        let id = PostbackReading(arrival.body).postback?.attested.id
        let stored = try id.map { id throws(LedgerError) in try conversions(identifier: id) } ?? []
        let windows = stored.compactMap { PostbackReading($0.body).postback?.attested.window.rawValue }
        messages.append(InboxMessage(arrival, catalog: catalog, windows: Set(windows.map { Int($0) + 1 })))
      }
      return messages
    }
  }
}
