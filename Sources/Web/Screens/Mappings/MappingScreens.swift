package import Pages

/// The screens of mappings: versions, the editor, publishing and comparing.
package let mappingScreens: [Screen] = [
  Screen(VersionsScreen.self), Screen(EditorScreen.self), Screen(PublishScreen.self),
  Screen(CompareScreen.self),
]
