import Postbacks
package import Verification

/// What one body contains and whether it is genuine, in words for people.
package struct ExplainedBody: Sendable {
  package struct Line: Sendable {
    package let name: String
    package let text: String
  }

  /// `valid`, `invalid`, `unverifiable` or `malformed`.
  package let state: String
  /// `production`, `development` or `test`; `nil` where it is not valid.
  package let environment: String?
  /// Why it is not valid; `nil` where it is.
  package let reason: String?
  package let warnings: [String]
  /// `transaction-id` or `postback-identifier`, where there is a text.
  package let identifier: String?
  package let signed: [Line]
  /// What it does not cover, so that any party on the way can have changed it.
  package let unsigned: [Line]
  /// The parts of the signed text, without their separators.
  package let signedText: [String]

  package init(_ body: [UInt8], keyring: Keyring) { self.init(PostbackReading(body), keyring.judge(body)) }

  init(_ reading: PostbackReading, _ judgement: Judgement) {
    state = judgement.state.rawValue
    environment = judgement.environment?.rawValue
    reason = judgement.reason
    warnings = judgement.warnings.map(\.description)
    identifier = judgement.id
    guard let postback = reading.postback else {
      (signed, unsigned, signedText) = ([], [], [])
      return
    }
    let facts = postback.attested
    var signed = [
      Line(
        name: "version",
        text: facts.version == .adAttributionKit
          ? "AdAttributionKit" : "SKAdNetwork \(facts.version.rawValue)"),
      Line(name: "network", text: facts.network.text),
      Line(name: "app", text: "\(facts.advertisedApp.number)"),
      Line(name: "campaign", text: facts.campaign.text),
    ]
    if facts.version.hasWindows {
      signed.append(Line(name: "window", text: "\(facts.window.rawValue + 1) of 3"))
    }
    signed.append(Line(name: "outcome", text: facts.outcome.rawValue))
    if let interaction = facts.interaction {
      signed.append(Line(name: "interaction", text: interaction.rawValue))
    }
    if let publisher = facts.publisher.text { signed.append(Line(name: "publisher", text: publisher)) }
    if let marketplace = facts.marketplace {
      signed.append(Line(name: "marketplace", text: marketplace))
    }
    self.signed = signed
    let value =
      switch postback.claimed.value {
      case .fine(let value): "\(value.number)"
      case .coarse(let value): value.rawValue
      case .absent: "none"
      case .rejected: "impossible by Apple's rules"
      }
    unsigned =
      [Line(name: "value", text: value)]
      + (postback.claimed.country.map { [Line(name: "country", text: $0)] } ?? [])
    signedText = String(decoding: postback.signedMessage, as: UTF8.self)
      .split(separator: "\u{2063}", omittingEmptySubsequences: false).map(String.init)
  }
}
