@testable import Service
import Testing

struct `Figures by route` {
  @Test func `count every status, those that nobody knows together`() {
    let meter = RequestMeter()
    for status in RequestMeter.statuses.dropFirst() + [200, 302, 418] { meter.record(.device, status, 1000) }
    meter.record(.metrics, 200, nil)
    let device = meter.answers.filter { $0.route == .device }
    #expect(device.count == RequestMeter.statuses.count)
    #expect(device.first { $0.status == 200 }?.count == 2)
    #expect(device.first { $0.status == 0 }?.count == 2)
    #expect(meter.answers.contains { $0.route == .metrics && $0.status == 200 && $0.count == 1 })
    #expect(meter.durations(of: .metrics).counts.allSatisfy { $0 == 0 })
    #expect(meter.durations(of: .device).sum == 1000 * (RequestMeter.statuses.count + 2))
  }

  @Test(arguments: [
    ("/.well-known/skadnetwork/report-attribution", RouteName.device),
    ("/.well-known/skadnetwork/report-attribution/", .device), ("/v1/networks/a/postbacks", .network),
    ("http://host/v1/networks/a/postbacks/", .network), ("/v1/networks//postbacks", .other),
    ("/v1/postbacks/x", .postback), ("/v1/reports/campaigns", .campaigns),
    ("/v1/reports/events/", .report), ("/v1/reports/nothing", .other), ("/v1/mappings", .mappings),
    ("/metrics", .metrics), ("/healthz/", .healthz), ("/readyz", .readyz), ("/", .other), ("", .other),
  ])
  func `are distinguished by the path`(path: String, route: RouteName) {
    #expect(Router.route(of: Router.plain(path)) == route)
  }
}
