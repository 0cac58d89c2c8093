import EventFiles
import SkanMapping
import System
import Values

/// `skan-sample-app MAPPING EVENTS`: prints the calls of each user of an events file as CSV.
@main
struct SampleProgram {
  static func main() {
    let console = Console.standard()
    do {
      try run(Array(CommandLine.arguments.dropFirst()), console)
    } catch let error as EventFileError {
      fail("line \(error.line): \(error.sentence)\(error.cure.map { "; \($0)" } ?? "")", .data, console)
    } catch let error as AppDocumentError {
      fail("\(error)", .data, console)
    } catch let error as UsageProblem {
      fail(error.text, .usage, console)
    } catch {
      fail(CommandError(error).message, .data, console)
    }
  }

  private struct UsageProblem: Error {
    let text: String
  }

  private static func run(_ words: [String], _ console: Console) throws {
    guard words.count == 2 || words.count == 3,
      let currency = CurrencyCode(words.count == 3 ? words[2] : "USD")
    else {
      throw UsageProblem(
        text: "usage: skan-sample-app MAPPING EVENTS [CURRENCY], where MAPPING is an answer of "
          + "/v1/apps/{app}/mapping and CURRENCY is that of amounts without one [default: USD]")
    }
    let app = try SampleApp(
      document: try FileReader.contents(of: words[0], limit: AppMapping.largestDocument), currency: currency)
    console.line(SampleApp.Call.header)
    for user in try app.users(words[1]) {
      for call in try app.play(user, from: Instant(milliseconds: app.mapping.effectiveFrom)) {
        console.line(call.line)
      }
    }
    console.output.flush()
  }

  private static func fail(_ text: String, _ code: ExitCode, _ console: Console) -> Never {
    console.output.flush()
    console.errors.write(Array("skan-sample-app: \(text)\n".utf8))
    console.errors.flush()
    exitProcess(code)
  }
}
