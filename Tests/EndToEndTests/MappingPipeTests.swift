import TestSupport
import Testing

struct `skan mapping as a process` {
  @Test func `skan mapping reads standard input for one file, and checks its own output`() throws {
    let mapping = #"""
      {"name":"a","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan3",
       "grids":[{"first-value":6,"events":["subs_success"],"active-hours":[0,12,24],
                 "revenue":[0,20,40,60,80,null],"worth":[10,30,50,70,100]}]}
      """#
    let shown = try Subprocess.run(
      "skan", ["mapping", "show", "--format", "json", "-"], input: Array(mapping.utf8))
    #expect(shown.exitCode == 0)
    let checked = try Subprocess.run("skan", ["mapping", "check", "-"], input: Array(shown.output.utf8))
    #expect(checked.exitCode == 0)
    #expect(checked.errors == "0 errors, 0 warnings\n")

    let folder = try TemporaryFolder()
    let file = try folder.write(mapping, to: "m.json")
    let events = "user,time,event,revenue\nu,0,install,\nu,60,subs_success,25\n"
    let tried = try Subprocess.run(
      "skan", ["mapping", "try", file, "--events", "-", "--format", "ndjson"], input: Array(events.utf8))
    #expect(tried.exitCode == 0)
    #expect(tried.output.contains(#"{"time":60,"value":7,"#))
  }
}
