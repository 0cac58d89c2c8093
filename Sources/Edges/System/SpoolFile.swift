import Glibc

/// A file without a name that grows at its end and is read from its start, for what does not fit into memory; nothing stays
/// behind, not even after a crash.
public final class SpoolFile: Sendable {
  private let folder: String
  private let file: OpenFile
  private let length = Guarded(0)

  /// Makes an empty file.
  ///
  /// - Parameter folder: A folder on a disk with room; `/tmp` may itself be memory.
  /// - Throws: ``FileError`` when the folder cannot be written to.
  public init(in folder: String = "/var/tmp") throws(FileError) {
    self.folder = folder
    file = try .unnamed(in: folder)
  }

  /// How many bytes it has.
  public var count: Int { length.withLock { $0 } }

  /// Adds bytes behind all others.
  ///
  /// - Throws: ``FileError`` when the disk is full or fails.
  public func append(_ bytes: [UInt8]) throws(FileError) {
    let number = file.write(bytes)
    guard number == 0 else { throw FileError(number, .write, folder) }
    length.withLock { $0 += bytes.count }
  }

  /// The bytes from a place on, as many as asked for at most; none at the end.
  ///
  /// - Throws: ``FileError`` when the disk fails.
  public func read(at start: Int, most: Int = FileReader.chunkSize) throws(FileError) -> [UInt8] {
    let wanted = max(0, min(most, count - start))
    var obstacle: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, done in
      while done < wanted {
        let read = unsafe pread(
          file.descriptor, buffer.baseAddress?.advanced(by: done), wanted - done, off_t(start + done))
        if read > 0 {
          done += read
        } else if read == 0 || errno != EINTR {
          obstacle = read == 0 ? EIO : errno
          return
        }
      }
    }
    guard obstacle == 0 else { throw FileError(obstacle, .read, folder) }
    return bytes
  }

  /// Removes all bytes.
  ///
  /// - Throws: ``FileError`` when the disk fails.
  public func removeAll() throws(FileError) {
    guard ftruncate(file.descriptor, 0) == 0, lseek(file.descriptor, 0, SEEK_SET) == 0 else {
      throw .last(.write, folder)
    }
    length.withLock { $0 = 0 }
  }
}
