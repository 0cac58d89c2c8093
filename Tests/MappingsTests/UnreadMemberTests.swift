import JSONText
import MappingFormats
import Testing

@Suite struct `What an importer ignores` {
  /// Every text that comes of a value by adding a member to one of its objects.
  private func additions(to value: JSONOutput) -> [JSONOutput] {
    switch value {
    case .object(let members):
      let inside = members.indices.flatMap { index in
        additions(to: members[index].value).map { changed -> JSONOutput in
          var members = members
          members[index] = .init(members[index].name, changed)
          return .object(members)
        }
      }
      return [.object(members + [.init("stray", 1)])] + inside
    case .array(let elements):
      return elements.indices.flatMap { index in
        additions(to: elements[index]).map { changed -> JSONOutput in
          var elements = elements
          elements[index] = changed
          return .array(elements)
        }
      }
    default: return []
    }
  }

  @Test(arguments: importers.map(\.name).filter { $0.hasSuffix(".json") })
  func `A member that an importer ignores gets a remark, in every object`(name: String) throws {
    let sample = JSONOutput(try JSONReader.read(vector(name)).value)
    let texts = additions(to: sample)
    #expect(texts.count > 3)
    for text in texts {
      let result = try imported(name, text.text())
      #expect(result.remarks.contains { $0.sentence.english.contains("\"stray\"") }, "\(text.text())")
    }
  }

  @Test(arguments: importers.map(\.name).filter { $0.hasSuffix(".csv") })
  func `A column that an importer ignores gets a remark`(name: String) throws {
    let lines = try #require(String(validating: vector(name), as: UTF8.self)).split(separator: "\n")
    let text = lines.enumerated().map { $0 == 0 ? "\($1),stray\n" : "\($1),1\n" }.joined()
    #expect(try imported(name, text).remarks.contains { $0.sentence.english.contains("\"stray\"") })
  }

  @Test(arguments: [
    (
      "meta.json", #""conversion_value": 1,"#, #""conversion_value": "1","#, .ruleDropped as ImportRemark.Code
    ),
    ("meta.json", #""coarse_cv_value": "low""#, #""coarse_cv_value": "lowest""#, .ruleDropped),
    ("meta.json", #""postback_sequence_index": 2"#, #""postback_sequence_index": 1"#, .ruleDropped),
    ("meta.json", #""lock_window_type": "time""#, #""lock_window_type": "moon""#, .lockIgnored),
    ("meta.json", #""coarse_cv_configs": ["#, #""coarse_cv_configs": 3, "x": ["#, .memberIgnored),
    ("ga4.json", #""fineValue": 5"#, #""fineValue": 64"#, .ruleDropped),
    ("ga4.json", #""minEventValue": 100.0"#, #""minEventValue": [100]"#, .ruleDropped),
    ("ga4.json", #""coarseValue": "LOW""#, #""coarseValue": "COARSE_VALUE_UNSPECIFIED""#, .memberIgnored),
    (
      "google-ads.json", #""lockWindowCoarseConversionValue": "HIGH""#,
      #""lockWindowCoarseConversionValue": "NONE""#, .lockIgnored
    ),
    (
      "google-ads.json", #""eventCounter": "1""#,
      #""eventCounter": "1", "eventOccurrenceRange": {"minEventCount": 2}"#, .memberIgnored
    ),
    ("appsflyer-adv.csv", "high-coarse,", "high-coarse,24", .lockIgnored),
    ("appsflyer-v2.json", #""lock_window_type": "in-app","#, "", .lockIgnored),
    ("branch.json", #""ascending-only": true"#, #""ascending-only": "yes""#, .memberIgnored),
  ]) func `A member in a wrong place gets a remark from every importer`(
    name: String, part: String, other: String, code: ImportRemark.Code
  ) throws {
    let known = Set(try imported(name).remarks)
    let changed = try imported(name, replacing: part, by: other)
    #expect(changed.remarks.contains { $0.code == code && !known.contains($0) }, "\(changed.remarks)")
  }
}
