import Foundation
import TestSupport
import Testing

/// A colleague who may see one app of several.
struct `A token that is limited to apps` {
  @Test func `Shows the pages of its apps, and nothing of others`() throws {
    var token = ""
    let files = try TemporaryFolder()
    let events = "user,time,event\nu1,2026-11-01T00:00:00Z,first_open\n"
    _ = try files.write(events, to: "secret-users.csv")
    let site = try PagesFixture(["--samples", files.path]) { database in
      let day = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -86_400)).prefix(10)
      _ = try files.write(
        "date,network,campaign,app,amount,currency\n\(day),other.skadnetwork,4455,525463030,99887,USD\n"
          + "\(day),other.skadnetwork,Secret campaign,,99887,USD\n", to: "spend.csv")
      _ = try Subprocess.run("skan", ["spend", "import", "-d", database, files.file("spend.csv")])
      let made = try Subprocess.run(
        "skan",
        ["token", "create", "-d", database, "--reader", "cleo", "--app", "525463029", "--valid-for", "30d"])
      token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let cookie = try site.signIn(token)
    let paths = try site.screens(cookie)
    #expect(paths.contains("/campaigns") && paths.contains("/arrived"))
    for path in ["/data", "/access", "/alerts", "/postbacks", "/mappings"] {
      #expect(!paths.contains(path), "\(path)")
    }
    for path in paths { #expect(try site.get(path, cookie).status == 200, "\(path)") }
    #expect(try site.get("/campaigns?app=525463029", cookie).status == 200)
    for path in [
      "/campaigns?app=525463030", "/campaigns?app=525463029,525463030",
      "/campaigns?app=525463030&app=525463029",
      "/data/spend", "/postbacks", "/mappings", "/access", "/alerts",
      "/postbacks/one?id=6aafb7a5-0170-41b5-bbe4-fe71dedf1e30",
    ] {
      #expect(try site.get(path, cookie).status == 403, "\(path)")
    }
    // The interface for programs has no limit by apps, so it takes no such token.
    let answer = try site.daemon.get("/v1/reports/campaigns", token: token)
    #expect(answer.status == 403)
    // What is beside the figures of a file or a filter has nothing of other apps either.
    for path in ["/values", "/campaigns?format=json", "/arrived?format=json", "/causes?format=json"] {
      let text = try site.get(path, cookie).text
      for secret in ["secret-users", "525463030", "Secret campaign", "99887"] {
        #expect(!text.contains(secret), "\(path) has \(secret)")
      }
    }
    let open = try site.signIn(site.readerToken)
    #expect(try site.get("/campaigns?app=525463030", open).status == 200)
  }
}
