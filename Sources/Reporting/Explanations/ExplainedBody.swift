import Postbacks
package import Values
package import Verification

/// What one body contains and whether it is genuine, in words for people.
package struct ExplainedBody: Sendable {
  package struct Line: Sendable {
    package let fact: Fact
    package let text: Sentence

    init(_ fact: Fact, _ text: Sentence) { (self.fact, self.text) = (fact, text) }
  }

  /// What a line is about; the raw value is its word in texts and JSON.
  package enum Fact: String, Sendable {
    case version, network, app, campaign, window, outcome, interaction, publisher, marketplace
    case value, country, mapping, event, revenue

    package var words: Sentence {
      switch self {
      case .version: Sentence("version")
      case .network: Sentence("network")
      case .app: Sentence("app")
      case .campaign: Sentence("campaign")
      case .window: Sentence("window")
      case .outcome: Sentence("outcome")
      case .interaction: Sentence("interaction")
      case .publisher: Sentence("publisher")
      case .marketplace: Sentence("marketplace")
      case .value: Sentence("value")
      case .country: Sentence("country")
      case .mapping: Sentence("mapping")
      case .event: Sentence("event")
      case .revenue: Sentence("revenue")
      }
    }
  }

  /// `valid`, `invalid`, `unverifiable` or `malformed`.
  package let state: String
  /// `production`, `development` or `test`; `nil` where it is not valid.
  package let environment: String?
  /// Why it is not valid; `nil` where it is.
  package let reason: Sentence?
  package let warnings: [Sentence]
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
    warnings = judgement.warnings.map(\.codedSentence)
    identifier = judgement.id
    guard let postback = reading.postback else {
      (signed, unsigned, signedText) = ([], [], [])
      return
    }
    let facts = postback.attested
    var signed = [
      Line(
        .version,
        facts.version == .adAttributionKit
          ? Sentence(name: "AdAttributionKit") : Sentence("SKAdNetwork \(code: facts.version.rawValue)")),
      Line(.network, Sentence(name: facts.network.text)),
      Line(.app, Sentence(name: "\(facts.advertisedApp.number)")),
      Line(.campaign, Sentence(name: facts.campaign.text)),
    ]
    if facts.version.hasWindows {
      signed.append(Line(.window, Sentence("\(facts.window.rawValue + 1) of 3")))
    }
    signed.append(Line(.outcome, facts.outcome.words))
    if let interaction = facts.interaction {
      signed.append(Line(.interaction, Sentence(name: interaction.rawValue)))
    }
    if let publisher = facts.publisher.text {
      signed.append(Line(.publisher, Sentence(name: publisher)))
    }
    if let marketplace = facts.marketplace {
      signed.append(Line(.marketplace, Sentence(name: marketplace)))
    }
    self.signed = signed
    let value =
      switch postback.claimed.value {
      case .fine(let value): Sentence("\(value.number)")
      case .coarse(let value): Sentence(name: value.rawValue)
      case .absent: Sentence("none")
      case .rejected: Sentence("impossible by Apple's rules")
      }
    unsigned =
      [Line(.value, value)] + (postback.claimed.country.map { [Line(.country, Sentence(name: $0))] } ?? [])
    signedText = String(decoding: postback.signedMessage, as: UTF8.self)
      .split(separator: "\u{2063}", omittingEmptySubsequences: false).map(String.init)
  }
}

extension Outcome {
  fileprivate var words: Sentence {
    switch self {
    case .install: Sentence("install")
    case .redownload: Sentence("redownload")
    case .reengagement: Sentence("re-engagement")
    case .assist: Sentence("assist")
    case .other: Sentence("other")
    }
  }
}
