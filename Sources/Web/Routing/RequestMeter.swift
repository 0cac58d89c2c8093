package import HTTPServer
import Synchronization
import System
package import Values

package enum RouteName: Int, CaseIterable, Sendable {
  case other
  case device
  case network
  case inbox
  case purchases
  case campaigns
  case report
  case postback
  case mappings
  case apps
  case alerts
  case pages
  case assistants
  case healthz
  case readyz
  case metrics

  package var label: String { "\(self)" }
}

/// Counts requests by route and status, and how long they took, for any number of threads without a lock.
package final class RequestMeter: Sendable {
  /// The statuses that are distinguished; all others count as 0.
  static let statuses = [
    0, 200, 202, 204, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 414, 415, 421, 422, 429,
    431,
    500, 501, 503,
  ]
  private static let stride = 32

  private let counts: InlineArray<544, Atomic<Int>> = InlineArray { _ in Atomic(0) }
  private let microseconds = RouteName.allCases.map { _ in
    Histogram(
      below: [
        100, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        10_000_000,
      ])
  }

  package init() {}

  /// Counts an answer.
  ///
  /// - Parameters:
  ///   - status: The answer's status.
  ///   - duration: Microseconds from the complete request to the answer; nil where there was no complete request.
  func record(_ route: RouteName, _ status: Int, _ duration: Double?) {
    let column = Self.statuses.firstIndex(of: status) ?? 0
    counts[route.rawValue * Self.stride + column].add(1, ordering: .relaxed)
    if let duration { microseconds[route.rawValue].record(Int(duration)) }
  }

  /// Answers counted so far, those that occurred.
  package var answers: [(route: RouteName, status: Int, count: Int)] {
    RouteName.allCases.flatMap { route in
      Self.statuses.enumerated().compactMap { column, status in
        let count = counts[route.rawValue * Self.stride + column].load(ordering: .relaxed)
        return count == 0 ? nil : (route, status, count)
      }
    }
  }

  /// How long the requests of a route took, in microseconds.
  package func durations(of route: RouteName) -> Histogram.Reading { microseconds[route.rawValue].reading }
}

/// A reply whose sending is counted.
package struct MeteredReply: ~Copyable, Sendable {
  private let reply: Reply
  private let meter: RequestMeter
  private let began = wallMicroseconds()
  private let route: RouteName

  package init(_ reply: consuming Reply, _ route: RouteName, _ meter: RequestMeter) {
    self.reply = reply
    self.route = route
    self.meter = meter
  }

  package consuming func send(_ response: Response) {
    let (meter, route, status, duration) = (meter, route, response.status, wallMicroseconds() - began)
    reply.send(response.withoutSniffing) { meter.record(route, status, duration) }
  }

  package consuming func send(_ response: PreparedResponse) {
    meter.record(route, response.response.status, wallMicroseconds() - began)
    reply.send(response)
  }
}
