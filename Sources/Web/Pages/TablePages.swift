package import Markup

/// The pages that a long table is divided into, and the links between them.
package struct TablePages: Sendable {
  private let current: Int
  private let count: Int
  /// The rows of the current page.
  package let range: Range<Int>

  /// Divides a number of rows; a page beyond the last one counts as the last.
  package init(_ rows: Int, of size: Int, _ page: Int) {
    count = max(1, (rows + size - 1) / size)
    current = min(max(1, page), count)
    let start = (current - 1) * size
    range = start..<min(rows, start + size)
  }

  /// The links; nothing where there is one page.
  package func markup(_ address: PageAddress, _ texts: Texts) -> HTML {
    guard count > 1 else { return "" }
    func link(_ page: Int, _ word: HTML) -> HTML {
      "<a class=\"btn small\" href=\"\(address.with("page", "\(page)").text)\">\(word)</a>"
    }
    let back: HTML = current > 1 ? link(current - 1, texts.pagerBack) : ""
    let next: HTML = current < count ? link(current + 1, texts.pagerNext) : ""
    return """
      <nav class="pager" aria-label="\(texts.pagerLabel)"><span>\(texts.pagerPlace(page: current, pages: count))</span>\
      <span class="row">\(back)\(next)</span></nav>
      """
  }
}
