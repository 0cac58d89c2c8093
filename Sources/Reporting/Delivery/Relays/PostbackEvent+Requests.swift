import Explanations
import JSONText
import Ledger
import Mappings
import OpenSSL
import Postbacks
import Values

extension PostbackEvent {
  /// The longest age of an event that Google Analytics certainly takes: it takes three calendar days of a time zone that
  /// is not known here.
  private static let longestGA4Age = 2 * Day.milliseconds

  /// A request body of Google Analytics 4's Measurement Protocol: the campaign of the conversion, and the postback as an
  /// event of its own.
  ///
  /// The instance is the conversion's alone, as a postback names no user.
  ///
  /// Source: https://developers.google.com/analytics/devguides/collection/protocol/ga4/sending-events?client_type=firebase
  /// and .../reference for the limits.
  func ga4(now: Instant) -> JSONOutput {
    let session: [JSONOutput.Member] = [
      .init("session_id", .string("\(postback.row)")), .init("engagement_time_msec", .integer(1)),
    ]
    let campaign: [JSONOutput.Member] = [
      .init("campaign_id", .string(postback.campaign)),
      .init("campaign", shortened(campaignName ?? postback.campaign)),
      .init("source", shortened(networkName ?? postback.network)), .init("medium", .string(medium)),
    ]
    let isRecent = (0...Self.longestGA4Age).contains(now.milliseconds - postback.receivedAt.milliseconds)
    let events: JSONOutput = [
      ["name": "campaign_details", "params": .object(campaign + session)],
      [
        "name": "skan_postback",
        "params": .object(campaign + session + facts.map { .init($0.name, shortened($0.value)) }),
      ],
    ]
    var members: [JSONOutput.Member] = [.init("app_instance_id", .string(instance))]
    // Without a time an event is of the moment at which it arrives.
    if isRecent {
      members.append(.init("timestamp_micros", .integer(postback.receivedAt.milliseconds * 1000)))
    }
    members += [.init("non_personalized_ads", .bool(true)), .init("events", events)]
    return .object(members)
  }

  /// A request body of Meta's Conversions API: one app event, which Meta cannot match to a person, as a postback names
  /// none, and whose id lets it drop what is sent again.
  ///
  /// Source: https://developers.facebook.com/documentation/ads-commerce/conversions-api/app-events and
  /// .../parameters/server-event, .../parameters/app-data.
  var meta: JSONOutput {
    let device: [JSONOutput] = (0..<16).map { place in
      switch place {
      case 0: "i2"
      case 4: .string(postback.version.firstSystem)
      default: ""
      }
    }
    let event: JSONOutput = [
      "event_name": "skan_postback",
      "event_time": .integer(postback.receivedAt.milliseconds / 1000),
      "event_id": .string("\(instance)-\(postback.window.rawValue + 1)"),
      "action_source": "app",
      "user_data": ["anon_id": .string(instance)],
      "app_data": [
        "advertiser_tracking_enabled": .integer(0), "application_tracking_enabled": .integer(0),
        "extinfo": .array(device),
      ],
      "custom_data": .object(
        [
          .init("campaign_id", .string(postback.campaign)),
          .init("campaign", .string(campaignName ?? postback.campaign)),
          .init("source", .string(networkName ?? postback.network)), .init("medium", .string(medium)),
        ] + facts),
    ]
    return ["data": [event]]
  }

  private var medium: String {
    switch postback.version.kind {
    case .skan: "skadnetwork"
    case .aak: "adattributionkit"
    }
  }

  /// The facts of the postback and what they mean; a member that is not known is not there.
  private var facts: [JSONOutput.Member] {
    var facts: [JSONOutput.Member] = [
      .init("postback_window", .integer(Int64(postback.window.rawValue) + 1)),
      .init("outcome", .string(postback.outcome.rawValue)),
    ]
    switch postback.value {
    case .fine(let value): facts.append(.init("conversion_value", .integer(Int64(value.number))))
    case .coarse(let value): facts.append(.init("coarse_conversion_value", .string(value.rawValue)))
    case .absent, .rejected: break
    }
    if !events.isEmpty { facts.append(.init("mapped_events", .string(events.joined(separator: ",")))) }
    if let revenue {
      facts += [
        .init("value", revenue.representative.json), .init("currency", .string(revenue.currency.text)),
      ]
    }
    return facts
  }

  /// A text of 32 hexadecimal digits that stands for the conversion and does not reveal its identifier.
  private var instance: String {
    hexText(SHA256Digest(of: Array("\(postback.network) \(postback.identifier)".utf8)).bytes.prefix(16))
  }

  private func shortened(_ text: String) -> JSONOutput { shortened(.string(text)) }

  /// A value of a parameter, of which Google Analytics takes 100 characters; how it counts is not documented, so that these
  /// are units of UTF-16.
  private func shortened(_ value: JSONOutput) -> JSONOutput {
    guard case .string(let text) = value else { return value }
    var left = 100
    let kept = text.unicodeScalars.prefix { scalar in
      left -= scalar.utf16.count
      return left >= 0
    }
    return .string(String(kept))
  }
}

extension ProtocolVersion {
  /// The first system that sends such postbacks, which is all that they state of the device's.
  ///
  /// Source: Apple, "SKAdNetwork release notes" and "AdAttributionKit".
  fileprivate var firstSystem: String {
    switch self {
    case .v1_0: "11.3"
    case .v2_0, .v2_1: "14.0"
    case .v2_2: "14.5"
    case .v3_0: "14.6"
    case .v4_0: "16.1"
    case .adAttributionKit: "17.4"
    }
  }
}
