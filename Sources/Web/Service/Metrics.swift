import HTTPServer
import Intake
import Ledger
import Routing
import Values

/// The figures of a running service in Prometheus' text form.
///
/// Source: Prometheus, "Exposition formats", text-based format 0.0.4.
struct Metrics {
  private static let help = [
    "postbacks_judged_total": "Bodies verified, by verdict.",
    "postbacks_stored_total": "Valid postbacks stored, by effect.",
    "postbacks_not_stored_total": "Bodies not stored and answered 503.",
    "purchase_notifications_total": "Notifications of the App Store, by what became of them.",
    "commits_total": "Transactions committed.",
    "failed_commits_total": "Transactions that failed.",
    "database_replacements_total":
      "Times that the database or its -wal file was removed or replaced while in use.",
    "largest_commit_receipts": "Postbacks of the largest transaction.",
    "connections": "Open connections.",
    "requests_rejected_total":
      "Requests that the server rejected before a route saw them, such as bodies that are too large or slow.",
    "alerts_firing": "Firing alerts, by kind and severity.",
    "estimates_made_total": "Fits of estimates that were made, for a question or in the background.",
    "estimates_kept_total": "Questions for estimates that were answered from a fit that was kept.",
    "estimates_kept_bytes": "Memory of the fits of estimates that are kept.",
  ]

  private var lines: [String] = []
  private var described: Set<String> = []

  init(
    counters: Counters, ledger: PostbackLedger.Statistics, server: ServerCounters?, alerts: AlertSnapshot
  ) {
    for figure in Counters.Figure.allCases {
      add(figure.series.name, figure.series.label, "\(counters[figure])")
    }
    add("commits_total", nil, "\(ledger.commits)")
    add("failed_commits_total", nil, "\(ledger.failedCommits)")
    add("database_replacements_total", nil, "\(ledger.files.losses)")
    add("largest_commit_receipts", nil, "\(ledger.largestCommit)")
    if let server {
      add("connections", nil, "\(server.openConnections)")
      add("requests_rejected_total", nil, "\(server.rejectedRequests)")
    }
    // One pass, because very many may fire.
    let firing = alerts.firing.reduce(into: [:] as [[String]: Int]) {
      $0[[$1.kind, $1.severity], default: 0] += 1
    }
    for kind in alerts.kinds {
      // A series that is always there distinguishes "none" from "not watched".
      for severity in alerts.severities {
        add(
          "alerts_firing", "kind=\"\(kind)\",severity=\"\(severity)\"", "\(firing[[kind, severity]] ?? 0)")
      }
    }
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a figure of the service; a name that ends in `_total` is a counter.
  mutating func add(_ name: String, _ label: String?, _ value: String, help: String? = nil) {
    add(of: "skan_\(name)", label, value, help: help ?? Self.help[name] ?? "")
  }

  /// Adds a figure by its whole name; a name that ends in `_total` is a counter.
  mutating func add(of name: String, _ label: String?, _ value: String, help: String) {
    describe(name, name.hasSuffix("_total") ? "counter" : "gauge", help)
    lines.append("\(name)\(label.map { "{\($0)}" } ?? "") \(value)")
  }

  /// Adds a histogram.
  ///
  /// - Parameters:
  ///   - name: Its name without `skan_`.
  ///   - label: What distinguishes it from others of the name.
  ///   - scale: How many of its units make one of what is shown.
  mutating func add(
    histogram name: String, _ label: String?, _ reading: Histogram.Reading, scale: Double, help: String
  ) {
    let name = "skan_\(name)"
    describe(name, "histogram", help)
    func shown(_ value: Int) -> String { scale == 1 ? "\(value)" : "\(Double(value) / scale)" }
    let front = label.map { "\($0)," } ?? ""
    var count = 0
    for (index, bucket) in reading.counts.enumerated() {
      count += bucket
      let bound = index < reading.bounds.count ? shown(reading.bounds[index]) : "+Inf"
      lines.append("\(name)_bucket{\(front)le=\"\(bound)\"} \(count)")
    }
    let braces = label.map { "{\($0)}" } ?? ""
    lines.append("\(name)_sum\(braces) \(shown(reading.sum))")
    lines.append("\(name)_count\(braces) \(count)")
  }

  private mutating func describe(_ name: String, _ type: String, _ help: String) {
    guard described.insert(name).inserted else { return }
    lines.append("# HELP \(name) \(help)")
    lines.append("# TYPE \(name) \(type)")
  }
}

extension Counters.Figure {
  fileprivate var series: (name: String, label: String?) {
    switch self {
    case .valid, .invalid, .unverifiable, .malformed: ("postbacks_judged_total", "state=\"\(rawValue)\"")
    case .first, .copy, .conflict: ("postbacks_stored_total", "effect=\"\(rawValue)\"")
    case .notStored: ("postbacks_not_stored_total", nil)
    case .purchases: ("purchase_notifications_total", "state=\"counted\"")
    case .purchaseRepeats: ("purchase_notifications_total", "state=\"repeated\"")
    case .purchaseOthers: ("purchase_notifications_total", "state=\"not-counted\"")
    case .purchaseRejected: ("purchase_notifications_total", "state=\"rejected\"")
    }
  }
}
