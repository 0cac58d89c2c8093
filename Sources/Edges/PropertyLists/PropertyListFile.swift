internal import FoundationEssentials
import Synchronization

/// The content of a property list, of either form that Apple's tools write.
///
/// FoundationEssentials reads it; this adds bounds, so that bytes of strangers cost neither the stack nor the memory.
package struct PropertyListFile: Equatable, Sendable {
  package enum Form: Hashable, Sendable {
    case xml, binary
  }

  package let root: PropertyList
  package let form: Form

  /// Bytes of a file at most; an `Info.plist` has some kilobytes.
  package static let largestFile = 4 << 20
  /// Containers inside containers at most.
  package static let deepest = 64
  /// Values at most: in the binary form one value can be in many places.
  static let mostValues = 10_000

  package init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.count <= Self.largestFile else {
      throw PropertyListError(reason: "the file has more than \(Self.largestFile >> 20) MiB")
    }
    if bytes.starts(with: Array("bplist".utf8)) {
      form = .binary
    } else if bytes.drop(while: { [0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0D, 0x20].contains($0) }).first == 0x3C {
      form = .xml
      try Self.requireShallow(bytes)
    } else {
      throw PropertyListError(reason: "the file begins neither with '<' nor with 'bplist'")
    }
    let decoder = PropertyListDecoder()
    if let key = Budget.key { decoder.userInfo[key] = Budget(Self.mostValues) }
    var decoded = PropertyListDecoder.PropertyListFormat.openStep
    do {
      root = try decoder.decode(AnyValue.self, from: Data(bytes), format: &decoded).value
    } catch let error as PropertyListError {
      throw error
    } catch {
      throw PropertyListError(reason: Self.reason(error))
    }
    // The decoder falls back to a third, older form.
    guard decoded != .openStep else {
      throw PropertyListError(reason: "it is neither XML nor a whole file of the binary form")
    }
  }

  /// Rejects containers in containers in containers before the decoder, which calls itself for each.
  private static func requireShallow(_ bytes: [UInt8]) throws(PropertyListError) {
    var depth = 0
    for (index, byte) in bytes.enumerated() where byte == 0x3C {
      let tag = bytes[(index + 1)...].prefix(6)
      if tag.starts(with: "dict".utf8) || tag.starts(with: "array".utf8) || tag.starts(with: "plist".utf8) {
        depth += 1
      } else if tag.starts(with: "/dict".utf8) || tag.starts(with: "/array".utf8) {
        depth -= 1
      }
      guard depth <= 2 * deepest else { throw .tooDeep }
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
    let cause = unsafe (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
    return cause ?? context.debugDescription
  }
}

/// Why bytes are no property list.
package struct PropertyListError: Error, Equatable, Sendable {
  package let reason: String

  static let tooDeep = PropertyListError(
    reason: "more than \(PropertyListFile.deepest) containers are inside one another")
}

private final class Budget: Sendable {
  static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "budget") }

  private let left: Atomic<Int>

  init(_ values: Int) { left = Atomic(values) }

  func spend() throws {
    guard left.subtract(1, ordering: .relaxed).newValue >= 0 else {
      throw PropertyListError(reason: "it has more than \(PropertyListFile.mostValues) values")
    }
  }
}

/// Any value: the decoder asks a type what it expects, and this one tries each kind.
private struct AnyValue: Decodable {
  let value: PropertyList

  init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= PropertyListFile.deepest else { throw PropertyListError.tooDeep }
    try (Budget.key.flatMap { decoder.userInfo[$0] } as? Budget)?.spend()
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      var members: [String: PropertyList] = [:]
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(AnyValue.self, forKey: key).value
      }
      value = .dictionary(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [PropertyList] = []
      while !container.isAtEnd { elements.append(try container.decode(AnyValue.self).value) }
      value = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      value =
        if let text = try? container.decode(String.self) {
          .string(text)
        } else if let flag = try? container.decode(Bool.self) {
          .flag(flag)
        } else if let number = try? container.decode(Int64.self) {
          .integer(number)
        } else if let number = try? container.decode(Double.self) {
          .real(number)
        } else {
          .other
        }
    }
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
