import TestSupport
import Testing

struct `The configuration file of a command` {
  @Test func `The configuration of a command is shown with the source of each setting and without secrets`()
    throws
  {
    let secret = String(repeating: "s", count: 32)
    let text = """
      {"trusted-proxies":["127.0.0.1","10.0.0.0/8","::1"],"limits":{"burst":0,"rejected-per-day":5},
       "networks":[{"name":"a","token":"1234567890123456","hmac-secret":"\(secret)"}]}
      """
    let folder = try TemporaryFolder()
    let shown = skan("config", "show", "--config", try folder.write(text, to: "c.json")).output
    #expect(!shown.contains(secret))
    #expect(shown.contains("a (signed)"))
    func row(_ name: String) -> [Substring]? {
      shown.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: " ")
    }
    #expect(row("trusted-proxies")?.prefix(4) == ["trusted-proxies", "127.0.0.1,", "10.0.0.0/8,", "::1"])
    #expect(row("limits.burst")?.prefix(3) == ["limits.burst", "0", "file"])
    #expect(row("limits.requests-per-second") == ["limits.requests-per-second", "200", "default"])
    // All clients of a proxy share its address, so a limit by default would be the proxy's.
    #expect(row("connections-per-address")?.prefix(2) == ["connections-per-address", "0"])
    let plain = skan("config", "show", "--connections-per-address", "9", "--trusted-proxy", "::1").output
    #expect(plain.contains("connections-per-address      9  ") || plain.contains(" 9 "))
  }

  @Test func `The configuration of a command has proxies from the command line, which are rejected if wrong`()
  {
    let outcome = skan(
      "serve", "-d", "/none/x.db", "--listen", "127.0.0.1:0", "--trusted-proxy", "10.0.0.1/8")
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("'--trusted-proxy' is not an address or a range"))
  }

  @Test
  func `The configuration file of a command ends it with 65 if it is wrong and with 74 if it is missing`()
    throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write("{", to: "c.json")
    #expect(skan("config", "show", "--config", file).code == .data)
    #expect(skan("config", "show", environment: ["SKAN_CONFIG": file]).code == .data)
    #expect(skan("config", "show", "--config", folder.file("none")).code == .inputOutput)
  }
}
