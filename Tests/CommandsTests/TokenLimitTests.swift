import TestSupport
import Testing

struct `A token that is limited` {
  @Test(arguments: [
    ["--reader", "x", "--app", "52x"], ["--reader", "x", "--app", ""], ["--reader", "x", "--app", "1,two"],
    ["--editor", "x", "--app", "525463029"], ["--network", "x", "--app", "525463029"],
    ["--network", "x", "--valid-for", "1h"], ["--reader", "x", "--valid-for", "0s"],
  ])
  func `Is not created without its limit where the limit cannot be read`(words: [String]) throws {
    let folder = try TemporaryFolder()
    let outcome = outcome(of: ["token", "create", "-d", folder.file("skan.db")] + words)
    #expect(outcome.code == .usage)
    #expect(outcome.output.isEmpty)
  }

  @Test func `Is listed with its apps and its end`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let made = outcome(of: [
      "token", "create", "-d", database, "--reader", "x", "--app", "1,2", "--valid-for", "30d",
    ])
    #expect(made.code == .done)
    let list = outcome(of: ["token", "list", "-d", database, "--format", "csv"]).output
    #expect(list.contains("1; 2"))
    #expect(!list.contains(",,,"))
  }
}
