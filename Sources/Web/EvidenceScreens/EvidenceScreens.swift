package import Explanations
package import Pages

/// The screens of single postbacks, which judge signatures by the keys that the service trusts.
package func evidenceScreens(_ explainer: PostbackExplainer) -> [Screen] {
  [
    Screen(PostbacksScreen.self),
    Screen(PostbackScreen.self) { $0.explainer = explainer },
    Screen(PastedPostbackScreen.self) { $0.explainer = explainer },
  ]
}
