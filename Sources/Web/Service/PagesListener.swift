package import HTTPServer
package import Pages
package import Routing
import Screens
package import Values

/// The pages on an address of their own, with connections and threads of their own.
package final class PagesListener: Sendable {
  private let server: Server
  private let pages: PageRoutes

  package var address: HostPort { server.address }

  /// Starts to listen.
  ///
  /// - Throws: ``ListenError`` when the address can't be had; errors of randomness and of threads.
  package init(_ address: HostPort, _ options: PagesOptions, meter: RequestMeter) throws {
    let pages = try PageRoutes(allScreens, options)
    let router = Router(routes: RouteTable(pages.routes), meter: meter) { problem, request in
      pages.errorPage(problem, request)
    }
    var server = ServerOptions(address: address)
    server.identity = options.identity
    server.connections = 512
    server.bodyBytes = 24 << 20
    server.client = { [proxies = options.proxies] request in proxies.client(of: request).subscriber }
    server.isProxy = { [proxies = options.proxies] in proxies.contains($0) }
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
