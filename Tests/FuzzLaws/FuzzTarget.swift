/// A law that an input broke.
public struct LawBroken: Error, CustomStringConvertible {
  /// The law, and what was seen instead.
  public let description: String

  /// Describes what was seen.
  public init(_ description: String) { self.description = description }
}

/// Something that reads bytes of strangers, with the laws that hold for it whatever the bytes.
public struct FuzzTarget: Sendable, CustomStringConvertible {
  /// The name: the word for `tools/stress/fuzz`, and the folder of the corpus.
  public let name: String
  /// Words that mutations put in.
  public let dictionary: [String]
  /// Checks the laws for one input.
  public let check: @Sendable ([UInt8]) throws -> Void

  /// The name.
  public var description: String { name }

  /// Joins a reader with its laws.
  public init(_ name: String, dictionary: [String], check: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.dictionary = dictionary
    self.check = check
  }

  /// All targets.
  public static let all: [FuzzTarget] = [
    .json, .documents, .csv, .postback, .jws, .keys, .mapping, .formats, .events, .reference, .words,
    .configuration, .scenario, .multipart, .appMapping, .plist, .networkForm, .change,
    .journalBatch, .purchase, .assistant, .pull,
  ]

  /// Returns the target of a name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Checks one law.
///
/// - Throws: ``LawBroken`` where the condition does not hold.
func law(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(LawBroken) {
  if !condition { throw LawBroken(sentence()) }
}
