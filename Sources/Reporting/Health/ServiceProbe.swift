import HTTPServer
package import Values

/// What is at an address before a service listens there.
package enum ServiceProbe: Hashable, Sendable {
  /// Nothing; a service could listen.
  case free
  /// A service that answers as this program does.
  case running

  /// Listens for a moment, and asks the process that is there otherwise.
  ///
  /// - Throws: `ListenError` where something else is in the way.
  package static func at(_ address: HostPort, overTLS: Bool) throws -> ServiceProbe {
    do {
      let server = try Server(ServerOptions(address: address)) { _, reply in reply.send(Response(status: 503))
      }
      server.stop(withinSeconds: 1)
      return .free
    } catch {
      guard error.code == .addressInUse, HTTPProbe.get("/healthz", at: address, overTLS: overTLS) == "ok\n"
      else { throw error }
      return .running
    }
  }
}

/// The versions of the libraries that serve HTTP.
package var serverLibraries: String { "libmicrohttpd \(microHTTPDVersion), GnuTLS \(gnuTLSVersion)" }
