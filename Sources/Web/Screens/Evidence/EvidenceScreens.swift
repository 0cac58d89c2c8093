import Reporting
package import Pages
package import Verification

/// The screens of single postbacks, which judge signatures by the keys that the service trusts.
package func evidenceScreens(trusting keyring: Keyring) -> [Screen] {
  let explainer = PostbackExplainer(trusting: keyring)
  return [
    Screen(PostbacksScreen.self),
    Screen(PostbackScreen.self) { $0.explainer = explainer },
    Screen(PastedPostbackScreen.self) { $0.explainer = explainer },
  ]
}
