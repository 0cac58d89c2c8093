package import HTTPServer
import OpenSSL
package import System
import Values

/// A sign-in that a proxy makes, which names the person in a header of each request.
///
/// Only some addresses may set the header, because it can be any name. A request that has it twice, or with anything that
/// is no name, has no user.
package struct ProxySignIn: Equatable, Sendable {
  /// Who may have a role: a person, all members of a group, or each user of the proxy.
  package enum Entry: Hashable, Sendable {
    case person(String)
    case group(String)
    case everyone

    /// Reads `*`, `group:NAME` or a person's name.
    package init(_ text: String) {
      let group = "group:"
      self =
        text == "*"
        ? .everyone
        : text.hasPrefix(group) ? .group(String(text.dropFirst(group.utf8.count))) : .person(text)
    }
  }

  /// The user that a request is from.
  package struct Person: Equatable, Sendable {
    package let name: String
    /// `nil` for someone without access.
    package let role: ViewerRole?
  }

  /// Bytes of a person's name at most.
  private static let longestName = 200

  /// The header with the person's name.
  package let header: String
  /// The header with the person's groups, with commas between them; `nil` for none.
  package let groupsHeader: String?
  /// The addresses that may set both.
  private let proxies: TrustedProxies
  private let editors: [Entry]
  private let readers: [Entry]

  package init(
    header: String, groupsHeader: String?, proxies: [AddressRange], editors: [Entry], readers: [Entry]
  ) {
    self.header = header
    self.groupsHeader = groupsHeader
    self.proxies = TrustedProxies(proxies)
    self.editors = editors
    self.readers = readers
  }

  /// The user of the proxy; `nil` for a request of another address, and where there is not one name.
  package func person(of request: borrowing Request) -> Person? {
    guard proxies.isPeer(of: request) else { return nil }
    let names = request.headers(header)
    guard names.count == 1, let name = names.first, Self.isName(name) else { return nil }
    // Several lines are one list; source: RFC 9110, section 5.3.
    let groups = groupsHeader.map { request.headers($0).joined(separator: ",") } ?? ""
    let own = Set(groups.split(separator: ",").map { String($0.drop { $0 == " " }.trimmingSpaces) })
    func isAmong(_ entries: [Entry]) -> Bool {
      entries.contains { entry in
        switch entry {
        case .everyone: true
        case .person(let person): person == name
        case .group(let group): own.contains(group)
        }
      }
    }
    return Person(name: name, role: isAmong(editors) ? .editor : isAmong(readers) ? .reader : nil)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestName
      && text.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "," }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Viewer {
  /// A user of the proxy; the form token is the same in each request of theirs, and no one else's.
  ///
  /// - Parameter secret: Random bytes of this process.
  /// - Returns: `nil` for someone without access.
  /// - Throws: `OpenSSLError` where the form token cannot be computed.
  package init?(_ person: ProxySignIn.Person, secret: [UInt8]) throws {
    guard let role = person.role else { return nil }
    self.init(
      name: person.name, role: role,
      formToken: hexText(try hmacSHA256(Array(person.name.utf8), secret: secret)), isSignedIn: true,
      hasSession: false)
  }
}
