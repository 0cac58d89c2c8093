package import Markup

extension PageAddress {
  /// The path of the screen that compares two campaigns.
  package static let experimentsPath = "/experiments"
  package static let experimentPlanPath = "/experiments/plan"
}

extension ScreenContext {
  /// The links between the screens of experiments.
  package var experimentTabs: HTML {
    let places = [
      (PageAddress.experimentsPath, texts.experimentCompare),
      (PageAddress.experimentPlanPath, texts.experimentPlan),
    ]
    return Panel.tabs(
      texts.experimentTitle,
      places.map { path, word in
        (address: address.moved(to: path, keeping: ["app", "lang"]), word: word)
      }, current: address.path)
  }
}
