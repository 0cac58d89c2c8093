import Ledger
import Postbacks
import Routing

/// What a viewer may see whose token is limited: pages that are of apps, with those apps alone, or of networks, or of both.
///
/// The reader of the database is limited, too, so that a page which forgot to ask for less shows no more.
struct ViewLimit {
  private static let (app, network) = ("app", "network")
  private let limit: ReadLimit

  init(_ viewer: Viewer) { limit = viewer.limit }

  /// The same data without the samples of users, which are of no app and no network.
  func source(_ source: PageSource) -> PageSource { limit.isNone ? source : source.withoutUsers() }

  /// Whether the limit leaves anything of a screen.
  func allows(_ screen: Screen) -> Bool { rejection(of: screen) == nil }

  /// Where a viewer begins who asks for no page: at the overview, or at the first page that the limit leaves.
  func start(_ address: PageAddress, among screens: [Screen]) -> PageAddress {
    guard let asked = screens.first(where: { $0.path == address.path }), asked.path == "/", !allows(asked)
    else {
      return address
    }
    let places = screens.filter { allows($0) }.compactMap { screen in
      screen.place.map { (path: screen.path, section: $0.section.rawValue, order: $0.order) }
    }
    return places.min { ($0.section, $0.order) < ($1.section, $1.order) }.map { PageAddress($0.path) }
      ?? address
  }

  private func rejection(of screen: Screen) -> Problem? {
    if !limit.networks.isEmpty, !screen.isOfNetworks { return .limitedToNetworks }
    return limit.apps.isEmpty || screen.isOfApps ? nil : .limitedToApps
  }

  /// The address with the apps that the viewer may see.
  ///
  /// - Parameter isForm: Whether a form was sent; a viewer of some networks sends none, because what it stores is seen by others.
  /// - Throws: ``Problem`` where it names another app or network, or the screen is of none.
  func address(_ address: PageAddress, of screen: Screen, isForm: Bool) throws(Problem) -> PageAddress {
    if let problem = rejection(of: screen) { throw problem }
    if !limit.networks.isEmpty {
      let own = limit.networks.map(\.canonical)
      guard !isForm, Self.values(of: Self.network, address).allSatisfy({ own.contains($0.lowercased()) })
      else {
        throw .limitedToNetworks
      }
    }
    guard !limit.apps.isEmpty else { return address }
    let own = limit.apps.map { "\($0.number)" }
    let asked = Self.values(of: Self.app, address)
    guard asked.allSatisfy(own.contains) else { throw .limitedToApps }
    return asked.isEmpty ? address.with(Self.app, own.joined(separator: ",")) : address
  }

  private static func values(of name: String, _ address: PageAddress) -> [String] {
    address[name].flatMap { $0.split(separator: ",").map(String.init) }
  }
}
