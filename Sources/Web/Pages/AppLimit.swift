import Postbacks
import Routing

/// What a viewer may see whose token is limited to apps: pages that are of apps, with those apps alone.
struct AppLimit {
  private static let parameter = "app"
  private let apps: [AppID]

  init(_ viewer: Viewer) { apps = viewer.apps }

  /// The same data without the samples of users, which are of no app.
  func source(_ source: PageSource) -> PageSource {
    apps.isEmpty ? source : source.withoutUsers()
  }

  /// Whether the limit leaves anything of a screen.
  func allows(_ screen: Screen) -> Bool { apps.isEmpty || screen.isOfApps }

  /// The address with the apps that the viewer may see.
  ///
  /// - Throws: ``Problem`` where it names another app, or the screen is of no app.
  func address(_ address: PageAddress, of screen: Screen) throws(Problem) -> PageAddress {
    guard !apps.isEmpty else { return address }
    guard allows(screen) else { throw .limitedToApps }
    let own = apps.map { "\($0.number)" }
    let asked = address[Self.parameter].flatMap { $0.split(separator: ",").map(String.init) }
    guard asked.allSatisfy(own.contains) else { throw .limitedToApps }
    return asked.isEmpty ? address.with(Self.parameter, own.joined(separator: ",")) : address
  }
}
