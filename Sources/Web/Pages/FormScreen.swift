package import Routing

/// A screen whose forms are for editors.
package protocol FormScreen: ScreenContent {}

extension FormScreen {
  package static var formRole: ViewerRole? { .editor }
}
