import Foundation
import JSONText
import Testing
import TestSupport

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "OtherForms")

/// The files of `Tests/OtherForms`, as a user gives them to the commands.
final class `Files of Tests OtherForms` {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    self.folder = folder
  }

  private func file(_ name: String) -> String { root.appending(path: name).path }

  private func ingest(_ name: String, _ more: String...) -> Outcome {
    outcome(of: ["ingest", "-d", database, "--trust-test-keys", file("trusted.json"), file(name)] + more)
  }

  private func report(_ columns: String) -> String {
    skan(
      "report", "campaigns", "-d", database, "--environment", "test", "--by", "app", "--format", "ndjson",
      "--columns", columns
    ).output
  }

  @Test
  func `A coarse value that is none leaves the fine value beside it, and its genuine copy is no conflict`()
    throws
  {
    #expect(skan("mapping", "load", "-d", database, file("absent-words/mapping.json")).code == .done)
    let read = ingest("absent-words/coarse-none.ndjson")
    #expect(read.code == .done && read.errors.contains("with a text for no value"), "\(read.errors)")
    // Four of its bodies have value 12.
    #expect(report("postbacks,fine-12,revenue-mid-USD").contains(#":13,"fine-12":4,"revenue-mid-USD":200"#))
    let genuine = ingest("absent-words/device.ndjson", "--format", "json").output
    #expect(genuine.contains(#""new": 10"#) && genuine.contains(#""conflicts": 0"#), "\(genuine)")
    #expect(report("fine-12,revenue-mid-USD,conflicts").contains(#":14,"revenue-mid-USD":700,"conflicts":0"#))
  }

  @Test(arguments: ["absent-words/export-none-30.csv", "absent-words/export-backslash-n-30.csv"])
  func `An export with texts for no value loses no fine value`(name: String) {
    let read = ingest(name, "--from", "appsflyer-raw", "--format", "json")
    #expect(read.output.contains(#""new": 24"#) && read.output.contains(#""copies": 6"#), "\(read.output)")
    #expect(read.errors.contains("with a text for no value"))
    #expect(
      report("postbacks,fine-0,fine-4,fine-20,fine-63").contains(
        #""postbacks":24,"fine-0":3,"fine-4":3,"fine-20":1,"fine-63":1"#),
      "\(report("postbacks,fine-0,fine-4,fine-20,fine-63"))")
  }

  @Test(arguments: [
    ("spreadsheet", "appsflyer-raw", 24), ("floats", "appsflyer-raw", 24), ("semicolon", "appsflyer-raw", 24),
    ("utf16", "appsflyer-raw", 24), ("postgresql-times", "adjust-raw", 30),
  ])
  func `An export of another program is read whole`(name: String, partner: String, conversions: Int) {
    let read = ingest("export-forms/\(name)-30.csv", "--from", partner, "--format", "json")
    #expect(read.code == .done && !read.errors.contains("rejected"), "\(read.errors)")
    #expect(
      read.output.contains(#""stored": 30"#) && read.output.contains(#""new": \#(conversions)"#)
        && read.output.contains(#""reasons": []"#), "\(read.output)")
  }

  @Test func `The zeros that a spreadsheet took away come back where the signature shows them`() throws {
    _ = ingest("export-forms/spreadsheet-30.csv", "--from", "appsflyer-raw")
    let campaigns = skan(
      "report", "campaigns", "-d", database, "--environment", "test", "--by", "campaign", "--format", "csv",
      "--columns", "campaign,postbacks"
    ).output
    let whole = folder.file("whole.db")
    _ = skan(
      "ingest", "-d", whole, "--trust-test-keys", file("trusted.json"), "--from", "appsflyer-raw",
      file("export-forms/semicolon-30.csv"))
    #expect(
      campaigns
        == skan(
          "report", "campaigns", "-d", whole, "--environment", "test", "--by", "campaign", "--format", "csv",
          "--columns", "campaign,postbacks"
        ).output)
    for digits in ["0042", "07", "0007", "0539"] { #expect(campaigns.contains("\(digits),"), "\(campaigns)") }
    // Without a signature nothing is guessed.
    let lines = try String(
      decoding: folder.read(copying: file("export-forms/spreadsheet-30.csv")), as: UTF8.self)
    let unsigned = try folder.write(lines.replacing("skad_attribution_signature", with: "other"), to: "u.csv")
    let claimed = folder.file("claimed.db")
    _ = skan("ingest", "-d", claimed, "--from", "appsflyer-raw", unsigned)
    let claims = skan(
      "report", "campaigns", "-d", claimed, "--environment", "claimed", "--by", "campaign", "--format", "csv",
      "--columns", "campaign"
    ).output
    let digits = claims.split(whereSeparator: \.isNewline).map { String($0) }
    #expect(digits.contains("42") && !digits.contains("0042"), "\(claims)")
  }

  @Test func `A file in a network's form is read by its route, and its rejections are counted by reason`()
    throws
  {
    let configuration = file("network-form-files/config.json")
    let name = "network-form-files/underscores-30.ndjson"
    let read = ingest(name, "--config", configuration, "--route", "forwarded:aggregated", "--format", "json")
    #expect(read.code == .done && read.output.contains(#""new": 30"#), "\(read.output)")
    let wrong = ingest(name, "--config", configuration, "--route", "forwarded:camel")
    #expect(wrong.code == .failedCheck)
    #expect(wrong.output.contains("30 rejected: missing-member: \"ad-network-id\" is required and missing\n"))
    let hook = try folder.write(
      #"{"networks":[{"name":"hook","token":"0123456789abcdef0123456789abcdef","form":"singular"}]}"#,
      to: "hook.json")
    let hooked = ingest(
      "network-form-files/webhook-30.ndjson", "--config", hook, "--route", "forwarded:hook", "--format",
      "json")
    #expect(hooked.code == .done && hooked.output.contains(#""copies": 30"#), "\(hooked.output)")
  }

  @Test func `Counters of 0 to 1 beside revenue mean at least once, and the losses state it`() throws {
    let converted = skan(
      "mapping", "convert", "--from", "appsflyer-csv", "--effective-from", "2026-01-01", "--currency", "USD",
      file("schema-counters/schema.csv"))
    #expect(converted.code == .done && converted.errors.contains("count-assumed"), "\(converted.errors)")
    let mapping = try folder.write(converted.output, to: "m.json")
    let tried = skan(
      "mapping", "try", mapping, "--events", file("schema-counters/events.csv"), "--format", "ndjson")
    let lines = tried.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains(#""postbacks":[{"window":1,"fine":3,"#) })
  }

  @Test func `A schema of Google Ads has its zeros, and a range up to an amount counts half of it`() throws {
    let converted = skan(
      "mapping", "convert", "--from", "google-ads", "--effective-from", "2026-01-01",
      file("google-schema/resource.json"))
    #expect(converted.code == .done, "\(converted.errors)")
    let document = try JSONReader.read(Array(converted.output.utf8)).value.object
    let fine = try #require(document?["fine"]?.value.array).compactMap(\.value.object)
    #expect(fine.first?["value"]?.value.number?.text == "0")
    let revenue = fine[2]["events"]?.value.array?.first?.value.object?["revenue"]?.value.object
    #expect(revenue?["representative"]?.value.number?.text == "2.5")
  }

  @Test func `Totals by value add up by day and campaign, with a remark`() throws {
    let aggregated = skan(
      "totals", "import", "-d", database, "--columns",
      "date=Start Date,network=SKAN Network ID,campaign=SKAN Campaign ID,installs=SKAN Installs,"
        + "conversions-with-value=SKAN Conversion Values Count", file("totals-by-value/aggregated.csv"))
    #expect(aggregated.code == .done, "\(aggregated.errors)")
    #expect(
      aggregated.errors.contains("rows added to earlier ones of the same keys: 1\n"), "\(aggregated.errors)")
    let rows = skan(
      "totals", "import", "-d", database, "--columns",
      "date=segments.date,campaign=campaign.name,installs=metrics.skAdNetworkInstalls,"
        + "postbacks=metrics.skAdNetworkTotalConversions", "--set", "network=eh6m2bh4zr.skadnetwork",
      file("totals-by-value/rows.ndjson"))
    #expect(rows.code == .done, "\(rows.errors)")
    let listed = skan(
      "totals", "list", "-d", database, "--format", "csv", "--columns",
      "date,campaign,installs,postbacks,conversions-with-value"
    ).output
    #expect(
      listed.split(whereSeparator: \.isNewline).sorted() == [
        "2026-11-01,iOS UAC US,59,77,", "2026-11-02,iOS UAC US,9,,", "2026-11-10,42,26,,12",
        "2026-11-11,84,31,,31", "date,campaign,installs,postbacks,conversions-with-value",
      ], "\(listed)")
  }

  @Test(arguments: [("branch-skan.com", "Branch"), ("ios-appstack.com", "Appstack")])
  func `A property list with another partner's address is an error that names it`(
    domain: String, owner: String
  ) {
    let checked = skan("plist", "check", file("partner-addresses/\(domain).plist"))
    #expect(checked.code == .failedCheck)
    #expect(checked.output.contains("'\(domain)', the address of \(owner) ("), "\(checked.output)")
  }

  @Test(arguments: ["ids.plist", "index.json"])
  func `A published list of networks shows which of them a property list lacks`(list: String) {
    let checked = skan(
      "plist", "check", file("network-lists/Info.plist"), "--networks", file("network-lists/\(list)"))
    for id in ["ydx93a7ass.skadnetwork", "4fzdc2evr5.skadnetwork"] {
      #expect(checked.output.contains("no '\(id)'"), "\(checked.output) \(checked.errors)")
    }
  }
}

struct `The sample mappings` {
  @Test(arguments: ["launch-mapping.json", "f2p-mapping.json"])
  func `The sample mappings check without a warning`(name: String) {
    let file = root.deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "tools/samples/\(name)")
    let checked = skan("mapping", "check", file.path)
    #expect(checked.code == .done && checked.errors == "0 errors, 0 warnings\n", "\(checked.output)")
  }
}

extension TemporaryFolder {
  fileprivate func read(copying path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: path)))
  }
}
