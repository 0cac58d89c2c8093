import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

/// Schemas as AppsFlyer's interface writes them, with what the samples in documents do not have.
struct `A schema of AppsFlyer's interface` {
  private func appsFlyer(_ rows: String) throws -> ImportedMapping {
    try imported(
      "appsflyer-adv.csv",
      """
      app_id,conversion_value,event_name,min_event_counter,max_event_counter,min_event_revenue,max_event_revenue,\
      min_time_post_install,max_time_post_install,last_config_change,postback_sequence_index,\
      coarse_conversion_value,lock_window_type,lock_window_time
      id1000000001,0,,,,,,0,24,2023-03-30 10:23:45,0,,,
      \(rows)
      """)
  }

  private func row(_ value: Int, _ low: String, _ high: String, counts: String = "0,1") -> String {
    "id1000000001,\(value),af_skad_revenue,\(counts),\(low),\(high),0,24,2023-03-30 10:23:45,0,,,"
  }

  private func last(_ amounts: [String], by mapping: Mapping) throws -> UInt8? {
    let events = try amounts.enumerated().map { index, amount in
      event("af_skad_revenue", hour: Double(index + 1), try usd(amount))
    }
    return mapping.replay(events).updates.last?.fine?.number
  }

  @Test func `Counters of 0 to 1 beside AppsFlyer's revenue are read as at least once, with a remark`() throws
  {
    let schema = try appsFlyer(
      [row(1, "0", "1.5"), row(2, "1.5", "3"), row(3, "3", "5"), row(4, "5", "8")].joined(separator: "\n"))
    #expect(try last(["3", "1"], by: schema.mapping) == 3)
    #expect(try last(["4"], by: schema.mapping) == 3)
    #expect(try last(["1", "1", "1", "9"], by: schema.mapping) == 4)
    #expect(
      schema.remarks.filter { $0.code == .countAssumed }.map(\.sentence.english) == [
        #"0 to 1 times beside a range of revenue of "af_skad_revenue" is read as at least once"#
      ])
    let counted = try appsFlyer(row(1, "0", "1.5", counts: "2,3"))
    #expect(counted.mapping.fine[1].conditions.events[0].count == CountRange(min: 2, max: 3))
    #expect(!counted.remarks.contains { $0.code == .countAssumed })
  }

  @Test func `Values above 31 repeat AppsFlyer's lower ones where the schema has none`() throws {
    let half = try appsFlyer(row(31, "3", "5"))
    #expect(half.remarks.contains { $0.code == .valuesRepeated })
    func meaning(_ value: Int64, _ mapping: Mapping) throws -> Meaning {
      mapping.decode(try #require(FineValue(value)))
    }
    #expect(try meaning(63, half.mapping) == meaning(31, half.mapping))
    #expect(try meaning(63, half.mapping) != .unmapped && meaning(62, half.mapping) == .unmapped)
    #expect(try meaning(32, half.mapping) == meaning(0, half.mapping))
    let whole = try appsFlyer(row(32, "3", "5"))
    #expect(!whole.remarks.contains { $0.code == .valuesRepeated })
    #expect(try meaning(63, whole.mapping) == .unmapped)
  }
}
