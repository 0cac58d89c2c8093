public import JSONText
import Postbacks
public import Values

/// A mapping file as it was written: the mapping, and where each of its rules is.
public struct MappingDocument: Equatable, Sendable {
  /// The largest file that is read, in bytes.
  public static let largestFile = 4 << 20

  /// The mapping, with every grid expanded.
  public let mapping: Mapping
  /// The places of the mapping's fine rules, one for each; rules of a grid are where the grid is.
  let finePlaces: [Place]
  let coarsePlaces: [ConversionWindow: [Place]]
  let root: Place
  let memberPlaces: [String: Place]

  public struct Reading: Sendable {
    /// The text as JSON; `nil` where it is none, or has a member twice.
    public let root: JSONNode?
    /// The document; `nil` when there are errors of form.
    public let document: MappingDocument?
    /// Everything that was found, in the order of the file.
    public let findings: [MappingFinding]

    /// The mapping; `nil` when anything that was found is an error.
    public var sound: Mapping? {
      findings.contains { $0.severity == .error } ? nil : document?.mapping
    }
  }

  /// Reads a mapping file, reporting everything that is wrong with its form.
  ///
  /// Time and memory are bounded by ``largestFile``.
  public static func read(_ bytes: [UInt8]) -> Reading {
    var reader = DocumentReader(bytes)
    let document = reader.read(bytes)
    return Reading(
      root: reader.root, document: document, findings: reader.log.inOrder.filter { $0.severity == .error })
  }

  /// Reads a mapping file and checks what it contains, reporting everything that is wrong or will be regretted.
  ///
  /// - Parameters:
  ///   - now: The time, from which the mapping's date should not be years away; `nil` leaves that out.
  /// - Returns: The document, and what was found.
  public static func check(_ bytes: [UInt8], at now: Instant? = nil) -> Reading {
    var reader = DocumentReader(bytes)
    let document = reader.read(bytes)
    if let document {
      var check = MappingCheck(document, log: reader.log, now: now)
      check.run()
      return Reading(root: reader.root, document: document, findings: check.log.inOrder)
    }
    return Reading(root: reader.root, document: document, findings: reader.log.inOrder)
  }
}

extension FindingLog {
  var inOrder: [MappingFinding] {
    findings.ordered {
      ($0.position.line, $0.position.column, $0.code.text) < (
        $1.position.line, $1.position.column, $1.code.text
      )
    }
  }
}
