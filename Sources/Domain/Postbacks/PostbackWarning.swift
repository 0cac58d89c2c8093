import JSONText

/// An oddity in a part of a postback that the signature does not cover or that Apple's rules leave open.
///
/// It never changes the verdict; what it is about is kept and not trusted further.
public enum PostbackWarning: Equatable, Sendable {
  case unknownMember(PostbackPart, name: String)
  /// A member that this version neither documents nor signs; it is rejected.
  case unsignedMember(MemberName, ProtocolVersion)
  /// A text for no value, such as `none`, in a member that Apple leaves out then; the member counts as missing.
  case nullAsText(MemberName)
  /// A fine value outside 0 through 63; it is rejected.
  case valueOutOfRange
  /// A value on a postback of an ad that did not win; it is rejected.
  case valueWithoutWin
  /// A fine value in the second or third window; it is rejected.
  case fineValueInLaterWindow
  /// A fine and a coarse value at once; both are rejected.
  case bothValues
  /// A coarse word that Apple does not document; it is rejected.
  case unknownCoarseWord
  /// A coarse word in upper or mixed case, as relays write it; it is read.
  case coarseCase
  /// A coarse value beside a four-digit source identifier, which Apple's tiers exclude; it is kept.
  case coarseBesideFourDigits
  /// A conversion type that Apple does not document; it is counted as no known outcome.
  case unknownConversionType
  /// An impression type that Apple does not document.
  case unknownImpressionType
  /// An interaction type that Apple does not document; it is ignored.
  case unknownInteractionType
  /// A source app or domain on a postback of an ad that did not win.
  case sourceWithoutWin
  /// A postback of an ad that did not win, for another window than the first.
  case laterWindowWithoutWin
  /// A source, or more than two digits, in the second or third window.
  case detailInLaterWindow
  /// Signed by the production key, but with the source app 0 that marks tests.
  case testMarker

  public var code: String {
    switch self {
    case .unknownMember: "unknown-member"
    case .unsignedMember: "unsigned-member"
    case .nullAsText: "null-as-text"
    case .valueOutOfRange: "value-out-of-range"
    case .valueWithoutWin: "value-without-win"
    case .fineValueInLaterWindow: "fine-value-in-later-window"
    case .bothValues: "both-values"
    case .unknownCoarseWord: "unknown-coarse-word"
    case .coarseCase: "coarse-case"
    case .coarseBesideFourDigits: "coarse-beside-four-digits"
    case .unknownConversionType: "unknown-conversion-type"
    case .unknownImpressionType: "unknown-impression-type"
    case .unknownInteractionType: "unknown-interaction-type"
    case .sourceWithoutWin: "source-without-win"
    case .laterWindowWithoutWin: "later-window-without-win"
    case .detailInLaterWindow: "detail-in-later-window"
    case .testMarker: "test-marker"
    }
  }

  public static let codes = [
    "unknown-member", "unsigned-member", "null-as-text", "value-out-of-range", "value-without-win",
    "fine-value-in-later-window",
    "both-values", "unknown-coarse-word", "coarse-case", "coarse-beside-four-digits",
    "unknown-conversion-type",
    "unknown-impression-type", "unknown-interaction-type", "source-without-win", "later-window-without-win",
    "detail-in-later-window",
    "test-marker",
  ]
}
