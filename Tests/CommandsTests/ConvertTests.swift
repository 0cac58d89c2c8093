import Foundation
import JSONText
import TestSupport
import Testing

/// The folder of the samples, one mapping in every format.
private let samples = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../MappingsTests/Vectors").standardized.path

private let told = ["--app", "1000000001", "--currency", "USD", "--effective-from", "2026-11-01"]

private let grid = #"""
  {"name":"Subscriptions","app":1000000001,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4",
   "grids":[{"first-value":6,"events":["subs_success"],"active-hours":[0,12,24,36,48],"revenue":[0,20,40,60,80]}]}
  """#

private let open = #"""
  {"name":"Open","app":1000000001,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4",
   "fine":[{"value":1,"events":[{"name":"buy","revenue":{"from":5}}]}]}
  """#

private let total = #"""
  {"name":"Total","app":1000000001,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4",
   "fine":[{"value":1,"revenue":{"from":1,"to":5}},{"value":2,"revenue":{"from":5,"to":20}},
           {"value":3,"events":["level"],"revenue":{"from":20,"to":50}}]}
  """#

private func convert(_ words: String...) -> Outcome { outcome(of: ["mapping", "convert"] + words) }

private func convert(_ from: String, _ path: String, _ more: [String] = []) -> Outcome {
  outcome(of: ["mapping", "convert", "--from", from] + more + [path])
}

struct `skan mapping convert` {
  @Test(arguments: [
    ("meta", "meta.json"), ("meta-aem", "meta-aem.json"), ("ga4", "ga4.json"),
    ("google-ads", "google-ads.json"),
    ("appsflyer", "appsflyer-v1.json"), ("appsflyer", "appsflyer-v2.json"),
    ("appsflyer-csv", "appsflyer-adv.csv"),
    ("branch", "branch.json"), ("airbridge", "airbridge.json"), ("airbridge", "airbridge-v4.json"),
    ("tenjin", "tenjin.csv"), ("arp", "google-arp.csv"),
  ]) func `skan mapping convert imports every sample, reports losses, and converts it there and back`(
    format: String, sample: String
  ) throws {
    let folder = try TemporaryFolder()
    let losses = folder.file("losses.json")
    let outcome = convert(format, samples + "/" + sample, told + ["--losses", losses])
    #expect(outcome.code == .done)
    let errors = outcome.errors.replacingOccurrences(of: samples + "/", with: "")
    try expectGolden(errors + outcome.output, "convert-\(sample).txt")
    // The rows on standard error, between the heading and the count, and those of the file are the same.
    let document = try JSONReader.read(Array(Data(contentsOf: URL(filePath: losses)))).value.object
    let rows = try #require(document?["rows"]?.value.array)
    let lines = errors.split(separator: "\n").dropFirst(rows.isEmpty ? 0 : 2).dropLast()
    #expect(rows.count == lines.count)
    for (row, line) in zip(rows.compactMap(\.value.object), lines) {
      let code = try #require(row["code"]?.value.string)
      let kind = try #require(row["kind"]?.value.string)
      #expect(line.split(separator: " ").prefix(3) == ["import", kind[...], code[...]])
      #expect(["loss", "assumption"].contains(kind))
    }
    // Our own format takes it without a loss, and the foreign one gives the same mapping back.
    let ours = try folder.write(outcome.output, to: "ours.json")
    let same = convert("skan", ours)
    #expect(same.output == outcome.output && same.errors == "0 losses, 0 assumptions\n")
    let back = try folder.write(convert("skan", ours, ["--to", format]).output, to: sample)
    #expect(convert(format, back, told).output == outcome.output)
  }

  @Test(arguments: [
    "meta", "ga4", "google-ads", "appsflyer", "appsflyer-v1", "appsflyer-csv", "branch", "airbridge",
    "airbridge-v4", "tenjin", "arp",
  ]) func `skan mapping convert writes a mapping in every format that can express it`(format: String) throws {
    let folder = try TemporaryFolder()
    let outcome = convert("skan", try folder.write(grid, to: "m.json"), ["--to", format])
    #expect(outcome.code == .done)
    try expectGolden(outcome.errors + outcome.output, "convert-to-\(format).txt")
  }

  @Test(arguments: [
    "meta", "meta-aem", "ga4", "google-ads", "appsflyer", "appsflyer-v1", "appsflyer-csv", "branch",
    "airbridge",
    "airbridge-v4", "tenjin", "arp",
  ]) func `skan mapping convert writes a mapping on total revenue once the event of the revenue is named`(
    format: String
  ) throws {
    let folder = try TemporaryFolder()
    let plain = total.replacing(#","events":["level"],"revenue":{"from":20"#, with: #","revenue":{"from":20"#)
    let file = try folder.write(plain, to: "total.json")
    let refused = convert("skan", file, ["--to", format])
    #expect(refused.code == .data && refused.output.isEmpty)
    #expect(refused.errors.contains("[total-revenue]") && refused.errors.contains("--revenue-event NAME"))
    let outcome = convert("skan", file, ["--to", format, "--revenue-event", "purchase"])
    #expect(outcome.code == .done, "\(outcome.errors)")
    #expect(outcome.errors.contains("one on the revenue of \"purchase\""))
    // What was written asks for the event and the amounts of each rule.
    let written = try folder.write(outcome.output, to: "written")
    let back = convert(format, written, told)
    #expect(back.code == .done, "\(back.errors)")
    #expect(back.output.contains(#""purchase""#))
    #expect(back.output.contains("20"))
  }

  @Test func `skan mapping convert takes the named event for total revenue beside other events too`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(total, to: "total.json")
    let both = convert("skan", file, ["--to", "appsflyer", "--revenue-event", "purchase"])
    #expect(both.code == .done)
    #expect(!both.errors.contains("rule-dropped"))
    #expect(both.output.contains("level") && both.output.contains("purchase"))
    let taken = try folder.write(
      total.replacing(#"["level"]"#, with: #"[{"name":"level","revenue":{"from":1}}]"#), to: "taken.json")
    let dropped = convert("skan", taken, ["--to", "appsflyer", "--cap", "99", "--revenue-event", "level"])
    #expect(dropped.errors.contains("rule-dropped"))
    #expect(dropped.errors.contains("revenue of \"level\" already"))
  }

  @Test func `skan mapping convert reports which rule of a format a mapping breaks`() throws {
    let folder = try TemporaryFolder()
    let many = convert("skan", try folder.write(grid, to: "m.json"), ["--to", "meta-aem"])
    #expect(many.code == .data && many.output.isEmpty && many.errors.contains("[too-many-rules]"))
    let file = try folder.write(open, to: "open.json")
    let top = convert("skan", file, ["--to", "appsflyer"])
    #expect(top.code == .data && top.errors.contains("value 1 [open-top]") && top.errors.contains("--cap"))
    let capped = convert("skan", file, ["--to", "appsflyer", "--cap", "200"])
    #expect(capped.code == .done && capped.output.contains("\"max_event_revenue\": 200,"))
    #expect(capped.errors.contains(/export +\w+ +upper-end-changed +/))
    #expect(convert("skan", file, ["--to", "appsflyer", "--cap", "much"]).code == .usage)
  }

  @Test func `skan mapping convert requests by option what a file does not contain`() throws {
    let path = samples + "/ga4.json"
    let all = convert("ga4", path)
    #expect(all.code == .usage && all.output.isEmpty)
    #expect(all.errors.contains("--app, --currency, --effective-from"))
    for index in stride(from: 0, to: told.count, by: 2) {
      var words = told
      words.removeSubrange(index...index + 1)
      let outcome = convert("ga4", path, words)
      #expect(outcome.code == .usage && outcome.errors.contains(": \(told[index])."), "\(outcome.errors)")
    }
    // What the file contains needs no option.
    #expect(
      convert("google-ads", samples + "/google-ads.json", ["--effective-from", "2026-11-01"]).code == .done)
    #expect(convert("meta-aem", samples + "/meta-aem.json", ["--app", "1"]).code == .done)
    let other = convert("meta-aem", samples + "/meta-aem.json", told)
    #expect(other.errors.contains(/import +assumption +option-unused +'--effective-from'/))
    #expect(convert("skan", path, ["--app", "1"]).code == .usage)
    #expect(convert("--to", "skan", path).code == .usage)
    #expect(convert("ga5", path).code == .usage)
    #expect(convert("ga4", path, told + ["--currency", "EUX"]).code == .usage)
  }

  @Test(
    arguments: [
      ("ga4", "branch.json", "$: ", "not-this-format", "branch"),
      ("google-ads", "ga4.json", "$: ", "not-this-format", "ga4"),
      ("meta", "tenjin.csv", "1:1 $: ", "unexpected-character", "tenjin"),
      ("tenjin", "meta.json", "line 2: ", "stray-quote", "meta"),
      ("tenjin", "google-arp.csv", "line 1: ", "not-this-format", "arp"),
      ("skan", "ga4.json", ":2:", "unknown-member", nil),
    ] as [(String, String, String, String, String?)])
  func `skan mapping convert rejects a file of another format with its place and the format`(
    format: String, sample: String, place: String, code: String, right: String?
  ) {
    let outcome = convert(format, samples + "/" + sample)
    #expect(outcome.code == .data && outcome.output.isEmpty)
    #expect(outcome.errors.contains(place) && outcome.errors.contains("[\(code)]"), "\(outcome.errors)")
    if let right { #expect(outcome.errors.contains("use --from \(right)"), "\(outcome.errors)") }
  }

  @Test func `skan mapping convert rejects a file for another app, one without a rule and a missing one`()
    throws
  {
    let folder = try TemporaryFolder()
    let app = convert(
      "branch", samples + "/branch.json",
      ["--app", "7", "--currency", "USD", "--effective-from", "2026-11-01"])
    #expect(app.code == .data && app.errors.contains("[other-app]"))
    let empty = try folder.write("cv,custom_event_name,min_range,max_range,currency\n", to: "t.csv")
    #expect(convert("tenjin", empty, told).errors.contains("[no-rule]"))
    #expect(convert("tenjin", folder.file("none.csv"), told).code == .inputOutput)
  }

  @Test func `skan mapping convert uses the options for what a file leaves open`() throws {
    let more = ["--name", "Renamed", "--protocol", "aak", "--ends", "lower"]
    let text = convert("ga4", samples + "/ga4.json", told + more).output
    let mapping = try #require(try JSONReader.read(Array(text.utf8)).value.object)
    #expect(mapping["name"]?.value.string == "Renamed" && mapping["protocol"]?.value.string == "aak")
    #expect(text.contains("\"includes-to\": false") && !text.contains("\"includes-to\": true"))
    let quiet = convert("ga4", samples + "/ga4.json", told + ["--quiet"])
    #expect(quiet.errors.contains("currency-assumed") && !quiet.errors.contains("losses,"))
  }
}
