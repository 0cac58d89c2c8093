import Alerts
import Foundation
import JSONText
import Reports
@testable import Service
import Tables
import Testing
import TestSupport

struct `The document of the interface` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func document() throws -> JSONObject {
    let data = try Data(contentsOf: Self.root.appending(path: "schemas/openapi.json"))
    return try #require(try JSONReader.read([UInt8](data)).value.object)
  }

  /// The names of the words of a path's query, behind references.
  private func words(of path: JSONObject, in document: JSONObject) -> [String] {
    let shared = document["components"]?.value.object?["parameters"]?.value.object
    return (path["parameters"]?.value.array ?? []).compactMap { node -> String? in
      guard let parameter = node.value.object else { return nil }
      let name = parameter["$ref"]?.value.string?.split(separator: "/").last.map(String.init)
      let found = name.flatMap { shared?[$0]?.value.object } ?? parameter
      return found["in"]?.value.string == "query" ? found["name"]?.value.string : nil
    }
  }

  @Test func `The document of the interface has every path that the router has, with its words`() throws {
    let document = try document()
    let paths = try #require(document["paths"]?.value.object)
    for resource in readResources {
      let path = try #require(paths[resource.path]?.value.object, "\(resource.path) is not documented")
      #expect(words(of: path, in: document) == resource.parameters, "\(resource.path)")
    }
    let others =
      DeviceRoute.paths + [
        InboxRoute.path, PurchaseRoute.path, ForwardRoute.namedPath,
        ForwardRoute.tokenPath,
        "/healthz", "/readyz",
        "/metrics",
      ]
    let known = Set(others + readResources.map(\.path))
    #expect(Set(paths.members.map(\.name)) == known)
  }

  @Test func `The document of the interface has the paths and schemas that follow from the reports`() throws {
    let document = JSONOutput(.object(try document())).describing(reports + listings).describing([
      ReportKind(AlertListing.self)
    ]).sharingWords()
    try expectGolden(
      document.text(pretty: true) + "\n", "../../../schemas/openapi.json")
  }
}

extension JSONOutput {
  /// The document with the path and the schema of each report in place of those that it has.
  func describing<Source>(_ kinds: [ReportKind<Source>]) -> JSONOutput {
    setting(["paths"], kinds.map { .init($0.path, $0.pathItem) })
      .setting(["components", "schemas"], kinds.map { .init($0.schemaName, $0.schema) })
  }

  /// Replaces members of an inner object, or adds them at its end.
  private func setting(_ path: [String], _ new: [Member]) -> JSONOutput {
    guard case .object(var members) = self else { return self }
    guard let name = path.first else {
      for member in new {
        if let place = members.firstIndex(where: { $0.name == member.name }) {
          members[place] = member
        } else {
          members.append(member)
        }
      }
      return .object(members)
    }
    return .object(
      members.map { $0.name == name ? .init(name, $0.value.setting(Array(path.dropFirst()), new)) : $0 })
  }
}

extension JSONOutput {
  /// The document with one schema for the words that several query parameters of a name have, so that generators of clients
  /// make one type of them.
  fileprivate func sharingWords() -> JSONOutput {
    guard let paths = self["paths"] else { return self }
    var uses: [String: [JSONOutput: Int]] = [:]
    for path in paths.members {
      for parameter in path.value["parameters"]?.elements ?? [] {
        guard case .string(let name)? = parameter["name"], let schema = parameter["schema"],
          schema["enum"] != nil
        else { continue }
        uses[name, default: [:]][schema, default: 0] += 1
      }
    }
    let shared = uses.compactMapValues { schemas in
      schemas.filter { $0.value > 1 }.max { ($0.value, $0.key.text()) < ($1.value, $1.key.text()) }?.key
    }
    let described: [Member] = paths.members.map { path in
      guard let parameters = path.value["parameters"]?.elements else { return path }
      return .init(
        path.name,
        path.value.setting([], [.init("parameters", .array(parameters.map { $0.referring(to: shared) }))]))
    }
    return setting([], [.init("paths", .object(described))]).setting(
      ["components", "schemas"],
      shared.sorted { $0.key < $1.key }.map { .init(Self.title($0.key), $0.value) })
  }

  private func referring(to shared: [String: JSONOutput]) -> JSONOutput {
    guard case .string(let name)? = self["name"], let schema = shared[name], self["schema"] == schema else {
      return self
    }
    return setting([], [.init("schema", ["$ref": .string("#/components/schemas/\(Self.title(name))")])])
  }

  private static func title(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  private subscript(name: String) -> JSONOutput? { members.first { $0.name == name }?.value }

  private var members: [Member] { if case .object(let members) = self { members } else { [] } }

  private var elements: [JSONOutput]? { if case .array(let elements) = self { elements } else { nil } }
}

extension ReportKind {
  fileprivate var title: String { name.prefix(1).uppercased() + name.dropFirst() }
  fileprivate var schemaName: String { title + "Report" }

  /// Its path with what all that is read has in common: a token, tags, and errors.
  fileprivate var pathItem: JSONOutput {
    let json: JSONOutput = ["schema": ["$ref": .string("#/components/schemas/\(schemaName)")]]
    let text: JSONOutput = ["schema": ["type": "string"]]
    let content: JSONOutput = [
      "application/json": json, "application/x-ndjson": text, "text/csv": text,
    ]
    let nosniff: JSONOutput.Member = .init("X-Content-Type-Options", Self.reference("headers/Nosniff"))
    let names =
      [
        "ETag", "Cache-Control", "Vary", "Content-Encoding", "Access-Control-Allow-Origin",
        "Access-Control-Expose-Headers",
      ] + (pageSize == nil ? [] : ["Link"])
    let headers: JSONOutput = .object(
      [nosniff] + names.map { .init($0, Self.reference("headers/\($0)")) })
    let problems = [
      "304": "NotModified", "400": "BadRequest", "401": "Unauthorized", "403": "Forbidden",
      "405": "MethodNotAllowed", "406": "NotAcceptable", "408": "BodyTooSlow", "413": "TooLarge",
      "500": "EstimateFailed", "501": "UnknownCoding", "503": "Unavailable",
    ]
    func responses(_ codes: [String]) -> [JSONOutput.Member] {
      codes.map { .init($0, Self.reference("responses/Read\(problems[$0] ?? "")")) }
    }
    func operation(
      _ method: String, _ summary: String, _ security: JSONOutput, _ responses: [JSONOutput.Member]
    ) -> JSONOutput {
      [
        "operationId": .string(method + title), "tags": ["reports"], "summary": .string(summary),
        "security": [security], "responses": .object(responses),
      ]
    }
    let token: JSONOutput = ["readToken": []]
    let all = responses(problems.keys.sorted())
    let found = JSONOutput.Member(
      "200", ["description": "The report.", "headers": headers, "content": content])
    let head = JSONOutput.Member("200", ["description": "The answer's headers.", "headers": headers])
    let options = JSONOutput.Member("204", Self.reference("responses/ReadOptions"))
    return [
      "parameters": .array(openAPIParameters + [Self.reference("parameters/If-None-Match")]),
      "get": operation("get", summary, token, [found] + all),
      "head": operation("head", "Read the headers of the answer to GET.", token, [head] + all),
      "options": operation(
        "options", "Read the methods; answers the preflight of a browser.", .object([]),
        [options] + responses(["400", "408", "413", "501", "503"])),
    ]
  }

  private static func reference(_ place: String) -> JSONOutput {
    ["$ref": .string("#/components/\(place)")]
  }
}
