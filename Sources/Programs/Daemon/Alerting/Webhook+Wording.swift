import Delivery
import Pages

extension Webhook {
  /// The wording of its language.
  var wording: Wording {
    guard let language = Language(rawValue: language), language != .english else { return .english }
    let translation = PageTranslation(language)
    return Wording(sentence: { translation.sentence($0) }, page: { translation.page($0) })
  }
}
