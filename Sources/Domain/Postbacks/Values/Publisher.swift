/// Where the ad was shown.
public enum Publisher: Hashable, Sendable {
  /// `source-app-id`, or `publisher-item-identifier` of AdAttributionKit; 0 marks a test.
  case app(AppID)
  /// `source-domain` of a web ad, from SKAdNetwork 4.
  case web(String)
  /// Not sent: the group was too small, or the network did not win.
  case undisclosed

  /// The App Store number or the domain; `nil` where it was not sent.
  public var text: String? {
    switch self {
    case .app(let app): "\(app.number)"
    case .web(let domain): domain
    case .undisclosed: nil
    }
  }
}
