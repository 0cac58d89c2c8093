import Markup
import Values

/// The address of a page on this site: a path and a query, which is the whole state of the page.
package struct PageAddress: Equatable, Sendable {
  /// A part of the query.
  package struct Item: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  package let path: String
  package private(set) var items: [Item]
  /// Whether the viewer may see single postbacks, so that counts lead to them.
  package var hasPostbacks = true
  /// The id of the part of the page to show first.
  private var part: String?

  package init(_ path: String, _ items: [(name: String, value: String)] = []) {
    self.path = path
    self.items = items.map { Item(name: $0.name, value: $0.value) }
  }

  package subscript(name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  /// The same with one value for a parameter; `nil` leaves the parameter out.
  package func with(_ name: String, _ value: String?) -> PageAddress {
    var address = self
    address.items.removeAll { $0.name == name }
    if let value { address.items.append(Item(name: name, value: value)) }
    return address
  }

  /// The same at a part of the page; `nil` for its beginning.
  package func at(part: String?) -> PageAddress {
    var address = self
    address.part = part
    return address
  }

  /// The same without some parameters.
  package func without(_ names: Set<String>) -> PageAddress {
    var address = self
    address.items.removeAll { names.contains($0.name) }
    return address
  }

  /// The same query at another path, only with the parameters that count there.
  package func moved(to path: String, keeping names: Set<String>) -> PageAddress {
    var address = PageAddress(path)
    address.hasPostbacks = hasPostbacks
    address.items = items.filter { names.contains($0.name) }
    return address
  }

  /// The parameters as they are behind the question mark.
  package var query: String {
    items.map { "\(percentEncoded($0.name, keeping: ",:"))=\(percentEncoded($0.value, keeping: ",:"))" }
      .joined(separator: "&")
  }

  package var text: String {
    let path = percentEncoded(path, keeping: ",:/")
    let query = query
    return path + (query.isEmpty ? "" : "?\(query)")
      + (part.map { "#\(percentEncoded($0, keeping: ",:"))" } ?? "")
  }

  /// Reads an address that a form sent back; `nil` for one that leads to another site.
  package init?(local text: String) {
    guard text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("\\"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].contains("#") else { return nil }
    self.init(String(parts[0]), parts.count == 2 ? FormBody.pairs(parts[1].utf8) ?? [] : [])
  }
}
