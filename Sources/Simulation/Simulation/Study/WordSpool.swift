import System

/// Words that are written once and read later; what is more than a few megabytes goes to a file without a name.
final class WordSpool: Sendable {
  private struct State: Sendable {
    var held: [UInt64] = []
    var file: ScratchFile?
  }

  private static let most = 4 << 20

  private let state = Guarded(State())
  private let folder: String
  private let most: Int

  /// Starts empty.
  ///
  /// - Parameters:
  ///   - folder: Where the file would be; `/tmp` may itself be memory.
  ///   - most: Words that are held in memory.
  init(folder: String = "/var/tmp", most: Int = WordSpool.most) {
    self.folder = folder
    self.most = most
  }

  /// Adds words behind all others.
  ///
  /// - Returns: Where they lie.
  /// - Throws: `FileError` where the file cannot be written.
  func append(_ words: [UInt64]) throws(FileError) -> Range<Int> {
    try state.withLock { state throws(FileError) in
      if let file = state.file { return try file.append(words) }
      let start = state.held.count
      state.held += words
      if state.held.count > most {
        let file = try ScratchFile(in: folder)
        _ = try file.append(state.held)
        state.file = file
        state.held = []
      }
      return start..<start + words.count
    }
  }

  /// Returns the words that lie there.
  ///
  /// - Throws: `FileError` where the file cannot be read.
  func read(_ range: Range<Int>) throws(FileError) -> [UInt64] { try read([range]) }

  /// Returns the words that lie in several places, one place after the other.
  ///
  /// - Throws: `FileError` where the file cannot be read.
  func read(_ ranges: [Range<Int>]) throws(FileError) -> [UInt64] {
    let (file, held) = state.withLock { state in
      (state.file, state.file == nil ? ranges.flatMap { state.held[$0] } : [])
    }
    return try file?.read(ranges) ?? held
  }
}
