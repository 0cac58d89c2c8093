import MappingEditing
import Markup
import Pages

/// The choice of a ready-made mapping.
enum ModelChoice {
  static func markup(_ texts: Texts) -> HTML {
    let options = MappingModel.allCases.enumerated().map { index, model -> HTML in
      let (name, note) = words(model, texts)
      let checked: HTML = index == 0 ? " checked" : ""
      return """
        <label><input type="radio" name="model" value="\(model.rawValue)"\(checked)><b>\(name)</b><small>\(note)</small></label>
        """
    }
    return """
      <fieldset class="models"><legend class="sr">\(texts.modelsTitle)</legend>\(options.joined())</fieldset>
      """
  }

  static func words(_ model: MappingModel, _ texts: Texts) -> (name: HTML, note: HTML) {
    switch model {
    case .revenue: (texts.modelsRevenue, texts.modelsRevenueNote)
    case .revenueByDay: (texts.modelsRevenueByDay, texts.modelsRevenueByDayNote)
    case .subscription: (texts.modelsSubscription, texts.modelsSubscriptionNote)
    case .funnel: (texts.modelsFunnel, texts.modelsFunnelNote)
    case .adsAndPurchases: (texts.modelsAds, texts.modelsAdsNote)
    case .retention: (texts.modelsRetention, texts.modelsRetentionNote)
    }
  }
}
