import JSONText
import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

@Suite struct `Importing a broken mapping` {
  @Test func `Importing a mapping never crashes on truncated text`() throws {
    for (name, importer) in importers {
      let bytes = try vector(name)
      for length in stride(from: 0, to: bytes.count, by: 7) {
        guard let part = try? importer(Array(bytes.prefix(length)), context()) else { continue }
        #expect(
          name.hasSuffix(".csv") || length > bytes.count - 3, "\(name) is JSON, of which no part is whole")
        #expect(MappingDocument.read(part.mapping.json.bytes()).document?.mapping == part.mapping)
      }
    }
  }

  @Test func `Importing a mapping never crashes on a changed byte`() throws {
    var random = SplitMix64(seed: 4)
    for (name, importer) in importers {
      let bytes = try vector(name)
      for _ in 0..<60 {
        var changed = bytes
        let at = Int(random.next() % UInt64(bytes.count))
        changed[at] = Array("0,\"-9{}[]:\n".utf8)[Int(random.next() % 11)]
        guard let result = try? importer(changed, context()) else { continue }
        #expect(
          MappingDocument.read(result.mapping.json.bytes()).document?.mapping == result.mapping, "\(name)")
      }
    }
  }

  @Test(arguments: [
    ("google-ads.json", #""fineGrainedConversionValue": 3,"#, #""fineGrainedConversionValue": 64,"#),
    ("google-ads.json", #""fineGrainedConversionValue": 3,"#, #""fineGrainedConversionValue": 2,"#),
    ("google-ads.json", #""fineGrainedConversionValue": 3,"#, #""fineGrainedConversionValue": [3],"#),
    ("google-ads.json", #""maxEventRevenue": 100.0"#, #""maxEventRevenue": 1.0"#),
    ("google-ads.json", #""minEventRevenue": 100.0"#, #""minEventRevenue": true"#),
    ("google-ads.json", #""currencyCode": "USD""#, #""currencyCode": "EUX""#),
    ("google-ads.json", #""postbackSequenceIndex": 1"#, #""postbackSequenceIndex": 3"#),
    ("google-ads.json", #""postbackSequenceIndex": 1"#, #""postbackSequenceIndex": 0"#),
    ("google-ads.json", #""mappedEventName": "sign_up","#, #""mappedEventName": 7,"#),
    ("appsflyer-v2.json", #""conversion_value": 3"#, #""conversion_value": 64"#),
    ("appsflyer-v2.json", #""conversion_value": 3"#, #""conversion_value": 2"#),
    ("appsflyer-v2.json", #""conversion_value": "high""#, #""conversion_value": "highest""#),
    ("appsflyer-v2.json", #""conversion_value": "high""#, #""conversion_value": "medium""#),
    ("appsflyer-v2.json", #""event_currency": "USD""#, #""event_currency": "US""#),
    ("appsflyer-v2.json", #""max_event_revenue": 5,"#, #""max_event_revenue": {},"#),
    ("appsflyer-v2.json", #""max_time_post_install": 168"#, #""max_time_post_install": 48"#),
    ("appsflyer-v2.json", #""postback_sequence_index": 1"#, #""postback_sequence_index": 9"#),
    ("appsflyer-v1.json", #""max_event_counter": 3"#, #""max_event_counter": 0"#),
    ("appsflyer-adv.csv", ",3,af_skad_revenue", ",64,af_skad_revenue"),
    ("appsflyer-adv.csv", ",3,af_skad_revenue", ",2,af_skad_revenue"),
    ("appsflyer-adv.csv", ",3,af_skad_revenue", ",3,"),
    ("appsflyer-adv.csv", ",5,20,", ",5,20,,"),
    ("appsflyer-adv.csv", ",5,20,", ",20,5,"),
    ("appsflyer-adv.csv", ",1,medium,", ",1,middle,"),
    ("appsflyer-adv.csv", ",1,medium,", ",1,,"),
    ("branch.json", #""conversion-value": "3""#, #""conversion-value": "64""#),
    ("branch.json", #""between""#, #""above""#),
    ("branch.json", #""event_data.revenue""#, #""event_data.quantity""#),
    ("branch.json", #""locked": true"#, #""locked": "yes""#),
    ("airbridge.json", #""conversion_value": "3""#, #""conversion_value": "64""#),
    ("airbridge.json", #""max_amount": 20"#, #""max_amount": 5"#),
    ("airbridge.json", #""event_name": "airbridge.user.signup""#, #""event_name": """#),
    ("tenjin.csv", "3,purchase", "64,purchase"), ("tenjin.csv", "3,purchase", "2,purchase"),
    ("tenjin.csv", "3,purchase", "3,"), ("tenjin.csv", "5.00,20.00", "20.00,5.00"),
    ("tenjin.csv", "sign_up,,,", "sign_up,,,USD"), ("tenjin.csv", "20.00,USD", "20.00,dollars"),
    ("tenjin.csv", "20.00,USD", "20.0000001,USD"),
    ("google-arp.csv", "purchase,3", "purchase,64"), ("google-arp.csv", "purchase,3", "purchase,2"),
    ("google-arp.csv", "5,20,12.5", "5,20,21"), ("google-arp.csv", "5,20,12.5", "5,20"),
    ("google-arp.csv", "purchase,3,1", "purchase,3,-1"),
    ("meta-aem.json", #""conversion_value": 2"#, #""conversion_value": 64"#),
    ("meta-aem.json", #""priority": 20"#, #""priority": 2000000"#),
    ("meta.json", #""conversion_value": 3"#, #""conversion_value": 64"#),
    ("meta.json", #""postback_sequence_index": 3"#, #""postback_sequence_index": 4"#),
  ]) func `Importing a broken mapping leaves out what is broken and reports it`(
    name: String, part: String, other: String
  ) throws {
    let whole = try imported(name)
    let broken = try imported(name, replacing: part, by: other)
    func rules(_ mapping: Mapping) -> Int {
      mapping.fine.count + mapping.coarse.values.map(\.rules.count).reduce(0, +)
    }
    #expect(broken.remarks.contains { $0.code == .ruleDropped }, "\(broken.remarks)")
    #expect(rules(broken.mapping) < rules(whole.mapping))
    #expect(!broken.mapping.fine.isEmpty)
  }

  @Test(arguments: [
    ("google-ads.json", #""appId""#, #""applicationId""#),
    ("google-ads.json", #""eventCounter""#, #""eventSum""#),
    ("appsflyer-v2.json", #""measurement_window": 168"#, #""window": 168"#),
    ("branch.json", #""locked": true"#, #""lock": true"#),
    ("airbridge.json", #""is_overlapped": false"#, #""is_overlapped": true"#),
  ]) func `Importing a mapping remarks on unknown members`(name: String, part: String, other: String) throws {
    let broken = try imported(name, replacing: part, by: other)
    #expect(broken.remarks.contains { $0.code == .memberIgnored }, "\(broken.remarks)")
  }

  @Test func `Importing a mapping remarks on unknown columns`() throws {
    let result = try imported(
      "tenjin.csv", "\u{FEFF}note,cv,custom_event_name,min_range,max_range,currency\r\nx,1,a,,,\r\n")
    #expect(result.remarks.map(\.code) == [.memberIgnored, .precedenceAssumed])
    #expect(result.mapping.fine.map(\.value.number) == [1])
  }

  @Test func `Importing a mapping rejects files of another format, of another app or without a rule`() throws
  {
    for (name, _) in importers {
      let isTable = name.hasSuffix(".csv")
      #expect(throws: ImportDefect.notThisFormat, "\(name)") {
        try imported(name, isTable ? "a,b\n1,2\n" : #"{"a":[]}"#)
      }
      let other = isTable ? "ga4.json" : name == "ga4.json" ? "meta.json" : "ga4.json"
      #expect(throws: ImportDefect.notThisFormat, "\(name)") {
        try imported(name, String(validating: vector(other), as: UTF8.self))
      }
    }
    for name in [
      "google-ads.json", "appsflyer-v1.json", "appsflyer-v2.json", "appsflyer-adv.csv", "branch.json",
      "google-arp.csv",
    ] {
      #expect(throws: ImportDefect.otherApp, "\(name)") { try imported(name, app: 7) }
    }
    #expect(throws: ImportDefect.noRule) {
      try imported("tenjin.csv", "cv,custom_event_name,min_range,max_range,currency\n")
    }
    #expect(throws: ImportDefect.noRule) {
      try imported("branch.json", replacing: #""eq""#, by: #""contains""#)
    }
    #expect(throws: ImportDefect.noRule) {
      try imported("google-ads.json", #"{"schema":{"fineGrainedConversionValueMappings":[]}}"#)
    }
  }

  @Test func `Importing a mapping keeps at most 200 remarks and reports that there are more`() throws {
    let rows = (64..<600).map { "\($0),purchase,,,\n" }.joined()
    let text = "cv,custom_event_name,min_range,max_range,currency\n1,a,,,\n" + rows
    let remarks = try imported("tenjin.csv", text).remarks
    #expect(remarks.count == 201 && remarks.last?.code == .more)
  }

  @Test func `Importing a hostile table takes time in proportion to its size and keeps to our limits`() throws
  {
    let header = try #require(
      String(validating: vector("appsflyer-adv.csv"), as: UTF8.self)?.split(separator: "\n").first)
    let rows = (0..<20_000).map { "id1000000001,1,e\($0),,,,,0,48,,0,,lock\($0),\n" }.joined()
    let result = try? imported("appsflyer-adv.csv", header + "\nid1000000001,2,a,,,,,,,,,,,\n" + rows)
    #expect(result?.mapping.fine.map(\.value.number) == [2])
    let alternative = #"{"values":{"name":["eq","A"]}}"#
    let many = Array(repeating: alternative, count: 600).joined(separator: ",")
    let branch = try imported(
      "branch.json",
      #"{"mapping":{"postback-sequence-index-0":[{"conversion-value":"1","conversion-event":[\#(many)]}]}}"#)
    #expect(branch.mapping.fine.count == 512 && branch.remarks.contains { $0.code == .ruleDropped })
  }

  @Test(arguments: ["9223372036854775807", "2305843009213693953", "-1", "-9223372036854775808"])
  func `Importing a mapping does not overflow numbers`(number: String) throws {
    let postback = try imported(
      "appsflyer-v2.json", replacing: #""measurement_window": 168"#, by: #""measurement_window": \#(number)"#)
    #expect(postback.remarks.contains { $0.code == .cutoffDropped })
    for name in ["meta.json", "meta-aem.json"] {
      let days = name == "meta.json" ? 2 : 1
      let result = try imported(
        name, replacing: #""cutoff_time": \#(days)"#, by: #""cutoff_time": \#(number)"#)
      #expect(
        result.mapping.measurementWindowHours == nil && result.remarks.contains { $0.code == .cutoffDropped })
    }
  }
}
