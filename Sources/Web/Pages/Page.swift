package import Markup

/// What a screen shows inside the frame.
package struct Page: Sendable {
  /// The heading, which is also the title of the window.
  let title: HTML
  /// One sentence below the heading: which days, by which date, in which clock.
  let scope: HTML
  /// Links and buttons beside the heading.
  let actions: HTML
  let body: HTML
  package var status: Int
  /// After how many seconds a browser asks for the page anew; `nil` for a page that stays.
  package var refreshSeconds: Int?
  /// Scripts besides the one of every page; a page has to be readable without them.
  let scripts: [EmbeddedAsset]
  /// Whether the navigation is behind a menu, so that the page has the whole width.
  let isWide: Bool

  package init(
    _ title: HTML, scope: HTML = "", actions: HTML = "", scripts: [EmbeddedAsset] = [], status: Int = 200,
    isWide: Bool = false, body: HTML
  ) {
    (self.title, self.scope, self.actions, self.body) = (title, scope, actions, body)
    (self.status, self.scripts, self.isWide) = (status, scripts, isWide)
  }
}

package enum PageAnswer: Sendable {
  case page(Page)
  /// Another page of this site, as after a form was taken.
  case redirect(PageAddress)
  /// Another page, which from now on shows the sample data, or no longer does.
  case showSample(Bool, PageAddress)
  /// A part of a page that is fetched again and again; a browser that has it under the same tag gets nothing.
  case part(tag: String, HTML)
  case file(name: String, contentType: String, text: String)
}
