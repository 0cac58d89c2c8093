import Arguments

/// A page of section 5 of the manual: a file format, from `docs/reference/file-formats.md`, which is in the program.
struct FileFormatPage {
  /// The page's name, such as `skan-mapping`.
  let name: String
  private let summary: String
  private let lines: [Substring]

  /// Every page, in the order of the document.
  static let all: [FileFormatPage] = {
    let document = String(decoding: PackageResources.file_formats_md, as: UTF8.self)
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    let starts = lines.indices.filter { lines[$0].hasPrefix("## ") } + [lines.endIndex]
    return zip(starts, starts.dropFirst()).compactMap { FileFormatPage(lines[$0..<$1]) }
  }()

  /// Reads a section: its heading, then `<!-- manual: NAME: SUMMARY -->`; `nil` for a section that is no page.
  private init?(_ section: ArraySlice<Substring>) {
    guard let mark = section.dropFirst().first, mark.hasPrefix("<!-- manual: "), mark.hasSuffix(" -->") else {
      return nil
    }
    let words = mark.dropFirst(13).dropLast(4)
    guard let colon = words.firstIndex(of: ":") else { return nil }
    name = String(words[..<colon])
    summary = String(words[words.index(after: colon)...].drop { $0 == " " })
    lines = Array(section.dropFirst(2))
  }

  func text(of program: Program) -> String {
    var page = ManualPage()
    page.title(
      name, section: 5, date: skanVersionDay, source: "\(program.name) \(skanVersion)",
      manual: "\(program.name) manual")
    page.heading("NAME")
    page.named(name, summary)
    page.heading("DESCRIPTION")
    page.markdown(lines)
    page.seeAlso([(program.name, 1)] + Self.all.filter { $0.name != name }.map { ($0.name, 5) })
    return page.text
  }
}
