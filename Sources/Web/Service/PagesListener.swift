package import Assistants
package import HTTPServer
package import Pages
package import Routing
import Screens
package import Values

/// The pages on an address of their own, with connections and threads of their own.
package final class PagesListener: Sendable {
  private let server: Server
  private let pages: PageRoutes
  private let assistants: AssistantRoute

  package var address: HostPort { server.address }

  /// Starts to listen.
  ///
  /// - Parameter assistants: Answers what assistants ask at the same address.
  /// - Throws: ``ListenError`` when the address can't be had; errors of randomness and of threads.
  package init(
    _ address: HostPort, _ options: PagesOptions, assistants server: AssistantServer, meter: RequestMeter
  ) throws {
    let pages = try PageRoutes(allScreens, options)
    let assistants = try AssistantRoute(server, beside: pages)
    let router = Router(routes: RouteTable(pages.routes + [assistants.route]), meter: meter) {
      problem, request in
      pages.errorPage(problem, request)
    }
    var listening = ServerOptions(address: address)
    listening.identity = options.identity
    listening.connections = 512
    listening.keepsConnectionsForHolders = true
    // So devices wait for no page, and pages that are made in the background for no stranger's request.
    listening.isBackground = true
    listening.bodyBytes = 24 << 20
    listening.answerBytes = 32 << 20
    // As much as common servers and proxies take; pages repeat their address.
    listening.targetBytes = 8 << 10
    listening.sender = { [proxies = options.proxies] in router.sender(of: $0, behind: proxies) }
    listening.isProxy = { [proxies = options.proxies] in proxies.contains($0) }
    listening.admission = { request in router.admission(of: request) }
    listening.rejection = { rejection, request in router.rejection(rejection, of: request) }
    self.pages = pages
    self.assistants = assistants
    self.server = try Server(listening) { request, reply in router.answer(request, reply) }
  }

  /// Shows other certificates to new connections; without effect where pages are in plain HTTP.
  package func use(_ identity: TLSIdentity) { server.use(identity) }

  /// Stops accepting and lets open requests end for a while.
  package func stop(withinSeconds seconds: Double) {
    pages.close()
    assistants.close()
    server.stop(withinSeconds: seconds)
    pages.join(withinSeconds: 1)
    assistants.join(withinSeconds: 1)
  }
}
