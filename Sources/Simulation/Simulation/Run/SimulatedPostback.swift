public import Postbacks
public import Values

/// One postback that a device sent, with what only the simulation knows of it.
public struct SimulatedPostback: Hashable, Sendable {
  /// The campaign as the events file names it.
  public let campaign: String
  /// The campaign as the postback names it: `source-identifier` cut to the digits shown, or `campaign-id`.
  public let campaignOnWire: Campaign
  /// The user's number.
  public let user: UInt64
  /// When the user launched the app first.
  public let installed: Instant
  /// The number of the user's conversion, from 0, the install.
  public let conversion: Int
  /// How the user converted; for a non-winning postback too.
  public let kind: Postbacks.Outcome
  /// When the conversion took place; the install, or the re-engagement.
  public let convertedAt: Instant
  public let version: ProtocolVersion
  public let window: ConversionWindow
  /// Whether the ad won; a non-winning postback has no value.
  public let didWin: Bool
  public let value: ConversionValue
  /// The group's tier, 0 through 3; `nil` if the model has none.
  public let tier: Int?
  /// Whether the app that showed the ad is named.
  public let showsSource: Bool
  /// The app that showed the ad, if it is named and the events contain it.
  public let sourceApp: AppID?
  /// The country of the install, if it is shown and the events contain it; AdAttributionKit only.
  public let country: String?
  /// When the device prepares it: the end of the window, its lock, or SKAdNetwork 3's timer.
  public let preparedAt: Instant
  /// When it leaves the device and, in this simulation, arrives.
  public let sentAt: Instant
  /// The fine value that the app had set; `nil` for none.
  public let trueFine: FineValue?
  /// The coarse value that the app had set; `nil` for none.
  public let trueCoarse: CoarseValue?
  /// True revenue of the user in the window.
  public let revenue: Amount
  /// True revenue of the user in the window at its last update.
  public let revenueAtUpdate: Amount
}
