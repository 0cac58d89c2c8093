import JSONText
import PropertyLists
import Values

/// Ids of ad networks that a file lists, each as it is written there.
package struct NetworkList: Sendable {
  package private(set) var identifiers: [String] = []

  /// What is wrong with a list, in a sentence without a full stop.
  package struct Defect: Error, Equatable, Sendable {
    /// The line, from 1.
    package let line: Int
    package let sentence: String
  }

  /// Reads a list that networks publish, in a property list or in JSON, or a text with an id on each line, where `#` in
  /// front makes a line a comment.
  ///
  /// - Throws: ``Defect`` for the first word of a text that is no id, and for another file without any.
  package init(_ bytes: [UInt8]) throws(Defect) {
    switch bytes.first(where: { ![0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0D, 0x20].contains($0) }) {
    case UInt8(ascii: "<"):
      do throws(PropertyListError) { collect(try PropertyListFile(bytes).root) } catch {
        throw Defect(line: 1, sentence: "the file is no property list: \(error.reason)")
      }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      do throws(JSONDefect) { collect(try JSONReader.read(bytes).value) } catch {
        throw Defect(line: 1, sentence: "the file is not JSON: \(error.diagnosis(in: bytes).text)")
      }
    default:
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        let word = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
        if word.isEmpty || word.hasPrefix("#") { continue }
        guard Self.isID(word) else {
          throw Defect(line: number + 1, sentence: "'\(printable(word))' is no id of an ad network")
        }
        identifiers.append(word)
      }
      return
    }
    guard !identifiers.isEmpty else {
      throw Defect(line: 1, sentence: "the file has no id of an ad network")
    }
  }

  package static func isID(_ text: some StringProtocol) -> Bool {
    let text = text.lowercased()
    return text.hasSuffix(".skadnetwork") || text.hasSuffix(".adattributionkit")
  }

  private mutating func collect(_ value: PropertyList) {
    switch value {
    case .string(let text): add(text)
    case .array(let elements): for element in elements { collect(element) }
    case .dictionary(let members):
      for (_, value) in members.sorted(by: { $0.key < $1.key }) { collect(value) }
    default: break
    }
  }

  private mutating func collect(_ value: JSONValue) {
    switch value {
    case .string(let text): add(text)
    case .array(let elements): for element in elements { collect(element.value) }
    case .object(let object): for member in object.members { collect(member.value.value) }
    default: break
    }
  }

  private mutating func add(_ text: String) {
    let word = text.filter { !$0.isWhitespace }
    if Self.isID(word) { identifiers.append(word) }
  }
}
