@testable import Delivery
import HTTPClient
import JSONText
@testable import Ledger
import PostbackFixtures
import TestSupport
import Testing
import Values

struct `A relay that sends events` {
  private static let day = Day("2026-11-01") ?? Day(number: 0)
  private let arrival = Self.day.start + 36_000_000

  /// A postback as a device sends it, whose signature no part of this verifies.
  private func body(_ value: String, window: Int = 0) -> [UInt8] {
    Array(
      (#"{"version":"4.0","ad-network-id":"example123.skadnetwork","source-identifier":"5239","app-id":525463029,"#
        + #""transaction-id":"6aafb7a5-0170-41b5-bbe4-fe71dedf1e30","redownload":false,"source-domain":"example.com","#
        + #""fidelity-type":1,"did-win":true,\#(value)"postback-sequence-index":\#(window),"attribution-signature":"MEUCIA=="}"#)
        .utf8)
  }

  private func event(
    _ form: RelayForm, _ value: String = #""conversion-value":5,"#, window: Int = 0,
    after seconds: Int64 = 60,
    named: Bool = true, from: Day = Day(number: Self.day.number - 30)
  ) throws -> JSONObject {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let mapping =
      #"{"name":"m","app":525463029,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","fine":["#
      + #"{"value":5,"revenue":{"from":2,"to":4,"representative":2.5},"events":["purchase"]}]}"#
    try MappingStore(path: path).replaceAll(with: [storedMapping(mapping)])
    if named {
      try ReferenceStore(path: path).put([
        CampaignNameRow(
          network: "example123.skadnetwork", campaign: "5239", from: from, to: nil, name: "Summer",
          adSet: nil,
          creative: nil, country: nil),
        CampaignNameRow(
          network: "example123.skadnetwork", campaign: "", from: Self.day, to: nil, name: "Acme", adSet: nil,
          creative: nil, country: nil),
      ])
    }
    let bodies = try RelayBodies(form, LedgerReader(path: path))
    let postback = RelayPostback(
      row: 7, copy: nil, receivedAt: arrival, origin: Origin(.advertiserCopy), environment: .production,
      app: 525_463_029, body: body(value, window: window))
    let bytes = try #require(bodies.body(of: postback, now: arrival + seconds * 1000))
    return try #require(try JSONReader.read(bytes).value.object)
  }

  private func text(_ object: JSONObject?) -> String {
    object.map { JSONOutput(.object($0)).text() } ?? "none"
  }

  @Test func `A relay that sends events writes those of Google Analytics as its document has them`() throws {
    let request = try event(.ga4)
    #expect(
      request.members.map(\.name) == [
        "app_instance_id", "timestamp_micros", "non_personalized_ads", "events",
      ])
    let instance = try #require(request["app_instance_id"]?.value.string)
    #expect(instance.utf8.count == 32 && instance.allSatisfy(\.isHexDigit))
    #expect(request["timestamp_micros"]?.value.number?.integer == arrival.milliseconds * 1000)
    let events = (request["events"]?.value.array ?? []).compactMap(\.value.object)
    let campaign = #""campaign_id":"5239","campaign":"Summer","source":"Acme","medium":"skadnetwork","#
    let session = #""session_id":"7","engagement_time_msec":1"#
    #expect(text(events.first) == #"{"name":"campaign_details","params":{\#(campaign)\#(session)}}"#)
    #expect(
      text(events.last) == #"{"name":"skan_postback","params":{\#(campaign)\#(session),"#
        + #""postback_window":1,"outcome":"install","conversion_value":5,"mapped_events":"purchase","#
        + #""value":2.5,"currency":"USD"}}"#)
    #expect(events.count == 2)
  }

  @Test func `A relay that sends events names a campaign as it was called when its app was launched first`()
    throws
  {
    // The arrival is at least a day behind the launch.
    let request = try event(.meta, from: Self.day)
    let facts = request["data"]?.value.array?.first?.value.object?["custom_data"]?.value.object
    #expect(facts?["campaign"]?.value.string == "5239" && facts?["source"]?.value.string == "Acme")
  }

  @Test func `A relay that sends events leaves out what a postback lacks, and a time that is too long ago`()
    throws
  {
    let request = try event(.ga4, "", after: 3 * 86_400, named: false)
    #expect(request["timestamp_micros"] == nil)
    let events = (request["events"]?.value.array ?? []).compactMap(\.value.object)
    let facts = try #require(events.last?["params"]?.value.object)
    #expect(facts["conversion_value"] == nil && facts["value"] == nil && facts["mapped_events"] == nil)
    #expect(facts["campaign"]?.value.string == "5239")
    #expect(facts["source"]?.value.string == "example123.skadnetwork")
  }

  @Test func `A relay that sends events writes one of Meta as its document has it`() throws {
    let request = try event(.meta, #""coarse-conversion-value":"low","#, window: 1)
    let event = try #require(request["data"]?.value.array?.first?.value.object)
    #expect(
      event.members.map(\.name) == [
        "event_name", "event_time", "event_id", "action_source", "user_data", "app_data", "custom_data",
      ])
    let instance = try #require(event["user_data"]?.value.object?["anon_id"]?.value.string)
    #expect(event["event_time"]?.value.number?.integer == arrival.milliseconds / 1000)
    #expect(event["event_id"]?.value.string == "\(instance)-2")
    #expect(instance.utf8.count == 32)
    #expect(event["action_source"]?.value.string == "app")
    let device = event["app_data"]?.value.object?["extinfo"]?.value.array ?? []
    #expect(device.count == 16)
    #expect(device.first?.value.string == "i2" && device.dropFirst(4).first?.value.string == "16.1")
    #expect(
      text(event["custom_data"]?.value.object)
        == #"{"campaign_id":"5239","campaign":"Summer","source":"Acme","medium":"skadnetwork","#
        + #""postback_window":2,"outcome":"install","coarse_conversion_value":"low"}"#)
  }

  @Test func `A relay that sends events sends one for a conversion of which two copies came`() throws {
    for (form, count) in [(RelayForm.postback, 2), (.ga4, 1), (.meta, 1)] {
      let fixture = try RelayFixture {
        $0.form = form
        $0.selection.isOncePerConversion = form.isEvent
      }
      let text = String(decoding: body(#""conversion-value":5,"#), as: UTF8.self)
      try fixture.store([
        receipt("a", body: text),
        receipt("a", at: noon + 1000, by: Origin(.forwarded, name: "acme"), body: text),
      ])
      fixture.run()
      #expect(fixture.got.withLock { $0.count } == count, "\(form)")
      #expect(try fixture.state.cursor.copy == 1)
    }
  }

  @Test
  func `A relay that sends events sends the first copy of its kinds, and no dead letter of another one`()
    throws
  {
    let device = receipt("a", body: String(decoding: body(#""conversion-value":5,"#), as: UTF8.self))
    var network = device
    network = receipt(
      "a", at: noon + 1000, by: Origin(.forwarded, name: "acme"),
      body: String(decoding: body(#""conversion-value":5,"#), as: UTF8.self))
    let alone = try RelayFixture {
      ($0.form, $0.selection.isOncePerConversion, $0.selection.kinds) = (.ga4, true, [.networkCopy])
    }
    try alone.store([device, network])
    alone.run()
    #expect(alone.got.withLock { $0.count } == 1)
    // Both copies were declined in another form.
    let changed = try RelayFixture()
    try changed.store([device, network])
    changed.answer { _ in PostAnswer(status: 400) }
    changed.run()
    changed.restart()
    (changed.relay.form, changed.relay.selection.isOncePerConversion) = (.ga4, true)
    changed.answer { _ in PostAnswer(status: 200) }
    changed.pass(seconds: 4000)
    for _ in 0..<3 { changed.run() }
    #expect(changed.got.withLock { $0.count } == 1)
    #expect(try changed.reader.deadLetters(of: "partner", dueBy: noon + 90_000_000, atMost: 9).isEmpty)
  }
}
