package import HTTPServer
package import System

/// Who sent a request, as far as quota, limits and log are concerned: the one address that the client can't choose.
package struct ClientAddress: Equatable, Sendable {
  let address: IPAddress

  package var subscriber: IPAddress { address.subscriber }
}

/// Proxies whose X-Forwarded-For is trusted.
package struct TrustedProxies: Equatable, Sendable {
  private let ranges: [AddressRange]

  package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  package func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// Reports who sent a request.
  ///
  /// What is in X-Forwarded-For is accepted only from a trusted proxy. Each proxy appends the address it has heard, so
  /// the list is read from there: the first address that is no trusted proxy's is the client, and what the client
  /// itself wrote before is never reached.
  ///
  /// - Parameters:
  ///   - peer: Who opened the connection.
  ///   - lines: The lines of X-Forwarded-For, in order; asked for only if they count.
  /// - Returns: The client, or the peer where the list names none.
  func client(of peer: IPAddress, forwardedFor lines: @autoclosure () -> [String]) -> ClientAddress {
    guard !ranges.isEmpty, contains(peer) else { return ClientAddress(address: peer) }
    for entry in lines().joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false)
      .reversed()
    {
      guard let address = Self.address(entry) else { break }
      if !contains(address) { return ClientAddress(address: address) }
    }
    return ClientAddress(address: peer)
  }

  /// Reads `192.0.2.7`, `192.0.2.7:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
  private static func address(_ entry: Substring) -> IPAddress? {
    let blanks: Set<Character> = [" ", "\t"]
    var text = entry.drop { blanks.contains($0) }
    while let last = text.last, blanks.contains(last) { text.removeLast() }
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
      let inner = text[text.index(after: text.startIndex)..<end]
      return inner.contains(":") ? IPAddress(String(inner)) : nil
    }
    if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      return isPort(text[colon...]) ? IPAddress(String(text[..<colon])) : nil
    }
    return IPAddress(String(text))
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || (text.first == ":" && UInt16(text.dropFirst()) != nil && !text.contains("+"))
  }
}

extension TrustedProxies {
  /// Whether the connection was opened by one of them.
  package func isPeer(of request: borrowing Request) -> Bool { contains(request.client) }

  package func client(of request: borrowing Request) -> ClientAddress {
    let peer = request.client
    // The lines are copied before the call, because a borrowed request can't go into a closure.
    guard contains(peer) else { return ClientAddress(address: peer) }
    let lines = request.headers("X-Forwarded-For")
    return client(of: peer, forwardedFor: lines)
  }
}
