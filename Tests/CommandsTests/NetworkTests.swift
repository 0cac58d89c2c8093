import TestSupport
import Testing
import Values

struct `The networks' commands` {
  @Test func `The networks' commands list every profile`() {
    let output = skan("network", "list", "--format", "csv").output
    for name in ["apple", "text", "macros", "unsigned", "adjust", "appsflyer", "branch", "singular", "unity"]
    {
      #expect(output.contains("\n\(name),"), "\(name)")
    }
  }

  @Test func `The networks' commands explain what was read, and the verdict`() throws {
    let folder = try TemporaryFolder()
    let body = String(decoding: try SharedVectors.body("apple-3.0-win"), as: UTF8.self)
    let plain = try folder.write(body, to: "plain.json")
    let valid = skan("network", "try", "text", plain, "--format", "ndjson")
    #expect(valid.code == .done)
    #expect(valid.output.contains(#""treatment":"as Apple's","state":"valid""#), "\(valid.output)")
    let base64 = String(decoding: Base64.encode(Array(body.utf8)), as: UTF8.self)
    let wrapped = try folder.write(
      #"{"skan_postback":"\#(base64)","attribution_type":"skadnetwork"}"#, to: "w.json")
    let found = skan("network", "try", "singular", wrapped)
    #expect(found.code == .done)
    #expect(found.output.contains("network's own"))
    #expect(found.errors.contains("postback 0 is valid (production)"))
    #expect(skan("network", "try", "apple", wrapped).code == .failedCheck)
  }

  @Test func `The networks' commands try a query, and find a macro that was not replaced`() {
    let found = skan("network", "try", "macros", "--query", "version=4.0&transaction_id={transaction_id}")
    #expect(found.code == .failedCheck)
    #expect(found.errors.contains("'transaction_id' of postback 0 has a macro that was not replaced"))
    #expect(found.errors.contains("postback 0 is malformed: missing-member"))
    #expect(skan("network", "try", "apple", "--query", "a=b").code == .usage)
    #expect(skan("network", "try", "macros").code == .usage)
    let unknown = skan("network", "try", "adjsut", "--query", "a=b")
    #expect(unknown.code == .usage && unknown.errors.contains("There is no profile 'adjsut'."))
  }

  @Test func `The networks' commands print the page for a network with its configured form`() throws {
    let folder = try TemporaryFolder()
    let configuration = try folder.write(
      #"{"networks":[{"name":"acme","token":"0123456789abcdef","form":{"names":{"txid":"transaction-id"}}}]}"#,
      to: "skan.json")
    let page = skan(
      "network", "guide", "acme", "--config", configuration, "--url", "https://skan.example:8443")
    #expect(page.code == .done)
    #expect(page.output.contains("https://skan.example:8443/v1/networks/acme/postbacks"))
    #expect(page.output.contains("| `txid` | transaction-id |"))
    #expect(!page.output.contains("0123456789abcdef"))
    let adjust = skan("network", "guide", "acme", "--profile", "adjust-raw").output
    #expect(adjust.contains("sk_payload={sk_payload}&sk_version={sk_version}&sk_network_id={sk_network_id}&"))
    #expect(adjust.contains("| `sk_network_id` | ad-network-id |") && !adjust.contains("{version}"))
    #expect(skan("network", "guide", "a/b").code == .usage)
    #expect(skan("network", "guide", "acme", "--url", "skan.example").code == .usage)
  }
}
