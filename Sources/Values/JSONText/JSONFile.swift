public import Values

/// A JSON file that people write, strictly read: every mistake names its line, its path and what is allowed.
public struct JSONFile {
  /// The file's bytes.
  public let bytes: [UInt8]
  /// The file's name, for messages.
  public let name: String
  /// Where its form is described.
  public let schema: String

  public init(_ bytes: [UInt8], name: String, schema: String) {
    self.bytes = bytes
    self.name = name
    self.schema = schema
  }

  /// Reads the root, and then what `body` reads of it, up to the first problem.
  public func read<Content>(
    _ body: (JSONPlace) throws(JSONProblem) -> Content
  ) throws(JSONFileError) -> Content {
    let root: JSONNode
    do throws(JSONDefect) { root = try JSONReader.read(bytes) } catch {
      let place = error.path.steps.isEmpty ? "" : "\(error.path): "
      let diagnosis = error.diagnosis(in: bytes)
      throw mistake(
        at: error.offset, "\(place)the file is not JSON: \(diagnosis.sentence)", cure: diagnosis.cure)
    }
    do throws(JSONProblem) { return try body(JSONPlace(root)) } catch { throw mistake(error) }
  }

  private func mistake(_ problem: JSONProblem) -> JSONFileError {
    switch problem.kind {
    case .unknownMember(_, _, let known, let meant):
      let hint =
        meant.map { "; did you mean \(quoted($0))?" } ?? "; use one of \(known.joined(separator: ", "))"
      return mistake(at: problem.offset, "\(problem.path): unknown member\(hint)")
    default:
      return mistake(at: problem.offset, "\(problem.path) \(problem.predicate)", cure: problem.cure?.english)
    }
  }

  private func mistake(at offset: Int, _ problem: String, cure: String? = nil) -> JSONFileError {
    JSONFileError(
      file: name, position: TextPosition(ofByte: offset, in: bytes), problem: problem,
      remedy: cure ?? "see \(schema) for the format")
  }
}

/// A mistake in a ``JSONFile``.
public struct JSONFileError: UserFacingError, Equatable, CustomStringConvertible {
  public let file: String
  public let position: TextPosition
  /// The path of the value, what was found and what is allowed.
  public let problem: String
  public let remedy: String?

  public var description: String { "\(file):\(position): \(problem)" }
  /// What it means to the program that started this one.
  public var exitCode: ExitCode { .data }
}
