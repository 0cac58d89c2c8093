/// What an operator wants to know of a relay when it happens.
package enum RelayEvent: Equatable, Sendable {
  /// The first attempt after a success failed.
  case failing(reason: String)
  /// A postback was accepted after failures.
  case recovered(failures: Int64)
  case gaveUp(postback: Int64, reason: String)
  /// The database can't be read, or not written; nothing is sent until it can.
  case stopped(reason: String)
}
