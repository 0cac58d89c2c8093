import Foundation
import HTTPServer
import Ledger
import PostbackFixtures
import Pulls
import Reports
import System
import Testing
import TestSupport
import Values

/// Sources that answer as their documentation states, for the documents in `tools/samples/pulls`.
struct `A sample of a pull` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../tools/samples/pulls")

  private func spend(
    _ name: String, _ hosts: [String], _ source: TestSource, _ environment: [String: String],
    _ wait: TestWait = TestWait()
  ) throws -> [String] {
    var text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    for host in hosts { text = text.replacing("https://\(host)", with: source.base) }
    #expect(!text.contains("\"url\": \"https://"))
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let pulled = try pull(text).rows(novemberDays, wait, environment: environment)
    _ = try pulled.store(in: LedgerFile(path: path), now: noon)
    return try LedgerReader(path: path).imported(SpendRow.self).map {
      "\($0.day) \($0.network) \($0.campaign) \($0.currency) \($0.micros) \($0.impressions ?? -1) \($0.clicks ?? -1)"
    }.sorted()
  }

  @Test func `A sample of a pull of ironSource signs in and follows its pages`() throws {
    let base = Guarded("")
    let source = try TestSource { asked, _ in
      if asked.path == "/partners/publisher/auth" { return json(#""eyJ0eXAiOiJKV1Qi.x.y""#) }
      guard asked.authorization == "Bearer eyJ0eXAiOiJKV1Qi.x.y" else { return json("", status: 401) }
      let isFirst = asked.query["cursor"] == nil
      let next = isFirst ? #""next":"\#(base.withLock { $0 })/advertisers/v2/reports?cursor=AbC""# : ""
      return json(
        #"{"data":[{"date":"2026-11-0\#(isFirst ? 1 : 2)T00:00:00.000Z","campaignId":7,"campaignName":"Launch","impressions":100,"clicks":5,"spend":12.3456}],"paging":{\#(next)}}"#
      )
    }
    base.withLock { $0 = source.base }
    let rows = try spend(
      "ironsource.json", ["platform.ironsrc.com", "api.ironsrc.com"], source,
      ["IRONSOURCE_SECRET_KEY": "s", "IRONSOURCE_REFRESH_TOKEN": "r"])
    #expect(
      rows == [
        "2026-11-01 su67r6k2v3.skadnetwork Launch USD 12345600 100 5",
        "2026-11-02 su67r6k2v3.skadnetwork Launch USD 12345600 100 5",
      ])
    #expect(
      source.asked[1].query["startDate"] == "2026-11-01" && source.asked[1].query["endDate"] == "2026-11-03")
    #expect(source.asked[1].query["breakdowns"] == "day,campaign")
  }

  @Test func `A sample of a pull of Unity reads its table`() throws {
    let source = try TestSource { asked, _ in
      guard asked.path == "/organizations/42/reports/acquisitions", asked.authorization == "Bearer key" else {
        return json("", status: 403)
      }
      return Response(
        status: 200, contentType: "text/csv",
        text: "timestamp,campaign id,campaign name,starts,clicks,spend\n"
          + "2026-11-01T00:00:00.000Z,5b,Launch,1000,20,3.5\n")
    }
    let rows = try spend(
      "unity.json", ["stats.unityads.unity3d.com"], source,
      ["UNITY_ORGANIZATION": "42", "UNITY_API_KEY": "key"])
    #expect(rows == ["2026-11-01 4dzt52r2t5.skadnetwork Launch USD 3500000 1000 20"])
    #expect(source.asked[0].query["start"] == "2026-11-01T00:00:00.000Z")
    #expect(source.asked[0].query["end"] == "2026-11-04T00:00:00.000Z")
  }

  @Test func `A sample of a pull of Liftoff orders a report, waits for it and fetches it`() throws {
    let source = try TestSource { asked, number in
      guard asked.authorization == "Basic a2V5OnNlY3JldA==" else { return json("", status: 401) }
      switch asked.path {
      case "/api/v1/reports":
        return json(#"{"id":"abc123","created_at":"2026-11-04T00:00:00Z","state":"queued"}"#)
      case "/api/v1/reports/abc123/status":
        return json(#"{"id":"abc123","state":"\#(number < 4 ? "queued" : "completed")"}"#)
      case "/api/v1/reports/abc123/data":
        return Response(
          status: 200, contentType: "text/csv",
          text: "date,app_id,campaign_id,spend,impressions,clicks,installs\n2026-11-01,a,c1,5.01,10,2,1\n")
      default: return json("", status: 404)
      }
    }
    let wait = TestWait()
    let rows = try spend(
      "liftoff.json", ["data.liftoff.io"], source,
      ["LIFTOFF_API_KEY": "key", "LIFTOFF_API_SECRET": "secret"],
      wait)
    #expect(rows == ["2026-11-01 7ug5zh24hu.skadnetwork c1 USD 5010000 10 2"])
    #expect(wait.seconds == [2, 2])
    #expect(source.asked[0].body.contains(#""start_time": "2026-11-01""#))
    #expect(source.asked[0].body.contains(#""end_time": "2026-11-04""#))
  }

  @Test func `A sample of a pull of Meta follows its pages and takes the account's currency`() throws {
    let base = Guarded("")
    let source = try TestSource { asked, _ in
      guard asked.path == "/v25.0/act_99/insights", asked.authorization == "Bearer EAAB" else {
        return json(#"{"error":{"code":190}}"#, status: 400)
      }
      let isFirst = asked.query["after"] == nil
      let next = isFirst ? #","next":"\#(base.withLock { $0 })/v25.0/act_99/insights?after=MAZDZD""# : ""
      return json(
        #"{"data":[{"campaign_id":"23","campaign_name":"Launch \#(isFirst ? 1 : 2)","account_currency":"EUR","spend":"53.95","impressions":"3613","clicks":"12","date_start":"2026-11-02","date_stop":"2026-11-02"}],"paging":{"cursors":{"before":"MAZDZD","after":"MAZDZD"}\#(next)}}"#
      )
    }
    base.withLock { $0 = source.base }
    let rows = try spend(
      "meta.json", ["graph.facebook.com"], source, ["META_AD_ACCOUNT": "99", "META_ACCESS_TOKEN": "EAAB"])
    #expect(
      rows == [
        "2026-11-02 v9wttpbfk9.skadnetwork Launch 1 EUR 53950000 3613 12",
        "2026-11-02 v9wttpbfk9.skadnetwork Launch 2 EUR 53950000 3613 12",
      ])
    #expect(source.asked[0].query["time_range"] == #"{"since":"2026-11-01","until":"2026-11-03"}"#)
  }
}
