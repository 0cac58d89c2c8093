package import Markup

/// What a screen shows inside the frame.
package struct Page: Sendable {
  /// The heading, which is also the title of the window.
  package var title: HTML
  /// One sentence below the heading: which days, by which date, in which clock.
  package var scope: HTML
  /// Links and buttons beside the heading.
  package var actions: HTML = ""
  package var body: HTML
  package var status = 200
  /// Scripts besides the one of every page; a page has to be readable without them.
  package var scripts: [EmbeddedAsset] = []
  /// Whether the navigation is behind a menu, so that the page has the whole width.
  package var isWide = false

  package init(_ title: HTML, scope: HTML = "", body: HTML) {
    self.title = title
    self.scope = scope
    self.body = body
  }
}

package enum PageAnswer: Sendable {
  case page(Page)
  /// Another page of this site, as after a form was taken.
  case redirect(PageAddress)
  /// A part of a page that is fetched again and again; a browser that has it under the same tag gets nothing.
  case part(tag: String, HTML)
  case file(name: String, contentType: String, text: String)
}
