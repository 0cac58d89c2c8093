import TestSupport
import Testing

/// Files and streams that are not written for skan, on the command line.
struct `An import of what people have` {
  private static let record =
    #"{"type": "RECORD", "stream": "ads_insights", "record": {"campaign_id": "1", "adset_id": "2", "ad_id": "3", "#
    + #""campaign_name": "Summer", "spend": 12.5, "impressions": 10, "clicks": 1, "date_start": "2026-11-01T00:00:00.000000Z"}}"#

  @Test func `An import of what people have reads a spreadsheet's file by options`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("Day;Campaign;Cost\n1.11.2026;Summer;12,50\n", to: "costs.csv")
    let outcome = skan(
      "spend", "import", "-d", folder.file("skan.db"), file, "--columns",
      "date=Day,campaign=Campaign",
      "--columns", "amount=Cost",
      "--set", "network=v9wttpbfk9.skadnetwork,currency=EUR", "--time-format", "day-first")
    #expect(outcome.code == .done, "\(outcome.errors)")
    #expect(outcome.errors == "1 row of spend stored: 1 new\n")
    let list = skan("spend", "list", "-d", folder.file("skan.db"), "--format", "csv").output
    #expect(list.contains("2026-11-01,v9wttpbfk9.skadnetwork") && list.contains("12.5"))
  }

  @Test
  func `An import of what people have names a time zone that there is not, and the file that it cannot read`()
    throws
  {
    let folder = try TemporaryFolder()
    let words = ["ingest", "-d", folder.file("skan.db"), "--from", "appsflyer-raw"]
    let file = try folder.write("Event Time\n2026-13-45\n", to: "export.csv")
    let zone = outcome(of: words + ["--time-zone", "Europe/Berln", file])
    #expect(zone.code == .usage && zone.errors.contains("Europe/Berln"), "\(zone.errors)")
    let failed = outcome(of: words + [file])
    #expect(failed.code == .data && failed.errors.contains("cannot import '\(file)': "), "\(failed.errors)")
  }

  @Test func `An import of what people have takes back the names that were written for a spreadsheet`() throws
  {
    let folder = try TemporaryFolder()
    let texts = ["=Summer", "+Winter", "-Autumn", "@Spring", "'tis"]
    let file = try folder.write(
      "network,campaign,from,name\n"
        + texts.enumerated().map { "a.skadnetwork,\($0.offset),2026-01-01,\($0.element)\n" }.joined(),
      to: "names.csv")
    #expect(outcome(of: ["names", "import", "-d", folder.file("skan.db"), file]).code == .done)
    let list = skan("names", "list", "-d", folder.file("skan.db"), "--format", "csv").output
    #expect(list.contains("'=Summer"))
    let again = try folder.write(list, to: "again.csv")
    let other = folder.file("other.db")
    #expect(outcome(of: ["names", "import", "-d", other, again]).code == .done)
    #expect(skan("names", "list", "-d", other, "--format", "csv").output == list)
  }

  @Test func `An import of what people have reads a stream and writes its state once its rows are stored`()
    throws
  {
    let folder = try TemporaryFolder()
    let state = folder.file("state.json")
    let lines = [Self.record, #"{"type": "STATE", "value": {"bookmarks": {"a": 1}}}"#].joined(separator: "\n")
    let stream = try folder.write(lines, to: "stream")
    let words = [
      "spend", "import", "-d", folder.file("skan.db"), stream, "--from", "singer:facebook", "--state", state,
    ]
    let failed = outcome(of: words)
    #expect(failed.code == .data)
    #expect(failed.errors.contains("stream:1: there is no 'currency', which has the currency, in the record"))
    #expect(failed.errors.contains("--set currency=USD"))
    #expect(throws: (any Error).self) { try folder.read("state.json") }
    let done = outcome(of: words + ["--set", "currency=USD"])
    #expect(done.code == .done, "\(done.errors)")
    #expect(done.errors == "1 row of spend stored: 1 new\n")
    #expect(
      String(decoding: try folder.read("state.json"), as: UTF8.self) == #"{"bookmarks": {"a": 1}}"# + "\n")
  }

  @Test func `An import of what people have takes a profile from a file`() throws {
    let folder = try TemporaryFolder()
    let profile = try folder.write(
      skan("profile", "show", "singer:facebook").output.replacing("ads_insights", with: "my_insights"),
      to: "meta.json")
    let stream = try folder.write(
      Self.record.replacing("ads_insights", with: "my_insights") + "\n" + #"{"type": "STATE", "value": 1}"#,
      to: "stream")
    let outcome = skan(
      "spend", "import", "-d", folder.file("skan.db"), stream, "--from", profile, "--set", "currency=USD")
    #expect(outcome.code == .done, "\(outcome.errors)")
    let names = skan("names", "import", "-d", folder.file("skan.db"), stream, "--from", profile)
    #expect(names.code == .data && names.errors.contains("the profile is for spend, not for names"))
  }

  @Test func `An import of what people have names what is wrong with its options`() throws {
    func errors(_ words: String...) -> String {
      let outcome = outcome(of: ["spend", "import", "-d", "none.db", "none.csv"] + words)
      #expect(outcome.code == .usage, "\(outcome.errors)")
      return outcome.errors
    }
    #expect(errors("--from", "singer:facebok").contains("Did you mean 'singer:facebook'?"))
    #expect(errors("--columns", "amount").contains("'amount' is not column=name"))
    #expect(errors("--set", "curency=USD").contains("did you mean currency?"))
    #expect(errors("--set", "currency=").contains("is not column=name"))
    #expect(errors("--time-format", "%q").contains("The value of '--time-format' is invalid"))
    #expect(errors("--state", "s.json").contains("'--state' needs a stream"))
    let noFile = skan("spend", "import", "-d", "none.db")
    #expect(noFile.code == .usage && noFile.errors.contains("Missing argument 'FILE'."))
  }

  @Test func `An import of what people have lists and prints the profiles that are built in`() throws {
    let list = skan("profile", "list", "--format", "csv")
    #expect(list.code == .done && list.output.contains("singer:facebook,spend,"))
    #expect(list.output.contains("https://github.com/singer-io/tap-facebook"))
    #expect(skan("profile", "show", "file:liftoff").output.contains(#""campaign": "campaign_id""#))
    let unknown = skan("profile", "show", "file:liftof")
    #expect(unknown.code == .usage && unknown.errors.contains("Did you mean 'file:liftoff'?"))
  }

  @Test
  func `A history whose times a spreadsheet changed is rejected with its line, and read with the option`()
    throws
  {
    let folder = try TemporaryFolder()
    let body = String(decoding: try SharedVectors.body("apple-3.0-win"), as: UTF8.self)
      .replacing("\"", with: "\"\"")
    let file = try folder.write("sk_payload,sk_ts\n\"\(body)\",46339.34375\n", to: "export.csv")
    let words = ["ingest", "-d", folder.file("skan.db"), "--from", "adjust-raw", file]
    let failed = outcome(of: words)
    #expect(failed.code == .data && failed.errors.contains("line 2: the time \"46339.34375\" in sk_ts"))
    #expect(failed.errors.contains("--time-format excel reads 2026-11-13T08:15:00Z"))
    let whole = try folder.write("sk_payload,sk_ts\n\"\(body)\",46339\n", to: "whole.csv")
    let number = outcome(of: ["ingest", "-d", folder.file("skan.db"), "--from", "adjust-raw", whole])
    #expect(number.code == .data && number.errors.contains("before there were postbacks"))
    let read = outcome(of: words + ["--time-format", "excel", "--time-zone", "Europe/Berlin"])
    #expect(read.code == .done, "\(read.errors)")
    let alone = skan("ingest", "-d", folder.file("skan.db"), file, "--time-zone", "UTC")
    #expect(alone.code == .usage)
  }
}
