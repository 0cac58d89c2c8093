import Campaigns
import Ledger
package import Markup
import Values

/// What people call apps and networks on every page: the name of today with the identifier beside it, or the identifier
/// alone.
package struct Called: Sendable {
  private let names: CampaignNames
  private let today: Day

  init(_ reader: LedgerReader, on today: Day) throws(LedgerError) {
    (names, self.today) = (CampaignNames(try reader.namesOfNetworksAndApps()), today)
  }

  /// An app by its App Store number.
  package func app(_ number: String) -> HTML { Self.markup(name(ofApp: number), number) }

  package func app(_ number: Int64) -> HTML { app("\(number)") }

  package func network(_ id: String) -> HTML { Self.markup(name(ofNetwork: id), id) }

  /// The name alone, for cells where every letter counts.
  package func shortApp(_ number: String) -> HTML { "<bdi>\(name(ofApp: number) ?? number)</bdi>" }

  package func shortNetwork(_ id: String) -> HTML { "<bdi>\(name(ofNetwork: id) ?? id)</bdi>" }

  /// The name first, for menus and labels, which cannot hold elements.
  package func appLabel(_ number: String) -> HTML { Self.label(name(ofApp: number), number) }

  package func networkLabel(_ id: String) -> HTML { Self.label(name(ofNetwork: id), id) }

  /// The words that a search by name finds it by.
  package func words(app: String?, network: String?) -> [String] {
    [app.flatMap { name(ofApp: $0) }, network.flatMap { name(ofNetwork: $0) }].compactMap(\.self)
  }

  /// The name of today; `nil` where it has none.
  package func name(ofApp number: String) -> String? {
    Int64(number).flatMap { names.name(ofApp: $0, on: today) }
  }

  private func name(ofNetwork id: String) -> String? { names.name(ofNetwork: id.lowercased(), on: today) }

  private static func markup(_ name: String?, _ id: String) -> HTML {
    guard let name else { return "<bdi>\(id)</bdi>" }
    return "<span class=\"called\"><bdi>\(name)</bdi> <small><bdi>\(id)</bdi></small></span>"
  }

  /// Letters isolate the parts, so that a name written from right to left leaves the identifier as it is.
  private static func label(_ name: String?, _ id: String) -> HTML {
    name.map { "\u{2068}\($0)\u{2069} (\u{2068}\(id)\u{2069})" } ?? "\(id)"
  }
}
