import Arguments
import System

/// The files that a command reads and writes, so that it never writes over what it was given.
struct NamedFiles {
  private var files: [(what: String, path: String)] = []

  init() {}

  /// Adds a file by what it is to the user, such as `--events`; standard input and output are none.
  mutating func add(_ what: String, _ path: String?) {
    if let path, path != "-" { files.append((what, path)) }
  }

  fileprivate func same(as path: String) -> String? {
    guard let wanted = FileIdentity(path) else { return nil }
    return files.first { FileIdentity($0.path) == wanted }?.what
  }
}

extension Invocation {
  /// Rejects an output that is also an input, and two outputs to the same file.
  ///
  /// - Parameters:
  ///   - inputs: What the command reads.
  /// - Throws: A usage error that names both.
  func checkOutputs(_ outputs: [(option: String, path: String?)], besides inputs: NamedFiles) throws {
    var taken = inputs
    for (option, path) in outputs {
      guard let path, path != "-" else { continue }
      if let other = taken.same(as: path) {
        throw mistake("'\(option)' would overwrite \(other), the same file: '\(path)'.")
      }
      taken.add("'\(option)'", path)
    }
  }
}
