import Foundation
import JSONText
@testable import Mappings
import Testing
@testable import Values

@Suite struct `The JSON Schema of mappings` {
  private let schema: JSONObject

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "schemas/mapping.schema.json")
    let node = try JSONReader.read(Array(Data(contentsOf: file)))
    schema = try #require(node.value.object)
  }

  @Test(arguments: ObjectSort.allCases)
  func `The JSON Schema of mappings has the members that the reader knows`(_ sort: ObjectSort) throws {
    var object = schema
    if sort != .mapping {
      object = try #require(schema["$defs"]?.value.object?[sort.rawValue]?.value.object)
      if let choices = object["oneOf"]?.value.array { object = try #require(choices.last?.value.object) }
    }
    let properties = try #require(object["properties"]?.value.object)
    #expect(Set(properties.members.map(\.name)) == Set(sort.members))
    #expect(Set(object["required"]?.value.array?.compactMap(\.value.string) ?? []) == Set(sort.required))
    #expect(object["additionalProperties"]?.value == .bool(false))
  }

  @Test func `The JSON Schema of mappings lists the currencies that the reader knows`() throws {
    let codes = try #require(
      schema["$defs"]?.value.object?["currency"]?.value.object?["enum"]?.value.array)
    #expect(codes.compactMap(\.value.string) == CurrencyCode.all.map(\.text))
  }

  @Test(arguments: [
    ("protocol", Mapping.Device.allCases.map(\.rawValue)),
    ("precedence", Mapping.Precedence.allCases.map(\.rawValue)),
  ]) func `The JSON Schema of mappings offers the words that the reader knows`(
    member: String, words: [String]
  ) throws {
    let choices = try #require(
      schema["properties"]?.value.object?[member]?.value.object?["enum"]?.value.array)
    #expect(choices.compactMap(\.value.string) == words)
  }
}
