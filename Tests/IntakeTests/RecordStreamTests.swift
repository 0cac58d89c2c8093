import Intake
import Ledger
import Testing
import Values

/// Records as the taps and connectors emit them whose repositories the profiles name.
struct `A stream of records` {
  private func read(_ name: BuiltInProfile, _ lines: [String], fixed: String? = nil, zone: String? = nil)
    throws -> ReferenceRows<SpendRow>
  {
    var form = try name.profile.form
    if let fixed { try form.fix(fixed) }
    if let zone { form.days.zone = ReportingZone(named: zone) }
    var mistakes = ReferenceMistakes(most: 1)
    return try ReferenceFile.read(
      ReferenceFile.source(Array(lines.joined(separator: "\n").utf8)), try ImportLayout<SpendRow>(form),
      &mistakes)
  }

  private func mistake(_ name: BuiltInProfile, _ lines: [String], fixed: String? = nil) throws
    -> ReferenceFileError
  {
    try #require(throws: ReferenceFileError.self) { try read(name, lines, fixed: fixed) }
  }

  private func words(_ rows: ReferenceRows<SpendRow>) -> [String] {
    ((try? rows.rows.all()) ?? []).map { row in
      [
        "\(row.day)", row.network, row.campaign, "\(Amount(micros: row.micros))", row.currency,
        row.app.map { "\($0)" } ?? "-", row.impressions.map { "\($0)" } ?? "-",
        row.clicks.map { "\($0)" } ?? "-",
      ].joined(separator: " ")
    }
  }

  private static let state = #"{"type": "STATE", "value": {"bookmarks": {"x": {"date": "2026-11-02"}}}}"#

  private static func meta(_ ad: String, _ day: String, _ spend: String) -> String {
    #"{"type": "RECORD", "stream": "ads_insights", "record": {"campaign_id": "23843", "adset_id": "1", "ad_id": "\#(ad)", "#
      + #""campaign_name": "Summer", "clicks": 5, "impressions": 100, "spend": \#(spend), "date_start": "#
      + #""\#(day)T00:00:00.000000Z", "outbound_clicks": [{"action_type": "x", "value": 1}]}, "time_extracted": "2026-11-03T00:00:00Z"}"#
  }

  @Test
  func `A stream of records of tap-facebook gives the spend of each campaign and day, and its last state`()
    throws
  {
    let schema =
      #"{"type": "SCHEMA", "stream": "ads_insights", "schema": {"properties": {}}, "key_properties": ["ad_id"]}"#
    let lines = [
      schema, Self.meta("1", "2026-11-01", "12.3"), Self.meta("2", "2026-11-01", "0.30000000000000004"),
      #"{"type": "STATE", "value": {"bookmarks": {}}}"#, "", Self.meta("1", "2026-11-02", "7"), Self.state,
    ]
    let rows = try read(.singerFacebook, lines, fixed: "currency=USD")
    #expect(
      words(rows) == [
        "2026-11-01 v9wttpbfk9.skadnetwork Summer 12.6 USD - 200 10",
        "2026-11-02 v9wttpbfk9.skadnetwork Summer 7 USD - 100 5",
      ])
    #expect(
      rows.state.map { String(decoding: $0, as: UTF8.self) }
        == #"{"bookmarks": {"x": {"date": "2026-11-02"}}}"#)
  }

  @Test func `A stream of records counts a record that comes twice once, as it came last`() throws {
    let lines = [Self.meta("1", "2026-11-01", "12"), Self.meta("1", "2026-11-01", "13"), Self.state]
    #expect(try read(.singerFacebook, lines, fixed: "currency=USD").rows.all().map(\.micros) == [13_000_000])
  }

  @Test func `A stream of records of other taps is read as their repositories describe`() throws {
    func record(_ stream: String, _ json: String) -> [String] {
      [#"{"type": "RECORD", "stream": "\#(stream)", "record": {\#(json)}}"#, Self.state]
    }
    #expect(
      words(
        try read(
          .singerTikTok,
          record(
            "ad_insights",
            #""ad_id": 17, "adgroup_id": 2, "campaign_id": 3, "advertiser_id": 4, "campaign_name": "Herbst", "spend": 12.34, "#
              + #""impressions": 10, "clicks": 2, "stat_time_day": "2026-11-01T00:00:00.000000Z""#),
          fixed: "network=n,currency=EUR")) == ["2026-11-01 n Herbst 12.34 EUR - 10 2"])
    #expect(
      words(
        try read(
          .singerGoogleAds,
          record(
            "campaign_performance_report",
            #""_sdc_record_hash": "a1", "campaign_id": 99, "campaign_name": "App", "customer_currency_code": "JPY", "#
              + #""cost_micros": 1234567890, "impressions": 7, "clicks": 0, "date": "2026-11-01T00:00:00.000000Z""#
          )))
        == ["2026-11-01 cstr6suwn9.skadnetwork App 1234.56789 JPY - 7 0"])
    #expect(
      words(
        try read(
          .singerAppleAds,
          [
            #"{"type": "RECORD", "stream": "campaign_level_reports_extended_spend_row_flat", "record": {"campaignId": 542370539, "#
              + #""date": "2026-11-01", "localSpend_amount": "31.0105", "localSpend_currency": "USD", "impressions": 9, "taps": 3}}"#
          ])) == ["2026-11-01 com.apple.ads 542370539 31.0105 USD - 9 3"])
    #expect(
      words(
        try read(
          .singerSnap,
          record(
            "campaign_stats_daily",
            #""id": "c-1", "type": "CAMPAIGN", "granularity": "DAY", "start_time": "2026-11-01T07:00:00.000000Z", "#
              + #""end_time": "2026-11-02T08:00:00.000000Z", "spend": 89196290, "impressions": 5, "swipes": 1"#
          ),
          fixed: "network=n,currency=USD", zone: "America/Los_Angeles"))
        == ["2026-11-01 n c-1 89.19629 USD - 5 1"])
    #expect(
      words(
        try read(
          .singerUnity,
          record(
            "acquisitions",
            #""timestamp": "2026-11-01T00:00:00.000Z", "campaign_id": "5f", "campaign_name": "US", "starts": "100", "#
              + #""views": "90", "clicks": "8", "installs": "1", "spend": "4.99""#), fixed: "currency=USD"))
        == ["2026-11-01 4dzt52r2t5.skadnetwork US 4.99 USD - 100 8"])
  }

  @Test func `A stream of records of Airbyte's connectors is read as their repositories describe`() throws {
    func record(_ stream: String, _ json: String) -> [String] {
      [
        #"{"type":"LOG","log":{"level":"INFO","message":"x"}}"#,
        #"{"type":"RECORD","record":{"stream":"\#(stream)","data":{\#(json)},"emitted_at":1795262400000}}"#,
        #"{"type":"TRACE","trace":{"type":"STREAM_STATUS","emitted_at":1.0,"stream_status":{"stream_descriptor":{"name":"\#(stream)"},"status":"COMPLETE"}}}"#,
      ]
    }
    #expect(
      words(
        try read(
          .airbyteFacebook,
          record(
            "ads_insights",
            #""account_id":"1","account_currency":"EUR","ad_id":"2","campaign_name":"Summer","date_start":"2026-11-01","#
              + #""spend":1.5,"impressions":10,"clicks":1"#)))
        == ["2026-11-01 v9wttpbfk9.skadnetwork Summer 1.5 EUR - 10 1"])
    #expect(
      words(
        try read(
          .airbyteTikTok,
          record(
            "campaigns_reports_daily",
            #""campaign_id":3,"stat_time_day":"2026-11-01 00:00:00","dimensions":{"campaign_id":3},"metrics":{"campaign_name":"H","#
              + #""spend":"2.50","impressions":"4","clicks":"1"}"#), fixed: "network=n,currency=EUR"))
        == ["2026-11-01 n H 2.5 EUR - 4 1"])
    #expect(
      words(
        try read(
          .airbyteGoogleAds,
          record(
            "campaign",
            #""campaign.id":9,"campaign.name":"App","segments.date":"2026-11-01","segments.hour":7,"#
              + #""segments.ad_network_type":"SEARCH","metrics.cost_micros":500000,"metrics.impressions":3,"metrics.clicks":1"#
          ),
          fixed: "currency=USD")) == ["2026-11-01 cstr6suwn9.skadnetwork App 0.5 USD - 3 1"])
    #expect(
      words(
        try read(
          .airbyteAppleAds,
          record(
            "campaigns_report_daily",
            #""campaignId":5,"date":"2026-11-01","metadata":{"campaignName":"Brand","app":{"adamId":525463029}},"#
              + #""granularity":[{"date":"2026-11-01","localSpend":{"amount":"3.25","currency":"USD"},"impressions":8,"taps":2}]"#
          )))
        == ["2026-11-01 com.apple.ads Brand 3.25 USD 525463029 8 2"])
    #expect(
      words(
        try read(
          .airbyteSnap,
          record(
            "campaigns_stats_daily",
            #""id":"c-1","type":"CAMPAIGN","granularity":"DAY","start_time":"2026-11-01T00:00:00.000-07:00","spend":1000000,"#
              + #""impressions":5.0,"swipes":1"#), fixed: "network=n,currency=USD"))
        == ["2026-11-01 n c-1 1 USD - 5 1"])
    let lovin = try read(
      .airbyteAppLovin,
      record(
        "advertiser_report_daily",
        #""day":"2026-11-01","campaign":"L","platform":"ios","cost":"0.123456789","impressions":"8","clicks":"2""#
      )
        + record(
          "advertiser_report_daily",
          #""day":"2026-11-01","campaign":"A","platform":"android","cost":"9","impressions":"8","clicks":"2""#
        ),
      fixed: "currency=USD")
    #expect(words(lovin) == ["2026-11-01 ludvb6z3bs.skadnetwork L 0.123457 USD - 8 2"])
    #expect(lovin.passedOver == 1)
  }

  @Test func `A stream of records has a file's rows too, where no extractor exists`() throws {
    let liftoff = "date,app_id,campaign_id,spend,impressions,clicks,installs\n2026-11-01,a,c1,5.01,10,2,1\n"
    #expect(
      words(try read(.fileLiftoff, [liftoff], fixed: "currency=USD"))
        == ["2026-11-01 7ug5zh24hu.skadnetwork c1 5.01 USD - 10 2"])
    let unity = "timestamp,campaign id,campaign name,starts,views,clicks,installs,spend\n"
    #expect(
      words(
        try read(
          .fileUnity, [unity + "2026-11-01T00:00:00.000Z,5f,\"US, iOS\",100,90,8,1,4.99\n"],
          fixed: "currency=USD")) == ["2026-11-01 4dzt52r2t5.skadnetwork US, iOS 4.99 USD - 100 8"])
  }

  @Test
  func `A stream of records whose column was renamed or is empty is rejected with the cure, never zero`()
    throws
  {
    func lines(_ from: String, _ to: String) -> [String] {
      (1...3).map { Self.meta("\($0)", "2026-11-01", "12").replacing(from, with: to) } + [Self.state]
    }
    let renamed = try mistake(.singerFacebook, lines(#""spend""#, #""amount_spent""#), fixed: "currency=USD")
    #expect(renamed.code == "missing-column")
    #expect(renamed.sentence.english == "there is no 'spend', which has the amount, in all 3 records")
    #expect(renamed.cure == "--columns amount=amount_spent")
    let empty = try mistake(.singerFacebook, lines(#""spend": 12"#, #""spend": null"#), fixed: "currency=USD")
    #expect(empty.code == "empty-column")
    #expect(empty.sentence.english == "'spend', which has the amount, is empty in all 3 records")
    let clicks = try mistake(.singerFacebook, lines(#""clicks": 5, "#, ""), fixed: "currency=USD")
    #expect(
      clicks.code == "missing-column" && clicks.cure?.contains("--columns clicks= leaves it out") == true)
    let one = [Self.meta("1", "2026-11-01", "1"), Self.meta("2", "2026-11-01", "null"), Self.state]
    let missing = try mistake(.singerFacebook, one, fixed: "currency=USD")
    #expect(missing.code == "missing-amount" && missing.line == 2)
    let currency = try mistake(.singerFacebook, lines("x", "x"))
    #expect(currency.cure?.contains("--set currency=USD") == true)
  }

  @Test func `A stream of records that stopped early, or failed, imports nothing`() throws {
    let cut = try mistake(
      .singerFacebook, [Self.state, Self.meta("1", "2026-11-01", "1")], fixed: "currency=USD")
    #expect(cut.code == "stream-cut-off" && cut.line == 2)
    #expect(try mistake(.singerFacebook, [Self.meta("1", "2026-11-01", "1") + "{"]).code == "trailing-bytes")
    let trace =
      #"{"type":"TRACE","trace":{"type":"ERROR","emitted_at":1,"error":{"message":"Access denied"}}}"#
    #expect(try mistake(.airbyteTikTok, [trace]).sentence.english == "the source failed: Access denied")
    let incomplete =
      #"{"type":"TRACE","trace":{"type":"STREAM_STATUS","stream_status":{"stream_descriptor":{"name":"campaigns_reports_daily"},"status":"INCOMPLETE"}}}"#
    #expect(try mistake(.airbyteTikTok, [incomplete]).code == "stream-incomplete")
    let batch = #"{"type":"BATCH","stream":"ads_insights","encoding":{},"manifest":["a"]}"#
    #expect(try mistake(.singerFacebook, [batch]).code == "batch")
  }

  @Test
  func `A stream of records without the stream of the profile is a mistake, and one without records is not`()
    throws
  {
    let other = #"{"type": "RECORD", "stream": "campaigns", "record": {"id": 1}}"#
    let error = try mistake(.singerFacebook, [other, Self.state])
    #expect(
      error.sentence.english
        == "found messages of 'campaigns', none of 'ads_insights', which the profile reads")
    #expect(try mistake(.singerFacebook, []).code == "no-stream")
    #expect(try mistake(.singerFacebook, [#"{"date":"2026-11-01"}"#]).code == "no-message")
    let schema = #"{"type": "SCHEMA", "stream": "ads_insights", "schema": {}, "key_properties": []}"#
    #expect(try read(.singerFacebook, [schema, Self.state]).rows.count == 0)
  }

  @Test func `A stream of records of Airbyte keeps the last state of each stream`() throws {
    func state(_ name: String, _ day: Int) -> String {
      #"{"type":"STATE","state":{"type":"STREAM","stream":{"stream_descriptor":{"name":"\#(name)"},"stream_state":{"d":\#(day)}}}}"#
    }
    let lines = [state("campaigns_reports_daily", 1), state("ads", 2), state("campaigns_reports_daily", 3)]
    let found = try #require(try read(.airbyteTikTok, lines).state)
    #expect(
      String(decoding: found, as: UTF8.self)
        == #"[{"type":"STREAM","stream":{"stream_descriptor":{"name":"campaigns_reports_daily"},"stream_state":{"d":3}}},"#
        + #"{"type":"STREAM","stream":{"stream_descriptor":{"name":"ads"},"stream_state":{"d":2}}}]"#)
  }

  @Test
  func `A stream of records with random changes is read or rejected, and never has an amount below zero`() {
    let lines = [Self.meta("1", "2026-11-01", "12.3"), Self.meta("2", "2026-11-02", "0.5"), Self.state]
    let bytes = Array(lines.joined(separator: "\n").utf8)
    var random = SplitMix64(seed: 1)
    var readings = 0
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(changed.count))
        switch random.next() % 3 {
        case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: changed.remove(at: place)
        default: changed.insert(changed[Int(random.next() % UInt64(changed.count))], at: place)
        }
      }
      let text = String(decoding: changed, as: UTF8.self)
      guard let found = try? read(.singerFacebook, [text], fixed: "currency=USD") else { continue }
      readings += 1
      #expect((try? found.rows.all())?.allSatisfy { $0.micros >= 0 } == true)
    }
    #expect((200..<2000).contains(readings))
  }
}
