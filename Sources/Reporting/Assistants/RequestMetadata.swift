import JSONText
import Values

/// What the headers of an HTTP request repeat of the message in its body.
///
/// Source: Model Context Protocol 2026-07-28, "Streamable HTTP", section "Request Metadata".
package struct RequestMetadata: Sendable {
  let revision: String?
  let method: String?
  let name: String?

  /// - Parameters:
  ///   - revision: The header `MCP-Protocol-Version`.
  ///   - method: The header `Mcp-Method`.
  ///   - name: The header `Mcp-Name`.
  package init(revision: String?, method: String?, name: String?) {
    self.revision = revision
    self.method = method
    self.name = name.map(Self.decoded)
  }

  /// Compares the headers with the body, which decides where a proxy has looked at the headers alone.
  func check(_ message: ClientMessage, _ stated: String) throws(AssistantFault) {
    func compare(_ header: String, _ found: String?, _ expected: String) throws(AssistantFault) {
      guard found == expected else { throw .headerMismatch(header, found: found, expected: expected) }
    }
    try compare("MCP-Protocol-Version", revision, stated)
    try compare("Mcp-Method", method, message.method)
    let member = ["tools/call": "name", "resources/read": "uri"][message.method]
    if let member { try compare("Mcp-Name", name, try message.text(member)) }
  }

  /// A value that is not plain ASCII comes as `=?base64?…?=`.
  private static func decoded(_ value: String) -> String {
    guard value.hasPrefix("=?base64?"), value.hasSuffix("?="), value.utf8.count >= 11,
      let bytes = Base64.decode(value.dropFirst(9).dropLast(2).utf8)
    else { return value }
    return String(validating: bytes, as: UTF8.self) ?? value
  }
}
