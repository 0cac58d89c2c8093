/// What the bodies of a relay contain; the raw value is the word in the configuration.
package enum RelayForm: String, Hashable, Sendable, CaseIterable {
  /// The bytes as they arrived, with Apple's signature.
  case postback
  /// An object with the text as it arrived and what it means.
  case enriched
  /// Events of Google Analytics 4.
  case ga4
  /// An event of Meta's Conversions API.
  case meta

  /// Whether the receiver counts each body as an event, so that it must get a conversion once.
  package var isEvent: Bool {
    switch self {
    case .postback, .enriched: false
    case .ga4, .meta: true
    }
  }
}
