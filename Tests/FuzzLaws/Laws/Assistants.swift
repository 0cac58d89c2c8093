import Alerts
import Assistants
import JSONText
import Ledger
import Values
import Verification

extension FuzzTarget {
  /// Messages of assistants: one answer of the protocol for each request, whatever the bytes are, and the same again.
  ///
  /// The database cannot be opened, so a tool gets as far as its question; tests with a database are of the server.
  static let assistant = FuzzTarget("assistant", dictionary: jsonWords + assistantWords) { bytes in
    guard let server else { throw LawBroken("the keys of Apple are in the program") }
    let answer = server.answer(bytes)
    try law(answer == server.answer(bytes), "the same bytes get the same answer")
    var lines = MessageLines()
    let whole = lines.take(bytes) + [lines.finish()].compactMap(\.self)
    var pieces = MessageLines()
    let parted = bytes.flatMap { pieces.take([$0]) } + [pieces.finish()].compactMap(\.self)
    try law(whole == parted, "lines are the same however their bytes come")
    guard let body = answer.body else {
      return try law(answer.status == 202, "nothing is sent with 202 alone")
    }
    try law(!body.contains(0x0A), "an answer is one line")
    let value = try JSONReader.read(body).value
    for part in value.array?.map(\.value) ?? [value] {
      let object = part.object
      try law(
        object?["jsonrpc"]?.value.string == "2.0" && object?["id"] != nil, "an answer names its request")
      try law((object?["result"] == nil) != (object?["error"] == nil), "an answer is a result or an error")
    }
  }

  private static let server = (try? Keyring(trusting: [])).map { keyring in
    AssistantServer(
      version: "1",
      source: AssistantSource(
        database: "", keyring: keyring, clock: { Instant(seconds: 0) },
        open: { throw CommandError(.inputOutput, "there is no database") }, rules: { AlertRules() }))
  }

  private static let assistantWords = [
    "jsonrpc", "2.0", "id", "method", "params", "_meta", "initialize", "server/discover", "ping",
    "tools/list",
    "tools/call", "resources/list", "resources/read", "notifications/initialized", "protocolVersion",
    "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities", "2026-07-28",
    "2025-06-18", "name", "arguments", "report_campaigns", "explain", "skan://tools/explain", "limit",
    "cursor",
    "by", "from", "environment", "sort",
  ]
}
