import Delivery
import Pages
import Values

extension Webhook {
  /// The wording of its language.
  var wording: Wording {
    Language(rawValue: language).map { PlainTexts($0).wording } ?? .english
  }
}
