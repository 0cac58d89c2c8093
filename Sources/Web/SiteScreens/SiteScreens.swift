import EvidenceScreens
import Explanations
import MappingScreens
import OperationScreens
package import Pages
import Screens
package import Verification

/// All screens of the site, of every module that has some; the navigation has them by their own sections and places.
package func siteScreens(trusting keyring: Keyring) -> [Screen] {
  allScreens + evidenceScreens(PostbackExplainer(trusting: keyring)) + mappingScreens + operationScreens
}
