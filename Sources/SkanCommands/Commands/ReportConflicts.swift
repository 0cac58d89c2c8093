import Arguments
import Platform
import Reporting

/// `skan report conflicts`: conversions that were told differently in two valid copies.
enum ReportConflictsCommand {
  static let entry = Entry(
    command: Command(
      "report conflicts", "Print conversions that were told differently in two valid copies.",
      discussion: [
        "Apple signs neither the conversion value nor the country. Two copies of one conversion whose signatures hold and "
          + "which contradict each other in such a field are evidence that somebody changed one: a device sends the same "
          + "bytes to the network and to the advertiser. Both bodies are kept; --format json prints them.",
        "Below the rows stands, for each network, how many conversions were told more than once, and how many of those "
          + "differently.",
      ],
      examples: [
        .init("All of them", "skan report conflicts -d skan.db"),
        .init("With both bodies", "skan report conflicts -d skan.db --format ndjson"),
      ], options: ReportPostbacksCommand.options)
  ) { call in
    let report = try ConflictReport(ReportPostbacksCommand.query(call), from: call.reader())
    call.console.write(report.text(call.format))
    return .done
  }
}
