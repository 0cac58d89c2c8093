import Ledger
import Routing
import System
import Values

extension Metrics {
  /// Adds what was asked and answered.
  mutating func add(requests meter: RequestMeter) {
    for answer in meter.answers {
      let status = answer.status == 0 ? "other" : "\(answer.status)"
      add(
        "http_requests_total", "route=\"\(answer.route.label)\",status=\"\(status)\"", "\(answer.count)",
        help: "Requests answered, by route and status.")
    }
    for route in RouteName.allCases {
      let reading = meter.durations(of: route)
      guard reading.counts.contains(where: { $0 > 0 }) else { continue }
      add(
        histogram: "http_request_seconds", "route=\"\(route.label)\"", reading, scale: 1e6,
        help: "Time from the complete request to its answer.")
    }
  }

  /// Adds what was turned away.
  mutating func add(limits limiter: RateLimiter) {
    for scope in RateLimiter.Scope.allCases {
      add(
        "requests_limited_total", "by=\"\(scope.rawValue)\"", "\(limiter.limitedRequests(scope))",
        help: "Requests answered 429, by limit.")
    }
    add(
      "limit_buckets_lost_total", nil, "\(limiter.overflows)",
      help: "Senders whose limit was reset because of too many senders.")
  }

  /// Adds what the writer has before it and has done, and the size of its files.
  mutating func add(ledger: PostbackLedger, database: String) {
    let statistics = ledger.statistics
    let lanes = [("device", statistics.waitingDevices), ("network", statistics.waitingBatches)]
    for (name, waiting) in lanes {
      add(
        "ledger_queue", "from=\"\(name)\"", "\(waiting.receipts)",
        help: "Postbacks queued for storing, by sender.")
    }
    for (name, waiting) in lanes {
      add(
        "ledger_queue_bytes", "from=\"\(name)\"", "\(waiting.bytes)",
        help: "Bytes of bodies queued for storing, by sender.")
    }
    add(
      histogram: "ledger_commit_size", nil, ledger.commitSizes.reading, scale: 1,
      help: "Postbacks of a transaction.")
    add(
      histogram: "ledger_commit_seconds", nil, ledger.commitMicroseconds.reading, scale: 1e6,
      help: "Duration of a transaction.")
    if let journal = statistics.journal {
      add(
        "journal_behind", nil, "\(journal.behind)",
        help: "Batches of the journal that are not in this node's database.")
      add(
        "journal_differences", nil, "\(journal.differences)",
        help: "Figures that this node's database and another's had differently at the same place.")
    }
    if let seconds = statistics.secondsBehind {
      add(
        "journal_age_seconds", nil, fixed(seconds, 3),
        help: "Time since this node's database last had all of the journal.")
    }
    if let appends = ledger.appendMicroseconds {
      add(
        histogram: "journal_append_seconds", nil, appends.reading, scale: 1e6,
        help: "Time until the journal had a batch.")
    }
    for (name, path) in [("database", database), ("wal", database + "-wal")] {
      guard let bytes = fileBytes(path) else { continue }
      add("database_bytes", "file=\"\(name)\"", "\(bytes)", help: "Bytes of the database's files.")
    }
  }

  /// Adds figures of the process, under the names that all programs have for them.
  mutating func addProcess(version: String, startSeconds: Double?) {
    if let bytes = ProcessFigures.residentBytes {
      add(of: "process_resident_memory_bytes", nil, "\(bytes)", help: "Memory in use.")
    }
    add(
      of: "process_cpu_seconds_total", nil, "\(processMicroseconds() / 1e6)", help: "CPU time used.")
    if let start = ProcessFigures.startSeconds {
      add(
        of: "process_start_time_seconds", nil, "\(start)", help: "Start time of the process, in Unix seconds."
      )
    }
    if let count = ProcessFigures.openFiles {
      add(of: "process_open_fds", nil, "\(count)", help: "Open files and sockets.")
    }
    if let startSeconds {
      add(
        "start_seconds", nil, "\(startSeconds)",
        help: "Time from the start of the process until it accepted connections."
      )
    }
    add("build_info", "version=\"\(version)\"", "1", help: "The version of the program.")
  }
}
