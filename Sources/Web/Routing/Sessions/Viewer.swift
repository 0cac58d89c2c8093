package import Ledger
package import OpenSSL
import Values

/// What someone who looks at pages may do.
package enum ViewerRole: Int, Comparable, Sendable {
  case reader
  case editor

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

package struct Viewer: Equatable, Sendable {
  package let name: String
  package let role: ViewerRole
  /// What every form of this viewer has to send along.
  package let formToken: String
  /// Whether it is known who looks.
  package let isSignedIn: Bool
  /// Whether there is a session that can be ended here; not where a proxy signs in.
  package let hasSession: Bool
  /// The number of the token of the session; `nil` where it is not one of the database.
  package let token: Int64?
  /// The only apps and networks that the viewer may see.
  package let limit: ReadLimit
  /// The SHA-256 of that token; `nil` without a sign-in.
  private let digest: SHA256Digest?

  package init(
    name: String, role: ViewerRole, formToken: String, isSignedIn: Bool, hasSession: Bool,
    token: Int64? = nil,
    digest: SHA256Digest? = nil, limit: ReadLimit = .none
  ) {
    self.hasSession = hasSession
    self.limit = limit
    self.digest = digest
    self.name = name
    self.role = role
    self.formToken = formToken
    self.isSignedIn = isSignedIn
    self.token = token
  }
}

extension Viewer {
  /// Whose views this viewer saves.
  package var viewOwner: ViewOwner {
    !isSignedIn ? .anyone : hasSession ? .token(name) : .proxyUser(name)
  }

  /// Whose shares this viewer takes of what is for all; `nil` where it is not known who looks.
  package var holder: String? { isSignedIn ? "\(hasSession ? "token" : "user") \(name)" : nil }

  /// Whether a text is the token of this session, which a stolen cookie does not have.
  package func holds(_ text: String) -> Bool { digest == SHA256Digest(of: Array(text.utf8)) }

  /// Whether a text is the form token of this viewer's pages.
  package func isShown(formToken text: String) -> Bool { isSame(Array(text.utf8), Array(formToken.utf8)) }

  /// The viewer of pages that need no sign-in.
  ///
  /// - Throws: `OpenSSLError` when there is no randomness.
  package static func anyone() throws(OpenSSLError) -> Viewer {
    Viewer(
      name: "", role: .editor, formToken: hexText(try randomBytes(32)), isSignedIn: false, hasSession: false)
  }
}
