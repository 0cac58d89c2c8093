import JSONText
package import Mappings
import Postbacks
package import Values

/// Something that a check found in a draft, with the cell that it belongs to and a change that ends it.
package struct DraftFinding: Equatable, Sendable {
  /// A change that a program can make.
  package struct Repair: Equatable, Sendable {
    /// What it does, as a short order.
    package let title: Sentence
    /// What of the draft's text is to be replaced, in units of UTF-16.
    package let range: Range<Int>
    /// What takes its place.
    package let text: String
  }

  package let finding: MappingFinding
  /// The value that it is about; `nil` where it is about none, or about the whole.
  package let slot: WindowValue?
  /// What can be done about it at once.
  package let repair: Repair?

  /// How many findings get a change: it takes the draft's length of time to make one.
  private static let mostRepairs = 24

  /// The findings of a check with their values and changes, in the same order.
  static func all(_ reading: MappingDocument.Reading, in bytes: [UInt8]) -> [DraftFinding] {
    guard !reading.findings.isEmpty else { return [] }
    // What has a member twice still has values.
    let root = reading.root ?? (try? JSONReader.read(bytes, allowingDuplicates: true))
    var repairs = 0
    return reading.findings.map { finding in
      var repair: Repair?
      if let cure = finding.repair, repairs < mostRepairs, let after = cure.applied(to: bytes) {
        repairs += 1
        let change = TextChange(from: bytes, to: after)
        repair = Repair(title: cure.title, range: change.rangeInUTF16(of: bytes), text: change.text)
      }
      return DraftFinding(
        finding: finding, slot: finding.slot ?? root.flatMap { slot(at: finding.path, in: $0) },
        repair: repair)
    }
  }

  /// The text after the cure of a finding; the same text where it has none.
  package static func repaired(_ document: [UInt8], _ index: Int, now: Instant) -> [UInt8] {
    let findings = MappingDocument.check(document, at: now).findings
    guard findings.indices.contains(index) else { return document }
    return findings[index].repair?.applied(to: document) ?? document
  }

  /// The text after the cures of all findings of one kind, each on what the one before left.
  package static func repaired(_ document: [UInt8], all index: Int, now: Instant) -> [UInt8] {
    var findings = MappingDocument.check(document, at: now).findings
    guard findings.indices.contains(index) else { return document }
    let code = findings[index].code
    var document = document
    for _ in 0..<WindowValue.all.count {
      guard let repair = findings.first(where: { $0.code == code && $0.repair != nil })?.repair,
        let after = repair.applied(to: document), after != document
      else { break }
      document = after
      findings = MappingDocument.check(document, at: now).findings
    }
    return document
  }

  /// The value that the rule around a place gives, as far as it can be read.
  private static func slot(at path: JSONPath, in root: JSONNode) -> WindowValue? {
    guard path.steps.count >= 2, case .member(let list) = path.steps[0] else { return nil }
    let rule = root.value(at: JSONPath(steps: Array(path.steps.prefix(2))))?.value.object
    func number(_ name: String) -> Int64? { rule?[name]?.value.number?.integer }
    switch list {
    case "fine": return number("value").flatMap { FineValue($0) }.map { .fine($0) }
    case "grids":
      return number("first-value").flatMap { FineValue($0) }
        .flatMap { FineValue(Int64($0.number) + offset(of: path, in: rule)) }.map { .fine($0) }
    case "coarse":
      guard path.steps.count >= 3, case .member(let word) = path.steps[2],
        let value = CoarseValue(rawValue: word),
        let window = number("window").flatMap({ ConversionWindow(rawValue: Int(clamping: $0) - 1) })
      else { return nil }
      return .coarse(window, value)
    default: return nil
    }
  }

  /// How many values of a grid come before the range that begins at an edge.
  private static func offset(of path: JSONPath, in rule: JSONObject?) -> Int64 {
    guard path.steps.count == 4, path.steps[2] == .member("revenue"), case .element(let edge) = path.steps[3],
      rule?["order"] == nil, let edges = rule?["revenue"]?.value.array
    else { return 0 }
    return Int64(max(0, min(edge, edges.count - 2)))
  }
}
