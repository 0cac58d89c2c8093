import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

/// Schemas as Google Ads' interface and its libraries write them.
struct `A schema of Google Ads' interface` {
  private static let resource = #"""
    {"resourceName":"customers/1/customerSkAdNetworkConversionValueSchemas/4","schema":{"appId":"1000000001",
    "measurementWindowHours":48,"fineGrainedConversionValueMappings":[
    {"conversionValueMapping":{"maxTimePostInstallHours":"24"}},
    {"fineGrainedConversionValue":2,"conversionValueMapping":{"mappedEvents":[{"mappedEventName":"in_app_purchase",
    "currencyCode":"USD","eventRevenueRange":{"maxEventRevenue":5}}]}},
    {"fineGrainedConversionValue":3,"conversionValueMapping":{"mappedEvents":[{"mappedEventName":"in_app_purchase",
    "currencyCode":"USD","eventRevenueRange":{"minEventRevenue":5}}]}}]}}
    """#

  @Test func `A 0 that Google Ads leaves out is value 0, and the least amount of a range with an upper end`()
    throws
  {
    let mapping = try imported("google-ads.json", Self.resource).mapping
    #expect(mapping.fine.map(\.value.number) == [0, 2, 3])
    #expect(mapping.fine[0].conditions.activeHours == HourRange(from: 0, to: 24))
    let revenue = mapping.fine.map { $0.conditions.events.first?.revenue }
    #expect(try revenue[1]?.low == .zero && revenue[1]?.representative == Amount(decimal: "2.5"))
    #expect(revenue[2]?.range.upper == .unbounded)
  }

  private static let snakeCase = #"""
    {"resource_name":"customers/1/customerSkAdNetworkConversionValueSchemas/4","schema":{"app_id":"1000000001",
    "measurement_window_hours":48,"fine_grained_conversion_value_mappings":[
    {"conversion_value_mapping":{"max_time_post_install_hours":"24"}},
    {"fine_grained_conversion_value":2,"conversion_value_mapping":{"mapped_events":[
    {"mapped_event_name":"in_app_purchase","currency_code":"USD","event_revenue_range":{"max_event_revenue":5}}]}},
    {"fine_grained_conversion_value":3,"conversion_value_mapping":{"mapped_events":[
    {"mapped_event_name":"in_app_purchase","currency_code":"USD","event_revenue_range":{"min_event_revenue":5}}]}}]}}
    """#

  @Test func `Answers of search, and names of the definition, are read as Google Ads' schema`() throws {
    let plain = try imported("google-ads.json", Self.resource).mapping
    let member = "customerSkAdNetworkConversionValueSchema"
    let answer = #"{"results":[{"\#(member)":\#(Self.resource)}],"fieldMask":"x"}"#
    let other = #"{"\#(member)":\#(Self.resource.replacing("1000000001", with: "5"))}"#
    let texts = [
      answer, "[\(answer)]", #"[{"results":[\#(other)]},\#(answer)]"#, Self.snakeCase,
      #"{"results":[{"customer_sk_ad_network_conversion_value_schema":\#(Self.snakeCase)}]}"#,
    ]
    for text in texts {
      let mapping = try imported("google-ads.json", text).mapping
      #expect(mapping == plain, "\(text.prefix(60))")
    }
    #expect(throws: ImportDefect.otherApp) { try imported("google-ads.json", #"{"results":[\#(other)]}"#) }
    #expect(throws: ImportDefect.notThisFormat) { try imported("google-ads.json", #"{"results":[]}"#) }
  }
}
