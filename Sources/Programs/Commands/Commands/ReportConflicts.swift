import Values
import Arguments
import Reporting
import System

/// `skan report conflicts`: conversions that were told differently in two valid copies.
enum ReportConflictsCommand {
  static let entry = Entry(
    command: Command(
      "report conflicts", "Print conversions that were told differently in two valid copies.",
      discussion: [
        "Apple signs neither the conversion value nor the country. Two copies of one conversion whose signatures hold and "
          + "which contradict each other in such a field are evidence that somebody changed one: a device sends the same "
          + "bytes to the network and to the advertiser. Both bodies are kept; --format json prints them.",
        "Of each conversion at most 16 contradicting copies and 128 KiB of them are kept, of each sender 16 MiB a day. Copies "
          + "beyond that are counted: their row has no value and no body.",
        "Below the rows stands, for each network, how many conversions were told more than once, and how many of those "
          + "differently.",
      ],
      examples: [
        .init("All of them", "skan report conflicts -d skan.db"),
        .init("With both bodies", "skan report conflicts -d skan.db --format ndjson"),
      ], options: ReportPostbacksCommand.options)
  ) { call in
    let console = call.console
    try ConflictReport.write(ReportPostbacksCommand.query(call), as: call.format, from: call.reader()) {
      text in
      console.write(text)
      return console.output.state == .open
    }
    return .done
  }
}
