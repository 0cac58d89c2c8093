public import System

/// Whose a request is, as far as the shares of what is for all are concerned.
///
/// So a stranger at the address of a network, as behind a proxy that is not trusted, takes nothing of the network's share, and
/// a token that is used from many addresses has one share.
public enum RequestSender: Hashable, Sendable {
  /// The holder of a token or of a session that holds, by a name.
  case holder(String)
  /// Anyone else, by the subscriber's address.
  case stranger(IPAddress)

  var isStranger: Bool {
    if case .stranger = self { true } else { false }
  }
}
