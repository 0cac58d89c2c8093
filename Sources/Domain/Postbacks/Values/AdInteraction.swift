/// Whether the ad was only seen or also acted upon.
///
/// SKAdNetwork has it as `fidelity-type` (signed, from 2.2), AdAttributionKit as `ad-interaction-type` (unsigned).
public enum AdInteraction: String, Hashable, Sendable, CaseIterable {
  /// `fidelity-type` 0.
  case view
  /// `fidelity-type` 1: StoreKit-rendered or web ad.
  case click
}
