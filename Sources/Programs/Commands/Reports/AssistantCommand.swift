import Alerts
import Arguments
import Assistants
import Configuration
import Ledger
import System
import Values

/// `skan mcp`: answers an assistant that started this process.
enum AssistantCommand {
  static let entry = Entry(
    command: Command(
      "mcp", "Answer an assistant that uses the Model Context Protocol.",
      discussion: [
        "An assistant that runs on this machine starts the command and asks through its standard input and output: one "
          + "JSON-RPC message a line. Each report is a tool with the parameters of its command; `explain` is one too. No "
          + "tool changes anything.",
        "Every answer has the rows as JSON and as a table, and for each column the unit, the interval and an address that "
          + "explains it. Tables have 50 rows unless the argument limit is given; the answer states what it leaves out.",
        "Assistants on other machines ask the daemon: `skan serve --pages` answers at the path /mcp of the pages, with a "
          + "reader's token. The guide is docs/guides/assistants.md.",
        "The command ends with its input. Notes and errors go to standard error.",
      ],
      examples: [
        .init("Answer an assistant that starts the command", "skan mcp -d skan.db"),
        .init(
          "List the tools by hand",
          #"echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | skan mcp -d skan.db"#),
      ],
      options: [.database(), .trustTestKeys] + ServiceConfiguration.options("alerts")), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let database = try call.existingDatabase()
    // What is wrong with the file shows now, and not at the first question.
    _ = try call.reader()
    let configuration = try call.serviceConfiguration()
    let source = AssistantSource(
      database: database, keyring: try call.keyring(), clock: call.world.clock, open: { try call.reader() },
      rules: { try configuration.alertRules() })
    let server = AssistantServer(version: skanVersion, source: source) { tool, reason in
      call.console.problem("the tool \(tool) failed: \(reason)", remedy: "report it with the arguments")
    }
    if call.console.isInputTerminal {
      call.console.note("waiting for messages of an assistant on standard input; Ctrl-D ends it")
    }
    let input = try FileReader("-")
    var lines = MessageLines()
    var isAtEnd = false
    while !isAtEnd, call.console.output.state == .open {
      let chunk = try input.read()
      isAtEnd = chunk.isEmpty
      let found = isAtEnd ? [lines.finish()].compactMap(\.self) : lines.take(chunk)
      for line in found {
        let answer =
          switch line {
          case .message(let bytes): server.answer(bytes)
          case .tooLong: AssistantServer.tooLong
          }
        guard let body = answer.body else { continue }
        call.console.write(body + [UInt8(ascii: "\n")])
        call.console.output.flush()
      }
    }
    return .done
  }
}
