/// What came of an attempt to sign in; the raw value is the word in the figures.
package enum SignInResult: String, CaseIterable, Sendable {
  case accepted
  /// The token is unknown, revoked or for something else.
  case rejected
  /// The client made too many attempts, so the token was not looked at.
  case limited
}
