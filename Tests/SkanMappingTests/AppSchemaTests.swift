import Foundation
import SkanMapping
import Testing

@Suite struct `The JSON Schema of the document for apps` {
  /// A document with every member that there is.
  private static let whole = """
    {"format": 1, "app": 525463029, "name": "n", "digest": "\(digest)", "effective-from": "2026-11-21T00:00:00Z",
     "next": {"effective-from": "2026-12-01T00:00:00.250Z", "digest": "\(digest)"}, "protocol": "skan4",
     "currency": "EUR", "raise-only": false, "measurement-window-hours": 48, "precedence": "priority",
     "fine": [{"value": 1, \(conditions), "coarse": "low", "lock": true, "priority": 1}],
     "coarse": [{"window": 2, "totals": "window", "rules": [{"value": "low", \(conditions), "lock": false}]}]}
    """
  private static let digest = String(repeating: "0123456789abcdef", count: 4)
  private static let sum = #"{"from-micros": 1, "to-micros": 2, "currency": "EUR"}"#
  private static let conditions = """
    "conversion-types": ["install"], "active-hours": {"from": 0, "to": 24}, "revenue": \(sum),
    "events": [{"name": "buy", "count": {"min": 1, "max": 2}, "revenue": \(sum)}]
    """

  /// A place in the document: names of members, and indices of lists.
  private enum Step: CustomStringConvertible {
    case member(String)
    case item(Int)

    var description: String {
      switch self {
      case .member(let name): ".\(name)"
      case .item(let index): "[\(index)]"
      }
    }
  }

  private let schema: [String: Any]
  private let document: Any

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "schemas/app-mapping.schema.json")
    schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    document = try JSONSerialization.jsonObject(with: Data(Self.whole.utf8))
  }

  @Test func `The JSON Schema of the document for apps has the members that the reader knows`() throws {
    #expect(reading(document) == nil)
    let places = places(schema, document, [])
    var (objects, limits) = (0, 0)
    for (path, node) in places {
      if let properties = node["properties"] as? [String: Any] {
        objects += 1
        let error = try #require(reading(changed(document, path + [.member("zzz")], to: 1)), "\(path)")
        #expect(error.found == "the member \"zzz\"", "\(path)")
        #expect(Set(error.allowed.components(separatedBy: ", ")) == Set(properties.keys), "\(path)")
        #expect(node["additionalProperties"] as? Bool == false, "\(path)")
        let required = Set(node["required"] as? [String] ?? [])
        for name in properties.keys {
          let isNeeded = reading(changed(document, path + [.member(name)], to: nil)) != nil
          #expect(isNeeded == required.contains(name), "\(path) \(name)")
        }
      }
      var wrong: [Any] = []
      if let least = node["minimum"] as? Int { wrong.append(least - 1) }
      if let most = node["maximum"] as? Int, most < .max { wrong.append(most + 1) }
      if node["enum"] != nil || node["pattern"] != nil { wrong.append("zzz") }
      if node["const"] != nil { wrong.append(2) }
      if node["type"] as? String == "boolean" { wrong.append("zzz") }
      for value in wrong {
        limits += 1
        #expect(reading(changed(document, path, to: value)) != nil, "\(path) \(value)")
      }
    }
    #expect(objects == 15 && limits > 40, "\(objects) \(limits)")
  }

  /// Why the reader rejects a document; `nil` where it reads it.
  private func reading(_ value: Any) -> AppDocumentError? {
    guard let bytes = try? JSONSerialization.data(withJSONObject: value) else { return nil }
    do throws(AppDocumentError) {
      _ = try AppMapping(document: Array(bytes))
      return nil
    } catch { return error }
  }

  /// Everything that the schema describes and the document has.
  private func places(_ node: [String: Any], _ value: Any, _ path: [Step]) -> [([Step], [String: Any])] {
    var node = node
    if let reference = node["$ref"] as? String, let name = reference.split(separator: "/").last,
      let definitions = schema["$defs"] as? [String: Any],
      let found = definitions[String(name)] as? [String: Any]
    {
      node = found
    }
    var all = [(path, node)]
    if let properties = node["properties"] as? [String: [String: Any]], let members = value as? [String: Any]
    {
      for (name, inner) in properties {
        if let value = members[name] { all += places(inner, value, path + [.member(name)]) }
      }
    }
    if let inner = node["items"] as? [String: Any], let items = value as? [Any] {
      for (index, item) in items.enumerated() { all += places(inner, item, path + [.item(index)]) }
    }
    return all
  }

  /// The document with another value at a place; `nil` removes what is there.
  private func changed(_ value: Any, _ path: [Step], to new: Any?) -> Any {
    guard let step = path.first else { return new ?? NSNull() }
    let rest = Array(path.dropFirst())
    switch step {
    case .member(let name):
      guard var members = value as? [String: Any] else { return value }
      members[name] = rest.isEmpty ? new : members[name].map { changed($0, rest, to: new) }
      return members
    case .item(let index):
      guard var items = value as? [Any] else { return value }
      items[index] = changed(items[index], rest, to: new)
      return items
    }
  }
}
