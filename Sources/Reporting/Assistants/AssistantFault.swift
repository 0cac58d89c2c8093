import JSONText

/// A message that gets an error of the protocol; what a tool cannot answer is no fault but a result.
///
/// Source: JSON-RPC 2.0, "Error object"; Model Context Protocol 2026-07-28, "Error Codes".
struct AssistantFault: Error, Equatable {
  let code: Int64
  let message: String
  var data: JSONOutput?
  /// The status over HTTP where requests state their revision.
  var status = 400
  /// The status over HTTP after a handshake, whose clients expect errors of a method with 200.
  var statusAfterHandshake = 400

  /// The body is not JSON.
  static func notJSON(_ detail: String) -> Self {
    Self(code: -32_700, message: "The message is not JSON: \(detail).")
  }

  /// The JSON is no message of the protocol.
  static func notAMessage(_ detail: String) -> Self { Self(code: -32_600, message: detail) }

  static func unknownMethod(_ name: String, among names: [String]) -> Self {
    Self(
      code: -32_601,
      message: "There is no method \(quoted(name)); use one of \(names.joined(separator: ", ")).",
      status: 404, statusAfterHandshake: 200)
  }

  static func badParameters(_ detail: String, data: JSONOutput? = nil) -> Self {
    Self(code: -32_602, message: detail, data: data, statusAfterHandshake: 200)
  }

  static func missingMetadata(_ name: String, _ form: String) -> Self {
    Self(code: -32_602, message: "\"_meta\" needs \"\(name)\", \(form).")
  }

  /// A resource that there is not; the code before the revision 2026-07-28 was one of its own.
  static func unknownResource(_ address: String, _ revision: ProtocolRevision) -> Self {
    Self(
      code: revision.isStateless ? -32_602 : -32_002,
      message: "There is no resource \(quoted(address)); resources/list has all.",
      data: ["uri": .string(address)], statusAfterHandshake: 200)
  }

  static func unsupported(_ revision: String) -> Self {
    Self(
      code: -32_022, message: "The revision \(quoted(revision)) of the protocol is not supported.",
      data: [
        "supported": .array(ProtocolRevision.allCases.reversed().map { .string($0.rawValue) }),
        "requested": .string(revision),
      ])
  }

  /// A header of HTTP states something else than the body.
  static func headerMismatch(_ name: String, found: String?, expected: String) -> Self {
    Self(
      code: -32_020,
      message:
        "The header \(name) has to be \(quoted(expected)) as in the body, found \(found.map { quoted($0) } ?? "none")."
    )
  }

  var json: JSONOutput {
    .object(
      [.init("code", .integer(code)), .init("message", .string(message))]
        + (data.map { [.init("data", $0)] } ?? []))
  }
}
