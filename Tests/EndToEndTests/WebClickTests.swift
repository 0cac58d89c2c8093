import Foundation
import JSONText
import TestSupport
import Testing

struct `A browser that reports web clicks` {
  private let path = "/.well-known/private-click-measurement/report-attribution"
  private let report = Array(
    #"""
    {"source_engagement_type":"click","source_site":"127.0.0.1","source_id":42,"attributed_on_site":"example.com","trigger_data":12,"version":3}
    """#.utf8)

  @Test
  func
    `A browser that reports web clicks is answered 200 with and without the slash, and the report prints its clicks alone`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let daemon = try Daemon(database)
    #expect(try daemon.post(report, path).status == 200)
    #expect(try daemon.post(report, path + "/").status == 200)
    let wrong = try daemon.post(
      Array(String(decoding: report, as: UTF8.self).replacing("42", with: "256").utf8), path)
    #expect(wrong.status == 400)
    #expect(wrong.text.contains(#""code":"out-of-range""#) && wrong.text.contains(#""member":"source_id""#))
    #expect(wrong.text.contains("must be 0 through 255"))
    // A postback at the browsers' path is no report, and a report at the devices' path is no postback.
    #expect(try daemon.post(SharedVectors.body("apple-4.0-web-fine"), path).status == 400)
    #expect(try daemon.post(report).status == 400)
    let large = try daemon.post([UInt8](repeating: 0x20, count: 8193), path)
    #expect(large.status == 413 && large.text.contains("8192"))
    #expect(try daemon.get(path).status == 405)
    let metrics = try daemon.get("/metrics").text
    #expect(metrics.contains(#"skan_web_clicks_total{state="counted"} 2"#))
    #expect(metrics.contains(#"skan_web_clicks_total{state="rejected"} 2"#))
    #expect(metrics.contains(#"skan_postbacks_judged_total{state="malformed"} 1"#))
    #expect(metrics.contains(#"skan_http_requests_total{route="web",status="200"} 2"#))
    let ended = daemon.end(SIGTERM)
    #expect(ended.errors.contains("web-clicks=2"))
    #expect(try number(database, "SELECT count(*) FROM postback") == 0)
    let printed = try Subprocess.run("skan", ["report", "web", "-d", database, "--format", "csv"])
    #expect(printed.exitCode == 0)
    #expect(printed.output.contains("example.com"))
    #expect(printed.output.split(separator: "\r\n").last?.hasSuffix(",2,0") == true)
  }

  @Test func `A browser that reports web clicks is limited like a device`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.write(
      #"{"trusted-proxies":["127.0.0.1"],"limits":{"requests-per-second":1,"burst":2}}"#, to: "skan.json")
    let daemon = try Daemon(folder.file("skan.db"), ["--config", config])
    let statuses = try (0..<4).map { _ in
      try daemon.post(report, path, headers: [("X-Forwarded-For", "203.0.113.7")]).status
    }
    #expect(statuses.prefix(2) == [200, 200] && statuses.contains(429))
    _ = daemon.end(SIGTERM)
  }
}
