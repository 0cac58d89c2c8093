import Foundation
import HTTPServer
import PostbackFixtures
import System
import TestSupport
import Testing
import Values

struct `The command that pulls` {
  /// A source with two days of spend that wants a key.
  private func source() throws -> Server {
    try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      guard request.header("Authorization") == "Bearer geheim-42" else {
        return reply.send(Response(status: 403, contentType: "text/plain", text: "no: geheim-42"))
      }
      let first = request.query("from") ?? ""
      reply.send(
        Response(status: 200, contentType: "text/csv", text: "day,campaign,cost\n\(first),5239,12.5\n"))
    }
  }

  private func document(_ server: Server) -> String {
    #"{"pull":"costs","request":{"url":"http://127.0.0.1:\#(server.address.port)/costs?from={from}&to={to}","#
      + #""headers":{"Authorization":"Bearer ${env:COSTS_KEY}"}},"days":{"at-once":1,"again":2},"profile":{"profile":"p","#
      + #""imports":"spend","records":"file","columns":{"date":"day","campaign":"campaign","amount":"cost"},"#
      + #""fixed":{"network":"example123.skadnetwork","currency":"USD"}}}"#
  }

  @Test func `The command that pulls stores rows once, prints what it did and shows no secret`() throws {
    let folder = try TemporaryFolder()
    let server = try source()
    let file = try folder.write(document(server), to: "costs.json")
    let database = folder.file("skan.db")
    let environment = ["COSTS_KEY": "geheim-42"]
    func run(_ words: String...) -> Outcome {
      outcome(of: ["pull", file] + words, environment: environment)
    }
    let printed = run("--print", "--format", "csv")
    #expect(printed.code == .done, "\(printed.errors)")
    #expect(printed.output.contains("example123.skadnetwork,5239"))
    #expect(!FileManager.default.fileExists(atPath: database))
    let stored = run("-d", database, "--format", "json")
    #expect(stored.code == .done, "\(stored.errors)")
    #expect(
      stored.output.contains(#""requests":2,"rows":2,"new":2"#), "\(stored.output)")
    let again = run("-d", database, "--from", "2026-11-01", "--to", "2026-11-03", "--format", "ndjson")
    #expect(again.code == .done && again.output.contains(#""from":"2026-11-01","to":"2026-11-03""#))
    let listed = skan("spend", "list", "-d", database, "--format", "csv")
    #expect(listed.output.contains("2026-11-01,example123.skadnetwork,5239"), "\(listed.output)")
    for outcome in [printed, stored, again, listed] {
      #expect(!(outcome.output + outcome.errors).contains("geheim"))
    }
    let bytes = try folder.read("skan.db")
    #expect(!String(decoding: bytes, as: UTF8.self).contains("geheim"))
  }

  @Test func `The command that pulls names what is missing and rejected, and ends with its code`() throws {
    let folder = try TemporaryFolder()
    let server = try source()
    let file = try folder.write(document(server), to: "costs.json")
    let database = folder.file("skan.db")
    let noKey = skan("pull", file, "-d", database)
    #expect(noKey.code == .usage && noKey.errors.contains("COSTS_KEY is not set"))
    let denied = outcome(of: ["pull", file, "-d", database], environment: ["COSTS_KEY": "geheim-4"])
    #expect(
      denied.code == .unavailable && denied.errors.contains("the source answered 403"), "\(denied.errors)")
    #expect(!denied.errors.contains("geheim-4"))
    let noDatabase = outcome(of: ["pull", file], environment: ["COSTS_KEY": "geheim-42"])
    #expect(noDatabase.code == .usage && noDatabase.errors.contains("--print"))
    let broken = try folder.write(#"{"pull":"x","requests":{}}"#, to: "broken.json")
    let mistake = skan("pull", broken, "-d", database)
    #expect(mistake.code == .data && mistake.errors.contains("broken.json:1:13: $.requests: unknown member"))
    let days = outcome(
      of: ["pull", file, "-d", database, "--from", "2026-11-02", "--to", "2026-11-02"],
      environment: ["COSTS_KEY": "geheim-42"])
    #expect(days.code == .usage)
    #expect(skan("pull", folder.file("none.json"), "-d", database).code == .inputOutput)
  }
}
