import Configuration
import HTTPServer
import Intake
import Ledger
@testable import Routing
@testable import Service
import Testing
import TestSupport
import Values
import Verification

struct `Metrics by route` {
  @Test func `Metrics by route count every status, and unknown ones together`() {
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

  @Test func `Metrics by route are distinguished by the path`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let ledger = try PostbackLedger(path: database)
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    let service = try PostbackService(
      configuration, ServiceContext(database: database),
      intake: PostbackIntake(keyring: try Keyring(), ledger: ledger), ledger: ledger,
      resources: readResources)
    defer {
      service.stop(withinSeconds: 10)
      ledger.close()
    }
    let routes: [(path: String, figures: RouteName, name: String)] = [
      ("/.well-known/skadnetwork/report-attribution", .device, ""),
      ("/.well-known/skadnetwork/report-attribution/", .device, ""),
      ("/v1/networks/a/postbacks", .network, "a"), ("http://host/v1/networks/a/postbacks/", .network, "a"),
      ("/v1/networks//postbacks", .other, ""), ("/v1/networks/a/b/postbacks", .other, ""),
      ("/v1/postbacks/x", .postback, "x"), ("/v1/postbacks/x/y", .postback, "x/y"),
      ("/v1/reports/campaigns", .campaigns, ""), ("/v1/reports/events/", .report, ""),
      ("/v1/reports/nothing", .other, ""), ("/v1/mappings", .mappings, ""),
      ("/v1/apps/12/mapping", .apps, "12"), ("/v1/apps/12", .other, ""), ("/metrics", .metrics, ""),
      ("/healthz/", .healthz, ""), ("/readyz", .readyz, ""), ("/", .other, ""), ("", .other, ""),
    ]
    for route in routes {
      let found = service.routes.route(of: route.path)
      #expect(found?.route.figures ?? .other == route.figures, "\(route.path)")
      #expect(found?.name ?? "" == route.name, "\(route.path)")
    }
  }
}
