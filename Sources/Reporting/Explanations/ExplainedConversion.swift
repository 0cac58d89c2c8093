import JSONText
import Ledger
import Mappings
import Postbacks
package import Values
import Verification

/// A stored conversion, in words for people.
package struct ExplainedConversion: Sendable {
  package struct Copy: Sendable {
    package let receivedAt: Instant
    package let lastReceivedAt: Instant
    package let times: Int64
    package let route: String
    /// The fields that disagree with the first copy; empty for none.
    package let conflict: [String]
    /// Its body; `nil` where it is the first copy's, or is not kept.
    package let body: String?
    /// Whether it stands for copies beyond the quota.
    package let isCountedOnly: Bool
  }

  package let facts: ExplainedBody
  package let receivedAt: Instant
  /// The UTC day of its arrival, as reports call it.
  package var receivedDay: String { "\(receivedAt.day)" }
  package let route: String
  package let environment: String
  package let body: String
  package let copies: [Copy]
  /// When the app can have been launched first; `nil` where the body is no postback any more.
  package let launch: (earliest: Instant, latest: Instant)?
  /// What the value means, as lines of `skan explain`.
  package let meaning: [ExplainedBody.Line]
  package let versions: [DecodedPostback.Version]
  /// The row of the report of campaigns that it counts in; `nil` where the body is no postback any more.
  package let place: (app: String, network: String, campaign: String, window: Int)?
  package let counts: [String]

  init(_ conversion: StoredConversion, in explanation: Explanation) {
    let reading = PostbackReading(conversion.body)
    facts = ExplainedBody(reading, explanation.keyring.judge(conversion.body))
    receivedAt = conversion.receivedAt
    route = Self.route(conversion.origin)
    environment = conversion.environment.rawValue
    body = String(decoding: conversion.body, as: UTF8.self)
    copies = conversion.copies.map { copy in
      Copy(
        receivedAt: copy.receivedAt, lastReceivedAt: copy.lastReceivedAt, times: copy.times,
        route: Self.route(copy.origin), conflict: copy.conflict ?? [],
        body: copy.body.map { String(decoding: $0, as: UTF8.self) }, isCountedOnly: copy.isCountedOnly)
    }
    guard let postback = reading.postback else {
      (launch, meaning, versions, place, counts) = (nil, [], [], nil, [])
      return
    }
    let decoded = explanation.decoded(postback, conversion)
    launch = decoded.launch
    meaning = decoded.lines.filter { $0.fact != .mapping }
    versions = decoded.versions
    let facts = postback.attested
    place = (
      "\(facts.advertisedApp.number)", facts.network.canonical, facts.campaign.text,
      facts.window.rawValue + 1
    )
    counts = CountNames.names(countedFor: facts, postback.claimed)
  }

  static func route(_ origin: Origin) -> String {
    origin.name.isEmpty ? origin.route.rawValue : "\(origin.route.rawValue) \(origin.name)"
  }
}
