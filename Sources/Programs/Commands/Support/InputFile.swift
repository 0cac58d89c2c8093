import Values
import Arguments
import Gzip
import System

/// A file of postbacks that is unpacked while it is read, if it is packed.
final class InputFile {
  private final class Position {
    var bytes = 0
  }

  /// The path as it was given; `-` is standard input.
  let path: String
  /// The file's length in bytes as it lies on the disk, or nil for a pipe.
  let size: Int?
  private let read = Position()
  private let interruption: Interruption?
  private var reader: GzipReader

  /// Opens a file, with a note if standard input is a terminal.
  ///
  /// - Parameters:
  ///   - path: The file's path, or `-` for standard input.
  ///   - console: Where the note is written.
  ///   - interruption: A request that ends the wait for a pipe, and the file with it.
  /// - Throws: `FileError` when it can't be opened.
  init(_ path: String, on console: Console, interruption: Interruption? = nil) throws(FileError) {
    if path == "-", console.isInputTerminal { console.note("reading standard input; Ctrl-D ends it") }
    var isEnded: (@Sendable () -> Bool)?
    if let interruption { isEnded = { interruption.isRequested } }
    let file = try FileReader(path, isEnded: isEnded)
    let read = read
    self.path = path
    self.interruption = interruption
    size = file.size
    reader = GzipReader {
      let chunk = try file.read()
      read.bytes += chunk.count
      return chunk
    }
  }

  /// How many bytes of the file were read, before unpacking.
  var position: Int { read.bytes }

  /// Returns the next bytes, or nil at the end.
  func next() throws -> [UInt8]? {
    do {
      return try reader.next()
    } catch let error as GzipError {
      // Input that ends because of an interruption is not damaged.
      if interruption?.isRequested == true { return nil }
      throw CommandError(error).about("cannot unpack \(path == "-" ? "standard input" : "'\(path)'")")
    }
  }
}

extension Positional {
  static let postbackFiles = postbackFiles(areRequired: true)
  static let optionalPostbackFiles = postbackFiles(areRequired: false)

  private static func postbackFiles(areRequired: Bool) -> Positional {
    Positional(
      "FILE", .path,
      "File with a JSON object, an array, or one object per line, gzip-compressed or not; -: standard "
        + "input.",
      isRequired: areRequired, isRepeatable: true)
  }
}
