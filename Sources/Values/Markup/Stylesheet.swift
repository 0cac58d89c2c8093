/// The looks of all pages, also of those that are a file.
package enum Stylesheet {
  package static let bytes = PackageResources.style_css
}
