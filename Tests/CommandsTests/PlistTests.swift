import TestSupport
import Testing

private let file = """
  <?xml version="1.0" encoding="UTF-8"?>
  <plist version="1.0">
  <dict>
    <key>NSAdvertisingAttributionReportEndpoint</key>
    <string>https://shop.example/skan</string>
    <key>AdAttributionKit</key>
    <dict>
      <key>AttributionCopyEndpoint</key>
      <string>https://shop.example</string>
    </dict>
    <key>SKAdNetworkItems</key>
    <array>
      <dict>
        <key>SKAdNetworkIdentifier</key>
        <string>CSTR6SUWN9.skadnetwork</string>
      </dict>
    </array>
  </dict>
  </plist>

  """

struct `The command plist check` {
  @Test(arguments: ["table", "json", "ndjson", "csv"])
  func `The command plist check prints each finding with its place and cure`(format: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(file, to: "Info.plist")
    let outcome = skan(
      "plist", "check", path, "--networks", "cstr6suwn9.skadnetwork,v9wttpbfk9.skadnetwork", "--format",
      format)
    #expect(outcome.code == .failedCheck)
    #expect(outcome.errors == "4 errors, 0 warnings\n")
    try expectGolden(outcome.output.replacing(folder.path + "/", with: ""), "plist-check.\(format)")
  }

  @Test func `The command plist check names the owner of another partner's address`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      file.replacing("https://shop.example/skan", with: "https://www.appsflyer-skadnetwork.com/").replacing(
        "CSTR6SUWN9", with: "cstr6suwn9"), to: "Info.plist")
    let outcome = skan("plist", "check", path)
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.contains("the address of AppsFlyer"))
    #expect(
      !skan("plist", "check", try folder.write(file, to: "own.plist")).output.contains("the address of"))
  }

  @Test func `The command plist check fails where copies go to another domain than the given one`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      file.replacing("https://shop.example/skan", with: "https://shop.example").replacing(
        "CSTR6SUWN9", with: "cstr6suwn9"
      ).replacing("  <key>AdAttributionKit</key>\n  <dict>\n", with: "").replacing(
        "</string>\n  </dict>\n  <key>SK", with: "</string>\n  <key>SK"), to: "Info.plist")
    #expect(skan("plist", "check", path, "--domain", "shop.example").code == .done)
    let outcome = skan("plist", "check", path, "--domain", "other.example")
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.contains("[other-domain]"))
    #expect(outcome.output.contains("write https://other.example"))
    for wrong in ["https://other.example", "other.example/skan", "localhost"] {
      #expect(skan("plist", "check", path, "--domain", wrong).code == .usage, "\(wrong)")
    }
  }

  @Test func `The command plist check fails for warnings on request only`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      file.replacing("/skan", with: "/").replacing("CSTR6SUWN9", with: "cstr6suwn9").replacing(
        "  <key>AdAttributionKit</key>\n  <dict>\n", with: ""
      ).replacing("</string>\n  </dict>\n  <key>SK", with: "</string>\n  <key>SK"), to: "Info.plist")
    let outcome = skan("plist", "check", path)
    #expect(outcome.code == .done)
    #expect(outcome.errors == "0 errors, 2 warnings\n")
    #expect(skan("plist", "check", path, "--strict").code == .failedCheck)
  }

  @Test func `The command plist check reads the ids of networks from a file, too`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(file, to: "Info.plist")
    let list = try folder.write(
      "# our networks\ncstr6suwn9.skadnetwork\r\n\nv9wttpbfk9.skadnetwork\n", to: "ids")
    #expect(skan("plist", "check", path, "--networks", list).output.contains("no 'v9wttpbfk9.skadnetwork'"))
    let wrong = try folder.write("cstr6suwn9.skadnetwork\nfacebook\n", to: "wrong")
    let outcome = skan("plist", "check", path, "--networks", wrong)
    #expect(outcome.code == .data)
    #expect(outcome.errors.contains("wrong:2: 'facebook' is no id of an ad network"))
    #expect(skan("plist", "check", path, "--networks", folder.file("none")).code == .inputOutput)
  }

  @Test(arguments: [
    #"{"company_name":"x.skadnetworks","skadnetwork_ids":[{"skadnetwork_id":"ydx93a7ass.skadnetwork"},{"id":1}]}"#,
    "<?xml version=\"1.0\"?><plist><dict><!-- old.skadnetwork --><key>SKAdNetworkItems</key><array><dict>"
      + "<key>SKAdNetworkIdentifier</key><string>ydx93a7ass.skadnetwork</string></dict></array></dict></plist>",
  ])
  func `The command plist check reads the lists that networks publish`(list: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(file, to: "Info.plist")
    let outcome = skan("plist", "check", path, "--networks", try folder.write(list, to: "list"))
    #expect(outcome.output.contains("no 'ydx93a7ass.skadnetwork'"), "\(outcome.errors)")
    #expect(outcome.errors == "4 errors, 0 warnings\n")
    for empty in [
      list.replacing("skadnetwork\"", with: "x\"").replacing("skadnetwork<", with: "x<"), "{", "<",
    ] {
      let outcome = skan("plist", "check", path, "--networks", try folder.write(empty, to: "empty"))
      #expect(outcome.code == .data && outcome.errors.contains("empty:1: the file "), "\(outcome.errors)")
    }
  }

  @Test func `The command plist check lists networks that sent production postbacks as warnings`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let path = try folder.write(file, to: "Info.plist")
    let outcome = skan("plist", "check", path, "--database", database)
    #expect(outcome.output.contains("a network that sent postbacks"))
    #expect(!outcome.output.contains("development.adattributionkit"))
  }

  @Test func `The command plist check reports a file that cannot be read`() throws {
    let folder = try TemporaryFolder()
    #expect(skan("plist", "check", folder.file("none.plist")).code == .inputOutput)
    let outcome = skan("plist", "check", try folder.write("{}", to: "Info.plist"))
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.contains("[not-a-property-list]"))
  }
}
