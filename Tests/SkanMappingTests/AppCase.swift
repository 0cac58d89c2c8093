import Foundation
import Mappings
import Postbacks
import SkanMapping
import Values

/// A row of the table of decisions: what happens in an app, step by step, and the calls that follow.
struct AppCase {
  /// What happens at one moment; times are seconds after the first launch.
  enum Step {
    case launch(at: Int64)
    case record(String, at: Int64, euros: Double? = nil, currency: String = "EUR", tag: String? = nil)
    case reengage(String?, at: Int64)
    /// The app does not confirm the calls of a step.
    indirect case unconfirmed(Step)
    /// The app ends and is started again with what it saved.
    case restart
    /// A newer document arrives.
    case use(String)
  }

  let name: String
  let document: String
  var rules = ReengagementRules()
  let steps: [Step]

  init(_ name: String, _ document: String, _ steps: [Step], rules: ReengagementRules = ReengagementRules()) {
    (self.name, self.document, self.rules, self.steps) = (name, document, rules, steps)
  }
}

extension AppCase.Step {
  /// The step as JSON has it, without its calls.
  var members: [String: Any] {
    func time(_ seconds: Int64) -> Int64 { epoch + 1000 * seconds }
    switch self {
    case .launch(let at): return ["do": "launch", "time": time(at)]
    case .record(let event, let at, let euros, let currency, let tag):
      var members: [String: Any] = ["do": "record", "time": time(at), "event": event]
      if let euros {
        members["micros"] = Int64((euros * 1e6).rounded())
        members["currency"] = currency
      }
      members["tag"] = tag
      return members
    case .reengage(let tag, let at):
      var members: [String: Any] = ["do": "reengage", "time": time(at)]
      members["tag"] = tag
      return members
    case .unconfirmed(let step): return step.members.merging(["confirmed": false]) { $1 }
    case .restart: return ["do": "restart"]
    case .use(let document): return ["do": "use", "document": document]
    }
  }
}

/// The table as JSON: documents by name, and cases.
struct AppCaseTable {
  var documents: [String: Any]
  var cases: [[String: Any]]

  init(_ mappings: [(name: String, mapping: Mapping)], _ cases: [AppCase]) throws {
    documents = [:]
    for (number, item) in mappings.enumerated() {
      documents[item.name] = try JSONSerialization.jsonObject(
        with: Data(item.mapping.appDocument(number: UInt64(number) + 1)))
    }
    self.cases = cases.map { item in
      var members: [String: Any] = [
        "case": item.name, "document": item.document, "steps": item.steps.map(\.members),
      ]
      if item.rules != ReengagementRules() {
        members["reengagements"] = [
          "overlapping": item.rules.areOverlapping, "install-cooldown-hours": item.rules.installCooldownHours,
          "reengagement-cooldown-hours": item.rules.reengagementCooldownHours,
        ]
      }
      return members
    }
  }

  init(reading text: String) throws {
    let table = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    documents = table["documents"] as? [String: Any] ?? [:]
    cases = table["cases"] as? [[String: Any]] ?? []
  }

  /// The table with the calls that the library makes.
  func played() throws -> AppCaseTable {
    var table = self
    table.cases = try cases.map { try played($0) }
    return table
  }

  /// A document and a case on each line, so that a diff shows which one changed.
  func text() throws -> String {
    func json(_ value: Any) throws -> String {
      String(
        decoding: try JSONSerialization.data(
          withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self)
    }
    let documents = try documents.sorted { $0.key < $1.key }.map {
      "    \(try json($0.key as NSString, $0.value))"
    }
    let cases = try cases.map { "    \(try json($0))" }
    return """
      {
        "format": 1,
        "documents": {
      \(documents.joined(separator: ",\n"))
        },
        "cases": [
      \(cases.joined(separator: ",\n"))
        ]
      }

      """
    func json(_ name: NSString, _ value: Any) throws -> String {
      let member = try json([name as String: value])
      return String(member.dropFirst().dropLast())
    }
  }

  private func mapping(_ name: Any?) throws -> AppMapping {
    let document = documents[name as? String ?? ""] ?? [:]
    return try AppMapping(document: Array(try JSONSerialization.data(withJSONObject: document)))
  }

  private func played(_ item: [String: Any]) throws -> [String: Any] {
    let setting = item["reengagements"] as? [String: Any]
    var rules = ReengagementRules()
    rules.areOverlapping = setting?["overlapping"] as? Bool ?? false
    rules.installCooldownHours = setting?["install-cooldown-hours"] as? Int ?? 0
    rules.reengagementCooldownHours = setting?["reengagement-cooldown-hours"] as? Int ?? 0
    var newest = try mapping(item["document"])
    var app = try AppConversions(mapping: newest, store: MemoryStore(), reengagements: rules)
    var item = item
    item["steps"] = try (item["steps"] as? [[String: Any]] ?? []).map { step in
      var step = step
      let time = step["time"] as? Int64 ?? 0
      let updates: [AppUpdate]
      switch step["do"] as? String {
      case "launch": updates = try app.launch(at: time)
      case "reengage": updates = try app.reengage(tag: step["tag"] as? String, at: time)
      case "record":
        updates = try app.record(
          AppEvent(
            name: step["event"] as? String ?? "", time: time, micros: step["micros"] as? Int64,
            currency: step["currency"] as? String, conversionTag: step["tag"] as? String))
      case "use":
        newest = try mapping(step["document"])
        app.use(newest)
        return step
      default:
        app = try AppConversions(mapping: newest, store: app.savedStore, reengagements: rules)
        return step
      }
      if step["confirmed"] as? Bool != false { for update in updates { try app.confirm(update) } }
      step["updates"] = updates.map(\.members)
      return step
    }
    return item
  }
}

extension AppUpdate {
  /// The call as the table has it, without what it does not set.
  var members: [String: Any] {
    var members: [String: Any] = [
      "conversion-type": conversionType.rawValue, "conversion-start": conversionStart, "window": window,
      "seconds": secondsSinceConversion, "lock": lock,
    ]
    members["conversion-tag"] = conversionTag
    members["fine"] = fine
    members["coarse"] = coarse?.rawValue
    return members
  }
}
