package import HTTPServer
import Pages
package import Routing
import Screens
package import Values
package import Verification

/// Where pages are served, and to whom.
package struct PagesPlace: Sendable {
  package let address: HostPort
  /// Whether they need no sign-in.
  package var isOpen = false
  /// The certificates and key of TLS; `nil` for plain HTTP.
  package var identity: TLSIdentity?
  /// Proxies whose headers name the client.
  package var proxies = TrustedProxies()

  package init(_ address: HostPort) { self.address = address }
}

/// What pages show, and what takes note of them.
package struct PagesContent: Sendable {
  /// Database, access, alerts and clock, which pages share with the service.
  let service: ServiceContext
  /// The keys that postbacks are judged by.
  let keyring: Keyring
  let meter: RequestMeter
  /// The folder of mapping files; `nil` where the database alone has them.
  package var mappings: String?
  /// The folder of events files to try mappings on; `nil` where there is none.
  package var samples: String?
  let noteFailure: @Sendable (_ id: String, _ path: String, _ reason: String) -> Void

  package init(
    _ service: ServiceContext, keyring: Keyring, meter: RequestMeter,
    noteFailure: @escaping @Sendable (_ id: String, _ path: String, _ reason: String) -> Void
  ) {
    self.service = service
    self.keyring = keyring
    self.meter = meter
    self.noteFailure = noteFailure
  }
}

/// The pages on an address of their own, with connections and threads of their own.
package final class PagesListener: Sendable {
  private let server: Server
  private let pages: PageRoutes

  package var address: HostPort { server.address }

  /// Starts to listen.
  ///
  /// - Throws: ``ListenError`` when the address can't be had; errors of randomness and of threads.
  package init(_ place: PagesPlace, _ content: PagesContent) throws {
    let service = content.service
    var options = PagesOptions(database: service.database, access: service.access, clock: service.clock)
    options.isOpen = place.isOpen
    options.isSecure = place.identity != nil
    options.proxies = place.proxies
    options.alerts = service.alerts
    options.hasAddedProductionKeys = content.keyring.addedProductionKeys > 0
    options.mappings = content.mappings
    options.samples = content.samples
    options.noteFailure = content.noteFailure
    options.noteSignIn = { [figures = service.figures] result in figures.note(result) }
    let screens = siteScreens(trusting: content.keyring) { [figures = service.figures] in
      figures.reading.certificateEnd
    }
    let pages = try PageRoutes(screens, options)
    let router = Router(routes: RouteTable(pages.routes), meter: content.meter) { problem, request in
      pages.errorPage(problem, request)
    }
    var server = ServerOptions(address: place.address)
    server.identity = place.identity
    server.connections = 512
    server.bodyBytes = 24 << 20
    server.client = { [proxies = place.proxies] request in proxies.client(of: request).subscriber }
    server.isProxy = { [proxies = place.proxies] in proxies.contains($0) }
    server.admission = { request in router.admission(of: request) }
    server.rejection = { rejection, request in router.rejection(rejection, of: request) }
    self.pages = pages
    self.server = try Server(server) { request, reply in router.answer(request, reply) }
  }

  /// Shows other certificates to new connections; without effect where pages are in plain HTTP.
  package func use(_ identity: TLSIdentity) { server.use(identity) }

  /// Stops accepting and lets open requests end for a while.
  package func stop(withinSeconds seconds: Double) {
    pages.close()
    server.stop(withinSeconds: seconds)
    pages.join(withinSeconds: 1)
  }
}
