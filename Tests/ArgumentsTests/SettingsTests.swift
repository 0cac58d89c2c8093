import Arguments
import Testing

@Suite struct `A setting` {
  @Test(
    arguments: [
      ("serve -d x --threads 3", "4", "5", 3, Settings.Source.commandLine),
      ("serve -d x", "4", "5", 4, .environment("SKAN_THREADS")),
      ("serve -d x", "", "5", 5, .file("skan.json")),
      ("serve -d x", nil, "5", 5, .file("skan.json")), ("serve -d x", nil, nil, 2, .programDefault),
    ] as [(String, String?, String?, Int, Settings.Source)])
  func `A setting comes from the nearest source`(
    line: String, environment: String?, file: String?, value: Int, source: Settings.Source
  ) throws {
    let settings = try #require(
      try settings(
        line, environment: environment.map { ["SKAN_THREADS": $0] } ?? [:],
        configuration: file.map { ["threads": $0] } ?? [:]))
    #expect(settings[Sample.threads] == value)
    #expect(settings.entries.first { $0.name == "--threads" }?.source == source)
  }

  @Test func `A setting that is a switch can come from every source too`() throws {
    for (text, isOn) in [
      ("true", true), ("1", true), ("yes", true), ("false", false), ("0", false), ("off", false),
    ] {
      #expect(try settings("serve -d x", environment: ["SKAN_SYNC": text])?[Sample.sync] == isOn)
      #expect(try settings("serve -d x", configuration: ["sync": text])?[Sample.sync] == isOn)
    }
    #expect(try settings("serve -d x --sync", environment: ["SKAN_SYNC": "0"])?[Sample.sync] == true)
  }

  @Test func `A setting has its default where the command does not have it, and never ends the program`()
    throws
  {
    let settings = try #require(try settings("mapping check a.json"))
    #expect(settings[Sample.threads] == 2)
    #expect(settings[Sample.sync])
    #expect(settings[Sample.from] == nil)
    #expect(settings[Sample.app].isEmpty)
    #expect(settings[Sample.format] == .table)
    #expect(settings[Sample.database] == nil)
  }

  @Test func `A setting that is required can come from any source`() throws {
    #expect(try settings("serve", environment: ["SKAN_DATABASE": "e.db"])?[Sample.database] == "e.db")
    #expect(try settings("serve", configuration: ["database": "f.db"])?[Sample.database] == "f.db")
    let error = #expect(throws: UsageError.self) { _ = try settings("serve") }
    #expect(
      error?.description
        == "The option '--database' is missing. Give it, or set SKAN_DATABASE in the environment.\n"
        + "See 'skan serve --help'.")
  }

  @Test func `A setting with a wrong value is reported with its source`() {
    let variable = #expect(throws: UsageError.self) {
      _ = try settings("serve -d x", environment: ["SKAN_LISTEN": "8080"])
    }
    #expect(
      variable?.problem
        == "The value '8080' of the variable SKAN_LISTEN is not HOST:PORT, such as 127.0.0.1:8080.")
    let file = #expect(throws: UsageError.self) {
      _ = try settings("serve -d x", configuration: ["keep-bodies-for": "long"])
    }
    #expect(
      file?.problem
        == "The value 'long' of 'keep-bodies-for' in skan.json is not a length of time, such as 90s, 15m, 36h or 2d."
    )
    #expect(throws: UsageError.self) { _ = try settings("serve -d x", environment: ["SKAN_SYNC": "maybe"]) }
  }

  @Test func `An environment variable that is no setting is ignored`() throws {
    #expect(try settings("serve -d x", environment: ["SKAN_QUIET": "1"])?[Sample.quiet] == false)
    #expect(
      sample.configurationKeys == ["config", "database", "keep-bodies-for", "listen", "sync", "threads"])
  }

  @Test func `A setting shows its source in words`() {
    let sources: [Settings.Source] = [
      .commandLine, .environment("SKAN_LISTEN"), .file("a.json"), .programDefault,
    ]
    #expect(
      sources.map(\.description) == ["command line", "environment (SKAN_LISTEN)", "file (a.json)", "default"])
  }
}
