import Routing

extension ScreenContext {
  /// Whether this session began with the token of a number.
  package func isOwn(token id: Int64) -> Bool { viewer.token == id }

  /// Whether a text is the token that this session began with.
  package func holds(token text: String) -> Bool { viewer.holds(text) }

  /// Whether the session began with a token, so that its text can be asked for.
  package var hasToken: Bool { viewer.hasSession }

  /// Whether there is a sign-in, so that it is known who changes something.
  package var isSignedIn: Bool { viewer.isSignedIn }

  package func newToken() throws -> String { try newTokenText() }
}
