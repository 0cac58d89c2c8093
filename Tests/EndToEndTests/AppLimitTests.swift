import Foundation
import TestSupport
import Testing

/// A colleague who may see one app of several.
struct `A token that is limited to apps` {
  @Test func `Shows the pages of its apps, and nothing of others`() throws {
    var token = ""
    let site = try PagesFixture { database in
      let made = try Subprocess.run(
        "skan",
        ["token", "create", "-d", database, "--reader", "cleo", "--app", "525463029", "--valid-for", "30d"])
      token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let cookie = try site.signIn(token)
    let paths = try site.screens(cookie)
    #expect(paths.contains("/campaigns") && paths.contains("/estimates"))
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
    let open = try site.signIn(site.readerToken)
    #expect(try site.get("/campaigns?app=525463030", open).status == 200)
  }
}
