import Foundation
import TestSupport
import Testing

/// Slips that people make in files, each with the message they get; `Golden/slips.txt` has both, to be read by a person.
struct `An error in a file` {
  /// A kind of file, and the command that reads it.
  enum Kind: String, CaseIterable {
    case json = "JSON"
    case mapping
    case scenario
    case events
    case design = "events of a design"
    case config = "configuration"
  }

  /// A file with one mistake.
  struct Slip {
    let kind: Kind
    let name: String
    let text: String
    var bytes: [UInt8]?

    init(_ kind: Kind, _ name: String, _ text: String, bytes: [UInt8]? = nil) {
      self.kind = kind
      self.name = name
      self.text = text
      self.bytes = bytes
    }
  }

  /// What a mapping begins with; the slips are in what follows.
  private static let head =
    #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4","# + "\n"

  private static let plain: [UInt8] = Array("{\"name\":\"t\"}".utf8)

  private static let latin: [UInt8] = Array("{\"name\": \"caf".utf8) + [0xE9, 0x22, 0x7D]

  /// The plain file with another byte in front of each or behind each.
  private static func wide(_ pair: (UInt8) -> [UInt8]) -> [UInt8] {
    plain.reduce(into: []) { $0 += pair($1) }
  }

  /// A whole mapping with values for its currency, app, date and protocol.
  private static func mapping(
    app: String = "1", currency: String = "USD", date: String = "2026-11-01", device: String = "skan4"
  ) -> String {
    #"{"name":"t","app":\#(app),"currency":"\#(currency)","effective-from":"\#(date)","protocol":"\#(device)"}"#
  }

  static let slips: [Slip] = [
    .init(.json, "a comma behind the last member", "{\n  \"name\": \"t\",\n  \"app\": 1,\n}"),
    .init(.json, "a comma behind the last element", "{\"partners\": [\"meta\",]}"),
    .init(.json, "a missing comma between members", "{\n  \"name\": \"t\"\n  \"app\": 1\n}"),
    .init(.json, "a missing comma between elements", "{\"fine\": [{\"value\": 1} {\"value\": 2}]}"),
    .init(.json, "a missing colon", "{\"name\" \"t\"}"),
    .init(.json, "an equals sign for a colon", "{\"name\" = \"t\"}"),
    .init(.json, "a semicolon for a comma", "{\"name\": \"t\"; \"app\": 1}"),
    .init(.json, "two commas", "{\"name\": \"t\",, \"app\": 1}"),
    .init(.json, "no value", "{\"name\": , \"app\": 1}"),
    .init(.json, "a comment to the end of the line", "{\n  // the shop\n  \"name\": \"t\"\n}"),
    .init(.json, "a comment in the middle", "{\"name\": \"t\" /* the shop */}"),
    .init(.json, "a comment with a number sign", "# the shop\n{\"name\": \"t\"}"),
    .init(.json, "a comment behind the end", "{\"name\": \"t\"}\n// the end"),
    .init(.json, "single quotes", "{'name': 't'}"),
    .init(.json, "curly quotes", "{“name”: “t”}"),
    .init(.json, "a curly single quote as a value", "{\"name\": ’t’}"),
    .init(.json, "a name without quotes", "{\n  name: \"t\"\n}"),
    .init(.json, "a value without quotes", "{\"currency\": USD}"),
    .init(.json, "True", "{\"raise-only\": True}"),
    .init(.json, "None", "{\"to\": None}"),
    .init(.json, "NaN", "{\"to\": NaN}"),
    .init(.json, "Infinity", "{\"to\": Infinity}"),
    .init(.json, "-Infinity", "{\"from\": -Infinity}"),
    .init(.json, "undefined", "{\"to\": undefined}"),
    .init(.json, "a leading plus", "{\"value\": +5}"),
    .init(.json, "a leading zero", "{\"value\": 05}"),
    .init(.json, "no digit in front of the point", "{\"to\": .99}"),
    .init(.json, "no digit behind the point", "{\"to\": 4.}"),
    .init(.json, "grouped digits", "{\"to\": 1_000}"),
    .init(.json, "a unit behind a number", "{\"to\": 5USD}"),
    .init(.json, "a currency sign", "{\"to\": €5}"),
    .init(.json, "a hexadecimal number", "{\"value\": 0x1F}"),
    .init(
      .json, "a missing brace at the end", "{\n  \"name\": \"t\",\n  \"fine\": [\n    { \"value\": 1 }\n  ]\n"
    ),
    .init(.json, "a missing bracket", "{\n  \"fine\": [\n    { \"value\": 1 }\n}"),
    .init(.json, "several brackets missing", "{\"fine\": [{\"value\": 1"),
    .init(.json, "a brace too many", "{\"name\": \"t\"}}"),
    .init(.json, "two objects in one file", "{\"name\": \"t\"}\n{\"name\": \"u\"}"),
    .init(.json, "a string without an end", "{\"name\": \"t,\n \"app\": 1}"),
    .init(.json, "a backslash in a path", "{\"comment\": \"C:\\data\"}"),
    .init(.json, "a no-break space", "{\"name\":\u{A0}\"t\"}"),
    .init(.json, "the same member twice", "{\"name\": \"t\", \"name\": \"u\"}"),
    .init(.json, "an empty file", ""),
    .init(.json, "nothing but blank lines", "\n\n"),
    .init(.json, "a byte order mark", "{…}", bytes: [0xEF, 0xBB, 0xBF] + plain),
    .init(.json, "UTF-16 with a mark", "{…}", bytes: [0xFF, 0xFE] + wide { [$0, 0] }),
    .init(.json, "UTF-16 without a mark", "{…}", bytes: wide { [0, $0] }),
    .init(.json, "Windows-1252", "{…}", bytes: latin),
    .init(.json, "a compressed file", "…", bytes: [0x1F, 0x8B, 8, 0]),
    .init(.json, "a page of HTML", "<!DOCTYPE html>"),

    .init(.mapping, "a number in quotes", #""fine": [{ "value": "1" }]"#),
    .init(.mapping, "an app with id in front", "", bytes: Array(mapping(app: "\"id1000000001\"").utf8)),
    .init(.mapping, "a word for true", #""raise-only": "yes""#),
    .init(.mapping, "one for true", #""raise-only": 1"#),
    .init(.mapping, "a text for a list", #""fine": [{ "value": 1, "events": "purchase" }]"#),
    .init(.mapping, "a fraction for a whole number", #""fine": [{ "value": 1.0 }]"#),
    .init(.mapping, "a value that does not exist", #""fine": [{ "value": 64 }]"#),
    .init(.mapping, "window 0", #""coarse": [{ "window": 0, "low": {} }]"#),
    .init(.mapping, "window 4", #""coarse": [{ "window": 4, "low": {} }]"#),
    .init(.mapping, "mid for medium", #""fine": [{ "value": 1, "coarse": "mid" }]"#),
    .init(.mapping, "mid as a member", #""coarse": [{ "window": 1, "mid": {} }]"#),
    .init(.mapping, "a word in capitals", #""precedence": "Highest-Value""#),
    .init(.mapping, "three days for window 1", #""measurement-window-hours": 72"#),
    .init(.mapping, "a decimal comma in quotes", #""fine": [{ "value": 1, "revenue": { "to": "4,99" } }]"#),
    .init(.mapping, "a currency sign in quotes", #""fine": [{ "value": 1, "revenue": { "to": "$5" } }]"#),
    .init(
      .mapping, "decimal commas in a list", #""grids": [{ "first-value": 1, "revenue": [0, 4,99, 9,99] }]"#),
    .init(.mapping, "an amount that is null", #""fine": [{ "value": 1, "revenue": { "low": null } }]"#),
    .init(.mapping, "30 February", "", bytes: Array(mapping(date: "2026-02-30").utf8)),
    .init(.mapping, "a date of another country", "", bytes: Array(mapping(date: "30.11.2026").utf8)),
    .init(
      .mapping, "a currency by name, and a protocol by number", "",
      bytes: Array(mapping(currency: "Euro", device: "4.0").utf8)),
    .init(.mapping, "a list around the mapping", "", bytes: [0x5B] + plain + [0x5D]),

    .init(.scenario, "a seed in quotes", #"{"mapping": "m.json", "events": "e.csv", "seed": "7"}"#),
    .init(
      .scenario, "a protocol by its long name",
      #"{"mapping": "m.json", "events": "e.csv", "protocol": "SKAN 4"}"#),
    .init(.scenario, "a missing comma", "{\"mapping\": \"m.json\"\n \"events\": \"e.csv\"}"),
    .init(.scenario, "31 November", #"{"mapping": "m.json", "users": [{"installed": "2026-11-31"}]}"#),
    .init(
      .scenario, "a currency in small letters",
      #"{"mapping": "m.json", "events": "e.csv", "currency": "usd"}"#),

    .init(.events, "other names for columns", "install_id,ts,event_name\nu,1,open"),
    .init(.events, "another name for one column", "install_id,time,event\nu,1,open"),
    .init(.events, "a name that nobody can guess", "who,time,event\nu,1,open"),
    .init(.events, "bars", "user|time|event\nu|1|open"),
    .init(.events, "other names in NDJSON", #"{"install_id":"u","ts":1,"event_name":"open"}"#),
    .init(.events, "30 February", "user,time,event\nu,2026-02-30,open"),
    .init(.events, "a time without an offset", "user,time,event\nu,2026-02-03T08:00:00,open"),
    .init(.events, "milliseconds", "user,time,event\nu,1767225600000,open"),
    .init(.events, "a decimal comma", "user,time,event,revenue\nu,1,buy,\"4,99\""),
    .init(.events, "a decimal comma without quotes", "user,time,event,revenue\nu,1,buy,4,99"),
    .init(.events, "a currency that is none", "user,time,event,revenue,currency\nu,1,buy,4,EURO"),
    .init(.events, "a trailing comma in NDJSON", #"{"user":"u","time":1,"event":"open",}"#),
    .init(.events, "a JSON array", #"[{"user":"u","time":1,"event":"open"}]"#),
    .init(.design, "no currency", "user,time,event,revenue\nu,1,buy,4"),

    .init(.config, "a number in quotes", #"{"threads": "4"}"#),
    .init(.config, "a text for a list", #"{"read-tokens": "secret-secret-secret"}"#),
    .init(.config, "a member that is slightly wrong", #"{"databse": "skan.db"}"#),
    .init(.config, "a comment", "{\n  // the service\n  \"threads\": 4\n}"),
  ]

  private static func message(_ slip: Slip) throws -> String {
    let folder = try TemporaryFolder()
    let bytes = slip.bytes ?? Array((slip.kind == .mapping ? head + slip.text + "}" : slip.text).utf8)
    let outcome: Outcome
    switch slip.kind {
    case .json, .mapping: outcome = skan("mapping", "check", try folder.write(bytes, to: "mapping.json"))
    case .scenario: outcome = skan("simulate", try folder.write(bytes, to: "scenario.json"))
    case .config: outcome = skan("config", "show", "--config", try folder.write(bytes, to: "skan.json"))
    case .events:
      let mapping = try folder.write(Array((head + "\"fine\":[{\"value\":0}]}").utf8), to: "mapping.json")
      let events = try folder.write(bytes, to: "events")
      outcome = skan("simulate", "--mapping", mapping, "--events", events)
    case .design:
      outcome = skan("mapping", "design", "--app", "1", "--events", try folder.write(bytes, to: "events"))
    }
    #expect(outcome.code != .done, "\(slip.name) passes")
    let text = (slip.kind == .json || slip.kind == .mapping ? outcome.output : outcome.errors)
    return text.replacingOccurrences(of: folder.path + "/", with: "")
  }

  @Test func `An error in a file has a message that names what was found and the cure`() throws {
    #expect(Self.slips.count >= 60)
    var page = ""
    for slip in Self.slips {
      page += "── \(slip.kind.rawValue): \(slip.name)\n"
      let shown =
        slip.kind == .mapping && slip.bytes != nil
        ? String(decoding: slip.bytes ?? [], as: UTF8.self) : slip.text
      for line in shown.split(separator: "\n", omittingEmptySubsequences: false) { page += "   │ \(line)\n" }
      page += try Self.message(slip) + "\n"
    }
    try expectGolden(page, "slips.txt")
  }
}
