import JSONText

/// A message of a client: a request, or something that gets no answer.
///
/// Source: JSON-RPC 2.0, sections 4 and 5.
struct ClientMessage {
  /// What the answer has to name; `nil` for notifications and responses, which get none.
  let id: JSONOutput?
  let method: String
  let params: JSONObject

  /// A message that cannot be read, with the identifier of its request where that can.
  struct Unreadable: Error {
    let id: JSONOutput
    let fault: AssistantFault
  }

  /// Reads a message; `nil` for a response, because this side sends no requests.
  static func read(_ value: JSONValue) throws(Unreadable) -> ClientMessage? {
    guard let object = value.object else {
      throw unreadable("A message must be an object, found \(value.sort.rawValue).")
    }
    let id: JSONOutput?
    switch object["id"]?.value {
    case nil: id = nil
    case .string(let text): id = .string(text)
    case .number(let number) where number.isPlainInteger: id = .number(number)
    case let found?:
      throw unreadable("\"id\" must be a string or an integer, found \(found.sort.rawValue).")
    }
    let known = id ?? .null
    guard object["jsonrpc"]?.value.string == "2.0" else {
      throw unreadable("\"jsonrpc\" must be \"2.0\".", known)
    }
    if object["method"] == nil, object["result"] != nil || object["error"] != nil { return nil }
    guard let method = object["method"]?.value.string else {
      throw unreadable("\"method\" must be a string.", known)
    }
    switch object["params"]?.value {
    case nil: return ClientMessage(id: id, method: method, params: JSONObject(members: []))
    case .object(let params): return ClientMessage(id: id, method: method, params: params)
    case let found?:
      throw Unreadable(
        id: known, fault: .badParameters("\"params\" must be an object, found \(found.sort.rawValue)."))
    }
  }

  private static func unreadable(_ detail: String, _ id: JSONOutput = .null) -> Unreadable {
    Unreadable(id: id, fault: .notAMessage(detail))
  }

  /// A text that the method cannot do without.
  func text(_ name: String) throws(AssistantFault) -> String {
    guard let text = params[name]?.value.string else {
      throw .badParameters("\(method) needs \"\(name)\", a string.")
    }
    return text
  }
}
