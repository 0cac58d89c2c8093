package import HTTPServer
package import Routing

/// What else than pages is at their address.
extension PageRoutes {
  /// Why a program's request is not answered, by where it came from; `nil` for one that may be.
  ///
  /// Programs send no `Origin`. A browser sends one with each POST, and a page of another site can neither leave it out nor
  /// change it; where no sign-in protects the pages, its name must not lead here either.
  package func problemOfOrigin(_ request: borrowing Request) -> Problem? {
    if isMisdirected(request) { return .misdirected }
    guard request.header("Origin") != nil || request.header("Sec-Fetch-Site") != nil else { return nil }
    return RequestOrigin.isSameSite(request, isSecure: isSecure(request)) ? nil : .otherOrigin
  }

  /// Why a program may not read; `nil` for one with a token, and where pages are open.
  package func problemOfToken(_ request: borrowing Request) -> Problem? {
    options.isOpen ? nil : options.access.rejectionToRead(request)
  }

  /// Who holds the token of a program.
  package func holder(ofToken request: borrowing Request) -> String? {
    options.access.reader(of: request).map { "token \($0.name)" }
  }
}

extension Problem {
  /// A page of another site had a browser send the request; 403.
  fileprivate static let otherOrigin = Problem(
    status: 403, code: "other-site", title: "The request came from another site",
    detail: "Send no Origin, or the one of this address.")
}
