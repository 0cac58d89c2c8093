/// The 64 fine values as 8 rows of 8.
package enum ValueGrid {
  package static func markup(_ caption: HTML, attributes: HTML = "", _ cell: (_ value: Int) -> HTML) -> HTML {
    let head = (0..<8).map { column -> HTML in "<th scope=\"col\">+\(column)</th>" }
    let rows = (0..<8).map { row -> HTML in
      let cells = (0..<8).map { column -> HTML in "<td>\(cell(8 * row + column))</td>" }
      return "<tr><th scope=\"row\">\(8 * row)</th>\(cells.joined())</tr>\n"
    }
    return """
      <table class="vmap"\(attributes)><caption class="sr">\(caption)</caption>\
      <thead><tr><td></td>\(head.joined())</tr></thead><tbody>\(rows.joined())</tbody></table>
      """
  }
}
