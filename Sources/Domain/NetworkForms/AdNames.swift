import JSONText
import Postbacks
import Values

/// What a network calls an ad, in members of its own beside Apple's.
///
/// Apple signs none of it.
package struct AdNames: Hashable, Sendable {
  package enum Part: CaseIterable, Sendable {
    case campaign, campaignID, adSet, adSetID, creative, creativeID

    /// The members that have it, those that name it best first.
    ///
    /// Sources: Adjust, "Apple payload structure" and "Adjust payload structure" (TikTok sends the same); AppMetrica,
    /// "Integration for ad networks within SKAdNetwork"; Unity, "SKAdNetwork postback integration reference"; AppsFlyer,
    /// "SKAN raw data reports"; Branch, "SKAN Postback API Spec"; Liftoff, "SKAdNetwork Reporting API".
    package var members: [String] {
      switch self {
      case .campaign:
        [
          "ad-network-campaign-name", "ad_network_campaign_name", "adjust-campaign", "partner-campaign-name",
          "campaign_name", "campaign",
        ]
      case .campaignID:
        [
          "ad-network-campaign-id", "ad_network_campaign_id", "adjust-campaign-id", "partner-campaign-id",
          "vungle_campaign_id", "campaign_id",
        ]
      case .adSet:
        [
          "ad-network-adset-name", "ad_network_adset_name", "adjust-adgroup", "partner-ad-set-name",
          "adset_name",
          "adgroup",
        ]
      case .adSetID:
        [
          "ad-network-adset-id", "ad_network_adset_id", "adjust-adgroup-id", "partner-ad-set-id", "adset_id",
          "adgroup_id",
        ]
      case .creative:
        [
          "adjust-creative", "partner-creative-name", "ad-network-ad-name", "ad_network_ad_name",
          "partner-ad-name",
          "creative_name", "creative",
        ]
      case .creativeID:
        [
          "adjust-creative-id", "partner-creative-id", "ad-network-ad-id", "ad_network_ad_id",
          "partner-ad-id",
          "vungle_creative_id", "creative_id",
        ]
      }
    }
  }

  /// Letters that a name has at most; a longer text is none.
  package static let mostLetters = 200

  private var texts: [Part: String] = [:]

  /// The names among members that are not Apple's; `nil` where no campaign is named.
  ///
  /// - Parameter members: Names and values of a network's own members. One with two values names nothing.
  init?(_ members: [(name: String, value: String)]) {
    var found: [String: String?] = [:]
    for (name, value) in members where Self.known.contains(name) {
      let text = Self.usable(value)
      if let earlier = found[name], earlier != text { found[name] = .some(nil) } else { found[name] = text }
    }
    guard !found.isEmpty else { return nil }
    for part in Part.allCases {
      for name in part.members {
        guard case .some(.some(let text)) = found[name] else { continue }
        texts[part] = text
        break
      }
    }
    guard self[.campaign] != nil || self[.campaignID] != nil else { return nil }
  }

  package subscript(part: Part) -> String? { texts[part] }

  /// What the campaign is called: its name, else the network's own number for it.
  package var title: String { self[.campaign] ?? self[.campaignID] ?? "" }

  private static let known = Set(Part.allCases.flatMap(\.members))

  /// A text that can be a name: one line of some letters, and no macro that was not replaced.
  private static func usable(_ text: String) -> String? {
    let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    guard !WireType.isAbsent(trimmed), trimmed.unicodeScalars.count <= mostLetters,
      trimmed.unicodeScalars.allSatisfy({
        $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
      })
    else { return nil }
    return trimmed
  }
}

extension AdNames {
  /// The names in what was stored of a network; `nil` where there are none.
  ///
  /// - Parameters:
  ///   - document: What the network sent.
  ///   - profile: The name of the profile that it was read by; `nil` where it was stored as Apple's body.
  package init?(stored document: [UInt8], profile: String?) {
    guard let profile else {
      guard let node = try? JSONReader.read(document), case .object(let object) = node.value else {
        return nil
      }
      self.init(object.members.map { ($0.name, Sent($0.name, $0.value.value).text) })
      return
    }
    let isJSON = document.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
    // A profile of the configuration is not known here; its own names of Apple's members name no ad.
    let known = NetworkProfile.builtIn(profile) ?? (isJSON ? .text : .macros)
    self.init(
      known.read(document).members.filter { $0.treatment == .own }.map { ($0.name, $0.value) })
  }
}
