import Glibc

/// A file without a name, for what does not fit into memory; nothing stays behind, not even after a crash.
///
/// Several threads may read and write at a time.
public final class ScratchFile: Sendable {
  private let folder: String
  private let file: OpenFile
  private var descriptor: Int32 { file.descriptor }
  private let length = Guarded(0)

  /// Makes an empty file.
  ///
  /// - Parameter folder: A folder on a disk with room; `/tmp` may itself be memory.
  /// - Throws: ``FileError`` when the folder cannot be written to.
  public init(in folder: String = "/var/tmp") throws(FileError) {
    self.folder = folder
    file = try .unnamed(in: folder)
  }

  /// Adds words behind all others.
  ///
  /// - Returns: Where they lie, for ``read(_:)``.
  /// - Throws: ``FileError`` when the disk is full or fails.
  public func append(_ words: [UInt64]) throws(FileError) -> Range<Int> {
    let start = length.withLock { length in
      defer { length += words.count }
      return length
    }
    try write(words, 0..<words.count, at: start)
    return start..<start + words.count
  }

  /// Writes words over those in some places, which have room for them.
  ///
  /// - Returns: Where they lie, for ``read(_:)-([Range<Int>])``.
  /// - Throws: ``FileError`` when the disk fails.
  public func overwrite(_ ranges: [Range<Int>], with words: [UInt64]) throws(FileError) -> [Range<Int>] {
    var written: [Range<Int>] = []
    var done = 0
    for range in ranges where done < words.count {
      let count = min(range.count, words.count - done)
      try write(words, done..<done + count, at: range.lowerBound)
      written.append(range.lowerBound..<range.lowerBound + count)
      done += count
    }
    precondition(done == words.count, "The places have too little room.")
    return written
  }

  private func write(_ words: [UInt64], _ part: Range<Int>, at start: Int) throws(FileError) {
    var done = part.lowerBound * 8
    let end = part.upperBound * 8
    while done < end {
      let count = unsafe words.withUnsafeBytes { bytes in
        unsafe pwrite(
          descriptor, bytes.baseAddress?.advanced(by: done), end - done, (start - part.lowerBound) * 8 + done)
      }
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw count == 0 ? FileError(ENOSPC, .write, folder) : .last(.write, folder)
      }
    }
  }

  /// The error for words that are not those that were written to a file there.
  public static func damage(in folder: String = "/var/tmp") -> FileError { FileError(EIO, .read, folder) }

  /// Returns the words that lie there.
  ///
  /// - Throws: ``FileError`` when the disk fails.
  public func read(_ range: Range<Int>) throws(FileError) -> [UInt64] { try read([range]) }

  /// Returns the words that lie in several places, one place after the other.
  ///
  /// - Throws: ``FileError`` when the disk fails.
  public func read(_ ranges: [Range<Int>]) throws(FileError) -> [UInt64] {
    var obstacle: FileError?
    let words = unsafe [UInt64](
      unsafeUninitializedCapacity: ranges.reduce(0) { $0 + $1.count }
    ) { buffer, count in
      for range in ranges {
        let room = unsafe UnsafeMutableRawBufferPointer(
          UnsafeMutableBufferPointer(rebasing: buffer[count..<count + range.count]))
        do throws(FileError) { unsafe try fill(room, from: range.lowerBound * 8) } catch {
          obstacle = error
          return
        }
        count += range.count
      }
    }
    if let obstacle { throw obstacle }
    return words
  }

  private func fill(_ room: UnsafeMutableRawBufferPointer, from start: Int) throws(FileError) {
    var done = 0
    while done < room.count {
      let count = unsafe pread(
        descriptor, room.baseAddress?.advanced(by: done), room.count - done, off_t(start + done))
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw count == 0 ? FileError(EIO, .read, folder) : .last(.read, folder)
      }
    }
  }
}
